// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/events/event_index.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace holos::gui {

namespace {

/// Of a number's 52 binary digits, those that make no other class: values of a class differ by less than one
/// in four thousand.
constexpr int kDropped = 40;
/// Rows of so many classes are sorted together.
constexpr std::uint64_t kSortedTogether = 200'000;

constexpr std::size_t kMostTexts = std::size_t{32} << 20U;  ///< bytes

QString quoted(const std::string& text) {
    return u"'%1'"_qs.arg(QString::fromStdString(text).replace(u"'"_qs, u"''"_qs));
}

QString allDigits(double number) {
    return QString::number(number, 'g', 17);
}

}  // namespace

void EventIndex::add(double value, std::uint64_t rows) {
    value += 0.0;  // negative zero is zero
    const auto [known, isNew] = found_.try_emplace(std::bit_cast<std::uint64_t>(value) >> kDropped);
    Class& one = known->second;
    one.least = isNew ? value : std::min(one.least, value);
    one.most = isNew ? value : std::max(one.most, value);
    one.rows += rows;
}

void EventIndex::add(const std::string& text) {
    if (isTooLarge_) return;
    const auto [known, isNew] = texts_.try_emplace(text, 0);
    ++known->second;
    if (isNew) sizeOfTexts_ += text.size() + sizeof(Class);
    isTooLarge_ = sizeOfTexts_ > kMostTexts;
    if (isTooLarge_) texts_.clear();
}

EventIndex EventIndex::ofRows(std::uint64_t rows) {
    EventIndex index({}, false, false);
    index.classes_.push_back({.rows = rows});
    index.total_ = rows;
    return index;
}

void EventIndex::finish() {
    for (const auto& [digits, one] : found_) classes_.push_back(one);
    found_.clear();
    std::sort(classes_.begin(), classes_.end(),
              [](const Class& one, const Class& other) { return one.least < other.least; });
    for (const auto& [text, rows] : std::exchange(texts_, {}))
        classes_.push_back({.text = text, .isText = true, .rows = rows});
    if (nothing_ > 0) classes_.insert(classes_.begin(), Class{.rows = nothing_, .isNothing = true});
    if (largestFirst_) std::reverse(classes_.begin(), classes_.end());
    for (Class& one : classes_) {
        one.first = total_;
        total_ += one.rows;
    }
}

/// Where there is nothing to sort, or so much that it is not sorted with others.
bool EventIndex::standsAlone(const Class& one) const {
    return one.isNothing || (isSorted_ && one.rows > kSortedTogether);
}

QString EventIndex::conditionOf(const Class& first, const Class& last) const {
    if (column_.isEmpty()) return {};
    if (first.isNothing) return column_ + u" IS NULL"_qs;
    if (first.isText && first.text == last.text) return u"%1 = "_qs.arg(column_) + quoted(first.text);
    if (first.isText)
        return u"%1 BETWEEN "_qs.arg(column_) + quoted(std::min(first.text, last.text)) + u" AND "_qs +
               quoted(std::max(first.text, last.text));
    const double least = std::min(first.least, last.least);
    const double most = std::max(first.most, last.most);
    if (least == most) return u"%1 = %2"_qs.arg(column_, allDigits(least));
    return u"%1 BETWEEN %2 AND %3"_qs.arg(column_, allDigits(least), allDigits(most));
}

std::vector<EventIndex::Part> EventIndex::partsOf(std::uint64_t first, std::uint64_t count) const {
    std::vector<Part> parts;
    const std::uint64_t end = std::min(total_, first + count);
    auto at =
        std::ranges::upper_bound(classes_, first, {}, [](const Class& one) { return one.first + one.rows; });
    while (at != classes_.end() && first < end) {
        auto last = at;
        const auto behind = [&last] { return last->first + last->rows; };
        if (!standsAlone(*at))
            while (behind() < end && std::next(last) != classes_.end() && !standsAlone(*std::next(last)) &&
                   behind() - at->first < kSortedTogether)
                ++last;
        const std::uint64_t next = std::min(end, behind());
        const bool isOneValue = at->isNothing || (last == at && at->least == at->most);
        parts.push_back({.condition = conditionOf(*at, *last),
                         .isSorted = isSorted_ && !isOneValue,
                         .skipped = first - at->first,
                         .count = next - first});
        first = next;
        at = std::next(last);
    }
    return parts;
}

}  // namespace holos::gui
