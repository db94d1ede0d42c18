// SPDX-License-Identifier: BSD-3-Clause
#pragma once

class QMenu;

namespace holos::gui {

class Actions;
class FileOpening;
class OpenExperiments;

/// What is done with open experiments: combined, cut, compared, closed, and which of them are seen.
void fillExperimentsMenu(QMenu* menu, Actions& actions, OpenExperiments& experiments, FileOpening& opening);

}  // namespace holos::gui
