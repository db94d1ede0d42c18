// SPDX-License-Identifier: BSD-3-Clause
#pragma once

class QMenu;
class QWidget;

namespace holos::gui {

class Actions;

/// What the window tells of itself: its keys, its version.
void fillHelpMenu(QMenu* menu, Actions& actions, QWidget* window);

}  // namespace holos::gui
