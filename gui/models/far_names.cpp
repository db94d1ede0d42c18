// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/far_names.h"

#include "base/error.h"
#include "base/process.h"
#include "report/far/far_file.h"

namespace holos::gui {

QString machineOf(const QString& file) {
    try {
        const auto there = far::farFile(file.toStdString());
        return there ? QString::fromStdString(there->host.substr(there->host.find('@') + 1)) : QString();
    } catch (const Error&) {  // no name of a machine
        return {};
    }
}

QString whyNoTrace(const QString& file) {
    const QString machine = machineOf(file);
    if (machine.isEmpty()) return {};
    return u"The trace is on %1: holos serve %2 shows it in a web browser"_qs.arg(
        machine, QString::fromStdString(shellWord(file.toStdString())));
}

}  // namespace holos::gui
