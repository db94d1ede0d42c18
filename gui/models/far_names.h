// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>

namespace holos::gui {

/// The other machine that a file is on (`login1` of `me@login1:run`); empty for a file of this machine.
QString machineOf(const QString& file);

/// Why the trace beside an experiment of another machine is not shown, and what shows it; empty for an
/// experiment of this machine.
QString whyNoTrace(const QString& file);

}  // namespace holos::gui
