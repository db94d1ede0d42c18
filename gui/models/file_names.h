// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <QStringList>

namespace holos::gui {

/// Short names of experiments by their paths, for tabs and titles: the name of the file, with the folders
/// that it takes to tell it from the others. The results of commands are called the same in each run, so that
/// these have their folder always.
QStringList experimentNames(const QStringList& paths);

/// The other machine that a file is on (`login1` of `me@login1:run`); empty for a file of this machine.
QString machineOf(const QString& file);

/// Why the trace beside an experiment of another machine is not shown, and what shows it; empty for an
/// experiment of this machine.
QString whyNoTrace(const QString& file);

}  // namespace holos::gui
