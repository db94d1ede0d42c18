// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/file_names.h"

#include <QFileInfo>
#include <algorithm>
#include <vector>

#include "algebra/insight/scaling/study.h"
#include "base/error.h"
#include "base/process.h"
#include "report/far/far_experiment.h"

namespace holos::gui {
namespace {

/// What commands call the results of any run: its folder tells them apart.
const QStringList kNamesOfEveryRun{u"analysis.cubex"_qs, u"campaign.cubex"_qs, u"profile.cubex"_qs,
                                   u"range.cubex"_qs};

/// How many parts of a path its name has at least.
qsizetype leastParts(const QStringList& parts) {
    if (!kNamesOfEveryRun.contains(parts.back()) || parts.size() < 3) return 1;
    // Runs of all sizes of a study have the same names.
    const bool isOfStudy = algebra::scaling::sizeOfFolder(parts[parts.size() - 3].toStdString()).has_value();
    return isOfStudy ? 3 : 2;
}

/// The last so many parts of a path; all of it where there are no more.
QString endOf(const QStringList& parts, qsizetype count) {
    return parts.mid(std::max<qsizetype>(0, parts.size() - count)).join(u'/');
}

/// What was computed of others is no file: its name has theirs, and none of them may be cut.
QStringList partsOf(const QString& path) {
    if (path.contains(u" – "_qs) && !QFileInfo::exists(path)) return {path};
    return QFileInfo(path).absoluteFilePath().split(u'/');
}

}  // namespace

QStringList experimentNames(const QStringList& paths) {
    std::vector<QStringList> all;
    for (const QString& path : paths) all.push_back(partsOf(path));
    QStringList names;
    for (std::size_t self = 0; self < all.size(); ++self) {
        const QStringList& parts = all[self];
        qsizetype count = leastParts(parts);
        const auto isTaken = [&] {
            for (std::size_t other = 0; other < all.size(); ++other)
                if (other != self && endOf(all[other], count) == endOf(parts, count)) return true;
            return false;
        };
        while (count < parts.size() && isTaken()) ++count;
        names << endOf(parts, count);
    }
    return names;
}

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
