// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

class QMenu;
class QString;
class QToolBar;
class QWidget;

/// Each fills a menu of the window, or adds something to one.

namespace holos::gui {

class Actions;
class FileOpening;
class OpenExperiments;

/// Looks for names in one pane or in all of them.
void addFindActions(QMenu* menu, QToolBar* tools, Actions& actions, OpenExperiments& experiments);

/// What is seen of the active experiment: rows, orders, and the views beside and below the trees.
void fillViewMenu(QMenu* menu, QToolBar* tools, Actions& actions, OpenExperiments& experiments);

/// What is done with open experiments: combined, cut, compared, closed, and which of them are seen.
void fillExperimentsMenu(QMenu* menu, Actions& actions, OpenExperiments& experiments, FileOpening& opening);

/// Smaller call trees, made by the algebra and opened beside the active experiment. What needs a selected
/// region stands in the context menu of the call tree, too.
void fillCutMenu(QMenu* menu, Actions& actions, OpenExperiments& experiments, FileOpening& opening);

/// Derives metrics of the active experiment, which takes their experiment's place; also in the menu of a
/// metric's row. `tell` says what went wrong.
void addDeriveAction(QMenu* menu, Actions& actions, OpenExperiments& experiments,
                     const std::function<void(const QString&)>& tell);

/// What the window tells of itself: its keys, its version.
void fillHelpMenu(QMenu* menu, Actions& actions, QWidget* window);

}  // namespace holos::gui
