// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_texts.h"

#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <map>

#include "gui/models/quantity.h"
#include "gui/models/timeline/call_path_of_stack.h"

namespace holos::gui {

using analyzer::timeline::CourseMark;
using analyzer::timeline::kNobody;
using trace::Ticks;

QString TimelineTexts::at(int line, Ticks time) const {
    const auto& stackOf = lines_[line].stackOf;
    const QString text = (stackOf ? traceLocationName(definitions_, *stackOf) : lines_[line].name) + u'\n' +
                         momentText(definitions_.seconds(time));
    const TimelineRow* here = picture_ == nullptr ? nullptr : picture_->contentOf(line);
    if (here == nullptr) return text;
    if (stackOf) return text + stackText(*here, lines_[line].depth, time);
    const QString calls = callsAt(*here, time);
    return text + (calls.isEmpty() ? binAt(*here, time) : calls) + shortageAt(*here, time) +
           marksAt(line, time);
}

QString TimelineTexts::shortageAt(const TimelineRow& row, Ticks time) const {
    for (const trace::Shortage& shortage : row.excerpt.shortages)
        if (time >= shortage.begin && time < shortage.end)
            return u"\nhad no processor for %1 of the time up to %2"_qs.arg(
                lengthOf(shortage.begin, shortage.end), momentText(definitions_.seconds(shortage.end)));
    return {};
}

QString TimelineTexts::lengthOf(Ticks begin, Ticks end) const {
    return durationText(definitions_.seconds(end - begin), digits_);
}

/// From the outermost on, to this depth.
QString TimelineTexts::stackText(const TimelineRow& row, std::uint32_t depth, Ticks time) const {
    if (!row.stack) return {};
    const std::vector<trace::StackBar> stack = stackAt(*row.stack, time, depth);
    QString text;
    for (const trace::StackBar& bar : stack) {
        text += u'\n' + nameOf_(bar.region);
        const trace::CallSite& site = definitions_[bar.site];
        if (site.line != 0)
            text += u" @%1:%2"_qs.arg(QFileInfo(QString::fromStdString(site.file)).fileName()).arg(site.line);
    }
    if (stack.empty() || stack.back().depth != depth) return text;
    return text + u": "_qs + lengthOf(stack.back().begin, stack.back().end) +
           (stack.back().isEvent ? QString() : u", by calls and samples"_qs);
}

/// Of a time that is in sight: the calls of a line, or its pixels.
QString TimelineTexts::mostlyDone(std::uint32_t location, Ticks begin, Ticks end) const {
    const auto line = lineOf(location);
    const TimelineRow* row = line ? picture_->contentOf(*line) : nullptr;
    const trace::Window& window = picture_->window;
    if (row == nullptr || row->excerpt.bins.empty() || end <= begin) return {};
    const auto binAt = [&](Ticks time) {
        const double part =
            static_cast<double>(time - window.from) / static_cast<double>(window.to - window.from);
        return std::clamp(part, 0.0, 1.0) * static_cast<double>(row->excerpt.bins.size());
    };
    std::map<trace::RegionId, int> bins;
    const auto last = std::min(static_cast<std::size_t>(std::ceil(binAt(end))), row->excerpt.bins.size());
    for (auto bin = static_cast<std::size_t>(binAt(begin)); bin < last; ++bin)
        if (const auto& region = row->excerpt.bins[bin].region) ++bins[*region];
    const auto most = std::ranges::max_element(bins, {}, [](const auto& entry) { return entry.second; });
    return most == bins.end() ? QString() : nameOf_(most->first);
}

QString TimelineTexts::waitAt(int line, Ticks time) const {
    if (picture_ == nullptr || !picture_->marks.course) return {};
    for (const CourseMark& wait : picture_->marks.waits) {
        if (lineOf(wait.location) != line || time < wait.begin || time >= wait.end) continue;
        QString text = u"%1: %2"_qs.arg(titleOf(wait.name), lengthOf(wait.begin, wait.end));
        if (wait.other == kNobody) return text;
        text += u", waits for "_qs + traceLocationName(definitions_, trace::LocationId(wait.other));
        const QString meanwhile = mostlyDone(wait.other, wait.begin, wait.end);
        return meanwhile.isEmpty() ? text : text + u", which is mostly in %1 then"_qs.arg(meanwhile);
    }
    return {};
}

QString TimelineTexts::callsAt(const TimelineRow& row, Ticks time) const {
    std::vector<const trace::Span*> calls;
    for (const trace::Span& span : row.excerpt.spans)
        if (span.begin <= time && time < span.end) calls.push_back(&span);
    if (calls.empty()) return {};
    std::sort(calls.begin(), calls.end(),
              [](const trace::Span* a, const trace::Span* b) { return a->depth < b->depth; });
    QString text;
    for (const trace::Span* span : calls) text += u'\n' + nameOf_(span->region);
    return text + u": "_qs + lengthOf(calls.back()->begin, calls.back()->end);
}

QString TimelineTexts::binAt(const TimelineRow& row, Ticks time) const {
    const trace::Window& window = picture_->window;
    if (row.excerpt.bins.empty() || time < window.from || time >= window.to) return {};
    const auto bin = static_cast<std::size_t>(static_cast<double>(time - window.from) /
                                              static_cast<double>(window.to - window.from) *
                                              static_cast<double>(row.excerpt.bins.size()));
    const trace::Bin& told = row.excerpt.bins[std::min(bin, row.excerpt.bins.size() - 1)];
    if (bin < row.shares.size() && row.shares[bin] >= 0 && picture_->isRelative)
        return u"\n"_qs +
               quantity(static_cast<double>(row.shares[bin]) * picture_->largest, picture_->unit, 4);
    if (bin < row.shares.size() && row.shares[bin] >= 0)
        return u"\n%1 %"_qs.arg(100.0 * static_cast<double>(row.shares[bin]), 0, 'f', 0);
    if (told.share == 0.0) return {};
    const QString name = told.region ? nameOf_(*told.region) : u"outside of all regions"_qs;
    return u"\n%1: %2 % of the time around here"_qs.arg(name).arg(std::min(100.0, 100.0 * told.share), 0, 'f',
                                                                  0);
}

QString TimelineTexts::titleOf(std::uint32_t name) const {
    const QString unique = QString::fromStdString(picture_->marks.course->names()[name]);
    return metricNames_.value(unique, unique);
}

/// Which waits and operations are at a place, and whether the critical path is.
QString TimelineTexts::marksAt(int line, Ticks time) const {
    if (!picture_->marks.course) return {};
    const CoursePicture& marks = picture_->marks;
    const auto isHere = [&](const CourseMark& mark) {
        return lineOf(mark.location) == line && mark.begin <= time && time < mark.end;
    };
    const auto nameOfLocation = [this](std::uint32_t location) {
        return traceLocationName(definitions_, trace::LocationId(location));
    };
    QString text;
    for (const CourseMark& wait : marks.waits)
        if (isHere(wait)) {
            text += u"\n%1: %2"_qs.arg(titleOf(wait.name), lengthOf(wait.begin, wait.end));
            if (wait.other != kNobody) text += u", waits for "_qs + nameOfLocation(wait.other);
        }
    for (const CourseMark& part : marks.parts)
        if (isHere(part))
            text += u"\n%1: %2, the last to come was %3"_qs.arg(
                titleOf(part.name), lengthOf(part.begin, part.end), nameOfLocation(part.other));
    for (const OperationBundle& bundle : marks.operations) {
        const CourseMark& operation = bundle.operation;
        const auto first = lineOf(operation.location);
        const auto last = lineOf(operation.other);
        const bool isBand = marks.parts.empty() && first && last && *first <= line && line <= *last;
        if (isBand && operation.begin <= time && time < operation.end) text += operationText(bundle);
    }
    if (std::any_of(marks.path.begin(), marks.path.end(), isHere)) text += u"\non the critical path"_qs;
    return text;
}

QString TimelineTexts::operationText(const OperationBundle& bundle) const {
    const CourseMark& operation = bundle.operation;
    return bundle.count > 1 ? u"\n%1 collective operations, the first: %2 of %3"_qs.arg(bundle.count)
                                  .arg(titleOf(operation.name))
                                  .arg(operation.group)
                            : u"\n%1 of %2: %3"_qs.arg(titleOf(operation.name))
                                  .arg(operation.group)
                                  .arg(lengthOf(operation.begin, operation.end));
}

}  // namespace holos::gui
