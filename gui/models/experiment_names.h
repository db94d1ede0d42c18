// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QStringList>

namespace holos::gui {

/// Short names of experiments by their paths, for tabs and titles: the name of the file, with the folders
/// that it takes to tell it from the others. The results of commands are called the same in each run, so that
/// these have their folder always.
QStringList experimentNames(const QStringList& paths);

}  // namespace holos::gui
