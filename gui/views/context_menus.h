// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::gui {

class Browser;

/// What the right mouse button offers for a row of the trees, below what copies rows, and for a box of the
/// flame graph.
void addContextMenus(Browser& browser);

}  // namespace holos::gui
