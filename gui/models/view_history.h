// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "gui/models/view_state.h"

namespace holos::gui {

/// What was seen of an experiment, step by step.
class ViewHistory {
  public:
    /// The next step; what was taken back is forgotten. What is seen already is no step.
    void add(ViewState now);
    /// The step before the present one, which becomes the present one; null: there is none.
    const ViewState* back();
    const ViewState* forward();
    /// Puts each step into other words.
    void changeAll(const std::function<void(ViewState&)>& change);

  private:
    std::vector<ViewState> steps_;
    std::size_t at_ = 0;  ///< the present one
};

}  // namespace holos::gui
