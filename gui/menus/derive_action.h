// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

class QMenu;
class QString;

namespace holos::gui {

class Actions;
class OpenExperiments;

/// Derives metrics of the active experiment, which takes their experiment's place; also in the menu of a
/// metric's row. `tell` says what went wrong.
void addDeriveAction(QMenu* menu, Actions& actions, OpenExperiments& experiments,
                     const std::function<void(const QString&)>& tell);

}  // namespace holos::gui
