// SPDX-License-Identifier: BSD-3-Clause
#pragma once

class QMenu;
class QToolBar;

namespace holos::gui {

class Actions;
class OpenExperiments;

/// Looks for names in one pane or in all of them.
void addFindActions(QMenu* menu, QToolBar* tools, Actions& actions, OpenExperiments& experiments);

}  // namespace holos::gui
