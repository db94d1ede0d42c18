// SPDX-License-Identifier: BSD-3-Clause
#pragma once

class QMenu;

namespace holos::gui {

class Actions;
class FileOpening;
class OpenExperiments;

/// Smaller call trees, made by the algebra and opened beside the active experiment. What needs a selected
/// region stands in the context menu of the call tree, too.
void fillCutMenu(QMenu* menu, Actions& actions, OpenExperiments& experiments, FileOpening& opening);

}  // namespace holos::gui
