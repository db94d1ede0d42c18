// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_state.h"

#include <QLocale>
#include <QStringList>
#include <QUrl>
#include <algorithm>
#include <array>
#include <cmath>

namespace holos::gui {

namespace {

constexpr std::array kLineNames{"threads", "processes", "nodes"};
constexpr std::array kColorNames{"calls", "lost", "mpi", "openmp", "program"};

struct NamedMark {
    const char* name;
    TimelineMark mark;
};
constexpr std::array kMarkNames{
    NamedMark{"waits", &TimelineMarks::waits}, NamedMark{"operations", &TimelineMarks::operations},
    NamedMark{"path", &TimelineMarks::path}, NamedMark{"messages", &TimelineMarks::messages}};

QString encodedText(const QString& text) {
    return QString::fromLatin1(QUrl::toPercentEncoding(text));
}

template <class Names>
std::optional<std::size_t> positionIn(const Names& names, const QString& name) {
    for (std::size_t at = 0; at < names.size(); ++at)
        if (name == QLatin1String(names[at])) return at;
    return std::nullopt;
}

QString marksText(const TimelineMarks& marks) {
    QStringList names;
    for (const NamedMark& each : kMarkNames)
        if (marks.*each.mark) names << QString::fromLatin1(each.name);
    return names.join(u'.');
}

bool takeMarks(TimelineMarks& marks, const QString& value) {
    for (const NamedMark& each : kMarkNames) marks.*each.mark = false;
    for (const QString& word : value.split(u'.', Qt::SkipEmptyParts)) {
        const auto known = std::ranges::find_if(
            kMarkNames, [&word](const NamedMark& each) { return word == QLatin1String(each.name); });
        if (known == kMarkNames.end()) return false;
        marks.*known->mark = true;
    }
    return true;
}

bool takeLocations(std::vector<std::size_t>& locations, const QString& value) {
    for (const QString& word : value.split(u'.', Qt::SkipEmptyParts)) {
        bool isNumber = false;
        locations.push_back(word.toULongLong(&isNumber));
        if (!isNumber) return false;
    }
    return true;
}

void addLocations(QStringList& parts, const QString& key, const std::vector<std::size_t>& locations) {
    QStringList numbers;
    for (const std::size_t location : locations) numbers << QString::number(location);
    if (!numbers.isEmpty()) parts << key + u':' + numbers.join(u'.');
}

bool take(TimelineState& state, const QString& key, const QString& value) {
    if (key == u"marks") return takeMarks(state.marks, value);
    if (key == u"stack") return takeLocations(state.stacks, value);
    if (key == u"pinned") return takeLocations(state.pinned, value);
    if (key == u"with") {
        state.other = QUrl::fromPercentEncoding(value.toUtf8());
        return true;
    }
    if (key == u"shift") {
        bool isNumber = false;
        state.shift = value.toDouble(&isNumber);
        return isNumber && std::isfinite(state.shift);
    }
    if (key == u"metric") {
        state.colors = TimelineColors::Metric;
        state.metric = QUrl::fromPercentEncoding(value.toUtf8()).toStdString();
        return true;
    }
    if (const auto lines = positionIn(kLineNames, value); key == u"lines" && lines) {
        state.grouping = static_cast<TimelineGrouping>(*lines);
        return true;
    }
    const auto colors = positionIn(kColorNames, value);
    if (key == u"colors" && colors) state.colors = static_cast<TimelineColors>(*colors);
    return key == u"colors" && colors;
}

}  // namespace

QString lookOf(const TimelineState& state) {
    QStringList parts;
    if (state.grouping != TimelineGrouping::Threads)
        parts << u"lines:"_qs + QString::fromLatin1(kLineNames[static_cast<std::size_t>(state.grouping)]);
    if (state.colors == TimelineColors::Metric)
        parts << u"metric:"_qs + encodedText(QString::fromStdString(state.metric));
    else if (state.colors != TimelineColors::Calls)
        parts << u"colors:"_qs + QString::fromLatin1(kColorNames[static_cast<std::size_t>(state.colors)]);
    if (state.marks != TimelineMarks()) parts << u"marks:"_qs + marksText(state.marks);
    addLocations(parts, u"stack"_qs, state.stacks);
    addLocations(parts, u"pinned"_qs, state.pinned);
    if (!state.other.isEmpty()) parts << u"with:"_qs + encodedText(state.other);
    if (!state.other.isEmpty() && state.shift != 0.0)
        parts << u"shift:"_qs + QString::number(state.shift, 'g', QLocale::FloatingPointShortest);
    return parts.join(u';');
}

std::optional<TimelineState> withLook(TimelineState state, const QString& look) {
    const TimelineState usual;
    state.grouping = usual.grouping;
    state.colors = usual.colors;
    state.metric = usual.metric;
    state.marks = usual.marks;
    state.stacks = usual.stacks;
    state.pinned = usual.pinned;
    state.other = usual.other;
    state.shift = usual.shift;
    for (const QString& part : look.split(u';', Qt::SkipEmptyParts))
        if (!take(state, part.section(u':', 0, 0), part.section(u':', 1))) return std::nullopt;
    return state;
}

}  // namespace holos::gui
