// SPDX-License-Identifier: BSD-3-Clause
#pragma once

class QMenu;
class QToolBar;

namespace holos::gui {

class Actions;
class OpenExperiments;

/// What is seen of the active experiment: rows, orders, and the views beside and below the trees.
void fillViewMenu(QMenu* menu, QToolBar* tools, Actions& actions, OpenExperiments& experiments);

}  // namespace holos::gui
