// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/filter.h"

#include <QLocale>
#include <cmath>

namespace holos::gui {

namespace {

/// The fewest digits that mean the same number.
QString exactly(double seconds) {
    return QString::number(seconds, 'g', QLocale::FloatingPointShortest);
}

}  // namespace

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
    return parts;
}

QString textOf(const Filter& filter, FilterPart part) {
    switch (part) {
        case FilterPart::Range:
            return u"%1 s to %2 s"_qs.arg(exactly(filter.range->from), exactly(filter.range->to));
    }
    return {};
}

QString textOf(const Filter& filter) {
    QStringList texts;
    for (const FilterPart part : partsOf(filter)) texts << textOf(filter, part);
    return texts.join(u", "_qs);
}

Filter without(Filter filter, FilterPart part) {
    switch (part) {
        case FilterPart::Range:
            filter.range.reset();
    }
    return filter;
}

QStringList linkOf(const Filter& filter) {
    QStringList parts;
    if (filter.range) parts << u"range="_qs + linkOf(*filter.range);
    return parts;
}

bool takeFromLink(Filter& filter, const QString& key, const QString& value) {
    if (key != u"range") return false;
    filter.range = partOfTimeFrom(value);
    return filter.range.has_value();
}

}  // namespace holos::gui
