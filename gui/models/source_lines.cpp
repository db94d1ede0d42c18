// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/source_lines.h"

#include <QDir>
#include <QFileInfo>

#include "algebra/model/source_lines.h"

namespace holos::gui {

using namespace algebra;

namespace {

std::optional<SourcePlace> ownPlaceOf(const Experiment& experiment, CallPathId path) {
    const auto own = sourceLineOf(experiment, path);
    if (!own) return std::nullopt;
    return SourcePlace{QString::fromStdString(own->file), static_cast<int>(own->line),
                       hasLineOfCall(experiment, path), path};
}

}  // namespace

std::optional<SourcePlace> sourcePlaceOf(const Experiment& experiment, CallPathId path) {
    for (std::optional<CallPathId> at = path; at; at = experiment.callTree.parent(*at))
        if (auto place = ownPlaceOf(experiment, *at)) return place;
    return std::nullopt;
}

std::map<int, double> lineValues(const Experiment& experiment, const QString& file,
                                 const std::vector<double>& inclusive) {
    const std::string wanted = file.toStdString();
    std::map<int, double> values;
    for (const LineValue& value : algebra::lineValues(experiment, inclusive, inclusive))
        if (value.place.file == wanted) values[static_cast<int>(value.place.line)] = value.inclusive;
    return values;
}

std::optional<SourceMapping> mappingBetween(const QString& recorded, const QString& found) {
    const QStringList before = recorded.split(u'/');
    const QStringList now = found.split(u'/');
    qsizetype same = 0;
    while (same < before.size() && same < now.size() &&
           before[before.size() - 1 - same] == now[now.size() - 1 - same])
        ++same;
    if (same == 0) return std::nullopt;
    return SourceMapping{before.first(before.size() - same).join(u'/'),
                         now.first(now.size() - same).join(u'/')};
}

std::optional<QString> findSource(const QString& recorded, const std::vector<SourceMapping>& mappings,
                                  const QStringList& folders) {
    const auto readable = [](const QString& path) {
        const QFileInfo file(path);
        return file.isFile() && file.isReadable();
    };
    for (auto mapping = mappings.rbegin(); mapping != mappings.rend(); ++mapping) {
        const bool applies =
            mapping->from.isEmpty() || recorded == mapping->from || recorded.startsWith(mapping->from + u'/');
        if (!applies) continue;
        QString rest = recorded.mid(mapping->from.size());
        while (rest.startsWith(u'/')) rest.remove(0, 1);
        const QString path = mapping->to + u'/' + rest;
        if (readable(path)) return path;
    }
    if (QFileInfo(recorded).isAbsolute()) return readable(recorded) ? std::optional(recorded) : std::nullopt;
    for (const QString& folder : folders)
        if (const QString path = QDir(folder).filePath(recorded); readable(path)) return path;
    return std::nullopt;
}

}  // namespace holos::gui
