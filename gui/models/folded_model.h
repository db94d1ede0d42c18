// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/path_set_model.h"

namespace holos::gui {

/// The call tree with loops folded: calls of one region from one place in the tree are one row, whatever
/// their parameters (such as the iteration) and their lines.
class FoldedModel : public PathSetModel {
  public:
    explicit FoldedModel(ValueCache& cache);

  protected:
    std::vector<algebra::CallPathChoice> choicesOf(int node, algebra::Extent extent) const override;
};

}  // namespace holos::gui
