// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <cstddef>

namespace holos::gui {

class Browser;

/// Searches in all trees of an open experiment.
class PaneSearch {
  public:
    /// The browser must outlive the search.
    explicit PaneSearch(const Browser& browser) : browser_(browser) {}

    /// Marks what the regular expression matches.
    void find(const QString& text);
    /// Goes to the next match of any tree.
    void next();

  private:
    const Browser& browser_;
    std::size_t pane_ = 0;  ///< where the last match was
};

}  // namespace holos::gui
