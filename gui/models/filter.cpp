// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/filter.h"

#include <QLocale>
#include <QRegularExpression>
#include <QUrl>
#include <algorithm>
#include <array>
#include <cmath>

namespace holos::gui {

namespace {

constexpr qsizetype kMostNamed = 2;
constexpr qsizetype kMostSegments = 2;  ///< of what is long, the last ones

/// A part that is a list of names.
struct NamesOfPart {
    FilterPart part;
    const char* key;  ///< in links
    QStringList Filter::*list;
    bool isRow;          ///< names are keys of rows
    const char* before;  ///< each name, in words
    const char* after = "";
};
constexpr std::array<NamesOfPart, 5> kNames{
    {{FilterPart::Places, "only-system", &Filter::places, true, ""},
     {FilterPart::CallPaths, "only-call", &Filter::callPaths, true, "in "},
     {FilterPart::Regions, "only-region", &Filter::regions, false, "calls of ", " (without callees)"},
     {FilterPart::Kinds, "only-kind", &Filter::kinds, false, "calls that belong to ",
      " (without callees of other kinds)"},
     {FilterPart::Experiments, "only-experiment", &Filter::experiments, false, ""}}};

QString encoded(const QString& name) {
    return QString::fromLatin1(QUrl::toPercentEncoding(name));
}

/// `node 1 / MPI Rank 1` for the key of a row.
QString rowText(const QString& key) {
    const QStringList segments = key.split(u'/');
    QStringList names;
    for (const QString& segment : segments.mid(std::max<qsizetype>(0, segments.size() - kMostSegments)))
        names << QUrl::fromPercentEncoding(segment.toUtf8());
    return (segments.size() > kMostSegments ? u"… / "_qs : QString()) + names.join(u" / "_qs);
}

/// The fewest digits that mean the same number.
QString exactly(double seconds) {
    return QString::number(seconds, 'g', QLocale::FloatingPointShortest);
}

/// As a link has them; nothing where they are none.
std::optional<IterationNumbers> iterationsFrom(const QString& link) {
    const QStringList ends = link.split(u':');
    bool hasFirst = false, hasLast = false;
    const IterationNumbers numbers{ends.value(0).toULongLong(&hasFirst), ends.value(1).toULongLong(&hasLast)};
    const bool areThese =
        ends.size() == 2 && hasFirst && hasLast && numbers.first > 0 && numbers.first <= numbers.last;
    return areThese ? std::optional(numbers) : std::nullopt;
}

QStringList textsOf(const Filter& filter, FilterPart part) {
    if (part == FilterPart::Range) {
        const QString time = u"%1 s to %2 s"_qs.arg(exactly(filter.range->from), exactly(filter.range->to));
        const auto& iterations = filter.range->iterations;
        return {iterations ? u"%1 (%2)"_qs.arg(iterationsText(*iterations), time) : time};
    }
    QStringList texts;
    for (const NamesOfPart& names : kNames)
        if (names.part == part)
            for (const QString& name : filter.*names.list)
                texts << QString::fromLatin1(names.before) + (names.isRow ? rowText(name) : name) +
                             QString::fromLatin1(names.after);
    return texts;
}

}  // namespace

QString iterationsText(const IterationNumbers& iterations) {
    return iterations.first == iterations.last
               ? u"iteration %1"_qs.arg(iterations.first)
               : u"iterations %1 to %2"_qs.arg(iterations.first).arg(iterations.last);
}

QString linkOf(const PartOfTime& part) {
    return exactly(part.from) + u':' + exactly(part.to);
}

std::optional<PartOfTime> partOfTimeFrom(const QString& link) {
    const QStringList ends = link.split(u':');
    bool hasBegin = false;
    bool hasEnd = false;
    const PartOfTime part{ends.value(0).toDouble(&hasBegin), ends.value(1).toDouble(&hasEnd)};
    const bool isPart = ends.size() == 2 && hasBegin && hasEnd && std::isfinite(part.to) &&
                        part.from >= 0.0 && part.from < part.to;
    return isPart ? std::optional(part) : std::nullopt;
}

std::vector<FilterPart> partsOf(const Filter& filter) {
    std::vector<FilterPart> parts;
    if (filter.range) parts.push_back(FilterPart::Range);
    for (const NamesOfPart& names : kNames)
        if (!(filter.*names.list).isEmpty()) parts.push_back(names.part);
    return parts;
}

QString filterText(const Filter& filter, FilterPart part) {
    if (part == FilterPart::Range && filter.range->iterations)
        return iterationsText(*filter.range->iterations);
    const QStringList texts = textsOf(filter, part);
    const QString shown = texts.mid(0, kMostNamed).join(u" and "_qs);
    if (texts.size() <= kMostNamed) return shown;
    return texts.mid(0, kMostNamed).join(u", "_qs) + u" and %1 more"_qs.arg(texts.size() - kMostNamed);
}

QString wholeTextOf(const Filter& filter, FilterPart part) {
    return textsOf(filter, part).join(u'\n');
}

QString filterText(const Filter& filter) {
    QStringList texts;
    for (const FilterPart part : partsOf(filter))
        texts << (part == FilterPart::Range ? wholeTextOf(filter, part) : filterText(filter, part));
    return texts.join(u", "_qs);
}

QString nameForFiles(const Filter& filter) {
    constexpr qsizetype kLongest = 120;
    static const QRegularExpression kUnusual(u"[/\\\\:*?\"<>|\\s]+"_qs);
    return filterText(filter).replace(kUnusual, u" "_qs).left(kLongest).trimmed();
}

Filter without(Filter filter, FilterPart part) {
    if (part == FilterPart::Range) filter.range.reset();
    for (const NamesOfPart& names : kNames)
        if (names.part == part) (filter.*names.list).clear();
    return filter;
}

Filter ofOneRun(const Filter& filter) {
    return without(filter, FilterPart::Experiments);
}

bool isOfCalls(const Filter& filter) {
    return !filter.callPaths.isEmpty() || !filter.regions.isEmpty() || !filter.kinds.isEmpty();
}

Filter with(Filter filter, const Filter& added) {
    if (added.range) filter.range = added.range;
    for (const NamesOfPart& names : kNames)
        if (!(added.*names.list).isEmpty()) filter.*names.list = added.*names.list;
    return filter;
}

QStringList linkOf(const Filter& filter) {
    QStringList parts;
    if (filter.range) parts << u"range="_qs + linkOf(*filter.range);
    if (filter.range && filter.range->iterations)
        parts << u"iterations=%1:%2"_qs.arg(filter.range->iterations->first)
                     .arg(filter.range->iterations->last);
    for (const NamesOfPart& names : kNames)
        for (const QString& name : filter.*names.list)
            parts << QString::fromLatin1(names.key) + u'=' + (names.isRow ? name : encoded(name));
    return parts;
}

bool takeFromLink(Filter& filter, const QString& key, const QString& value) {
    if (key == u"range") {
        filter.range = partOfTimeFrom(value);
        return filter.range.has_value();
    }
    if (key == u"iterations") {
        if (filter.range) filter.range->iterations = iterationsFrom(value);
        return filter.range && filter.range->iterations;
    }
    for (const NamesOfPart& names : kNames)
        if (key == QLatin1String(names.key) && !value.isEmpty()) {
            filter.*names.list << (names.isRow ? value : QUrl::fromPercentEncoding(value.toUtf8()));
            return true;
        }
    return false;
}

}  // namespace holos::gui
