// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_layout.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

namespace holos::gui {
namespace {

/// In the order of ends, calls stand just before the one that contains them.
std::vector<bool> leavesOf(const std::vector<trace::Span>& spans) {
    std::vector<bool> leaves(spans.size(), true);
    for (std::size_t at = 1; at < spans.size(); ++at)
        leaves[at] = spans[at - 1].depth <= spans[at].depth || spans[at - 1].begin < spans[at].begin;
    return leaves;
}

using Times = std::vector<std::pair<trace::Ticks, trace::Ticks>>;

/// When the innermost call is one of those that belong.
Times timesOf(const std::vector<trace::Span>& spans, const std::vector<bool>& belongs) {
    std::vector<std::size_t> byBegin(spans.size());
    std::iota(byBegin.begin(), byBegin.end(), std::size_t{0});
    std::sort(byBegin.begin(), byBegin.end(), [&spans](std::size_t a, std::size_t b) {
        return std::pair(spans[a].begin, spans[a].depth) < std::pair(spans[b].begin, spans[b].depth);
    });
    Times times;
    std::vector<std::size_t> open;
    trace::Ticks from = 0;
    const auto add = [&](trace::Ticks to) {
        if (!open.empty() && to > from && belongs[open.back()]) {
            if (!times.empty() && times.back().second == from)
                times.back().second = to;
            else
                times.emplace_back(from, to);
        }
        from = std::max(from, to);
    };
    const auto leaveUntil = [&](trace::Ticks time) {
        while (!open.empty() && spans[open.back()].end <= time) {
            add(spans[open.back()].end);
            open.pop_back();
        }
    };
    for (const std::size_t next : byBegin) {
        leaveUntil(spans[next].begin);
        add(spans[next].begin);
        from = spans[next].begin;
        open.push_back(next);
    }
    leaveUntil(std::numeric_limits<trace::Ticks>::max());
    return times;
}

}  // namespace

TimelineRows::TimelineRows(TimelinePtr picture, const CallsInPart& part)
    : picture_(std::move(picture)), part_(part), calls_(picture_->rows.size()) {}

const TimelineRows::Calls& TimelineRows::calls(std::size_t at) const {
    if (calls_[at]) return *calls_[at];
    const std::vector<trace::Span>& spans = picture_->rows[at].excerpt.spans;
    Calls found;
    found.leaves = leavesOf(spans);
    const auto location = (*picture_->lines)[picture_->lineOf(at)].only();
    found.belongs = part_.of(spans, !location || part_.isFirstThread(*location));
    if (!part_.isEverything()) found.times = timesOf(spans, found.belongs);
    found.fromOutside.resize(spans.size());
    std::iota(found.fromOutside.begin(), found.fromOutside.end(), std::size_t{0});
    std::stable_sort(found.fromOutside.begin(), found.fromOutside.end(),
                     [&spans](std::size_t a, std::size_t b) { return spans[a].depth < spans[b].depth; });
    return calls_[at].emplace(std::move(found));
}

bool TimelineRows::belongs(std::size_t at, trace::Ticks time) const {
    if (!picture_ || part_.isEverything()) return true;
    const std::vector<trace::Span>& spans = picture_->rows[at].excerpt.spans;
    std::optional<std::size_t> innermost;
    for (std::size_t span = 0; span < spans.size(); ++span)
        if (spans[span].begin <= time && time < spans[span].end &&
            (!innermost || spans[span].depth >= spans[*innermost].depth))
            innermost = span;
    return !innermost || calls(at).belongs[*innermost];
}

Times TimelineRows::piecesOf(std::size_t at, trace::Ticks begin, trace::Ticks end) const {
    if (!picture_ || part_.isEverything() || picture_->rows[at].excerpt.spans.empty()) return {{begin, end}};
    const Times& times = calls(at).times;
    Times pieces;
    for (auto time = std::ranges::upper_bound(times, begin, {}, &Times::value_type::second);
         time != times.end() && time->first < end; ++time)
        pieces.emplace_back(std::max(begin, time->first), std::min(end, time->second));
    return pieces;
}

std::optional<bool> TimelineRows::callBelongs(std::size_t at, trace::Ticks begin, trace::Ticks end) const {
    const std::vector<trace::Span>& spans = picture_->rows[at].excerpt.spans;
    std::optional<bool> found;
    for (std::size_t span = 0; span < spans.size(); ++span)
        if (spans[span].begin == begin || spans[span].end == end)
            found = found.value_or(false) || calls(at).belongs[span];
    return found;
}

bool TimelineRows::isOfMoreThanPart() const {
    if (!picture_ || part_.isEverything()) return false;
    return std::ranges::any_of(picture_->rows, [](const TimelineRow& row) {
        return !row.stack && row.excerpt.spans.empty() && (!row.excerpt.bins.empty() || !row.shares.empty());
    });
}

namespace {

constexpr double kHighestLine = 30.0;
constexpr double kHighestZoomed = 80.0;
constexpr double kReadableLine = 16.0;
constexpr double kLowestAlone = 3.0;      ///< of a location with a line of its own
constexpr double kLowestShared = 2.0;     ///< of a line of several
constexpr double kLowestOfGroups = 16.0;  ///< each has its name
constexpr double kLowestToRead = 9.0;
constexpr double kLowestOfVeryFew = 18.0;  ///< each has its name, and can be opened
constexpr std::size_t kVeryFew = 16;
constexpr double kLowestOfFew = 12.0;  ///< so that names and calls can be read; the others are scrolled to
constexpr std::size_t kFew = 48;
constexpr std::uint32_t kFirstDepth = 4;
constexpr std::uint32_t kDeepest = 40;  ///< lines of a stack

}  // namespace

void TimelineLayout::setTrace(DefinitionsPtr definitions) {
    definitions_ = std::move(definitions);
    shown_.clear();
    open_.clear();
    pinned_.clear();
    grouping_ = TimelineGrouping::Threads;
    folded_.clear();
    chosen_.reset();
    makeLines();
}

void TimelineLayout::setShown(ShownLocations shown) {
    shown_ = std::move(shown);
    makeLines();
}

void TimelineLayout::toggleStack(trace::LocationId location) {
    if (open_.erase(location.index()) == 0) {
        open_.emplace(location.index(), kFirstDepth);
        chosen_ = std::max(lineHeight_, kReadableLine);
    } else if (open_.empty()) {
        chosen_.reset();
    }
    makeLines();
}

void TimelineLayout::setPinned(PinnedLocations pinned) {
    pinned_ = std::move(pinned);
    makeLines();
}

bool TimelineLayout::isPinned(trace::LocationId location) const {
    return std::ranges::find(pinned_, location.index()) != pinned_.end();
}

/// Of those that have lines.
PinnedLocations TimelineLayout::pinnedHere() const {
    PinnedLocations here;
    std::ranges::copy_if(pinned_, std::back_inserter(here),
                         [this](std::size_t at) { return shown_.empty() || shown_[at]; });
    return here;
}

std::vector<std::size_t> TimelineLayout::openStacks() const {
    std::vector<std::size_t> locations;
    for (const auto& [location, depth] : open_) locations.push_back(location);
    return locations;
}

bool TimelineLayout::setStackDepth(trace::LocationId location, std::uint32_t depth) {
    const auto open = open_.find(location.index());
    if (open == open_.end() || open->second >= std::min(depth, kDeepest)) return false;
    open->second = std::min(depth, kDeepest);
    makeLines();
    return true;
}

void TimelineLayout::setHeight(int pixels) {
    if (height_ == std::max(1, pixels)) return;
    height_ = std::max(1, pixels);
    makeLines();
}

void TimelineLayout::setGrouping(TimelineGrouping grouping) {
    grouping_ = grouping;
    folded_.clear();
    chosen_.reset();
    makeLines();
    if (count() * kLowestOfGroups <= height_ || !definitions_) return;
    for (std::size_t group = 0; group < groupsOf(*definitions_, grouping); ++group) folded_.insert(group);
    makeLines();
}

void TimelineLayout::toggleFold(std::size_t group) {
    if (!folded_.insert(group).second) folded_.erase(group);
    makeLines();
}

double TimelineLayout::fitting() const {
    const bool isFlat = grouping_ == TimelineGrouping::Threads;
    const std::size_t all = isFlat ? countOf(shown_, *definitions_) : static_cast<std::size_t>(count());
    const std::size_t lines = all - std::min(all, pinnedHere().size());
    const double left = height_ - static_cast<double>(frozen_) * kLowestOfVeryFew;
    const double fits = std::max(left, 1.0) / static_cast<double>(std::max<std::size_t>(lines, 1));
    const double lowest = !isFlat             ? kLowestOfGroups
                          : lines <= kVeryFew ? kLowestOfVeryFew
                          : lines <= kFew     ? kLowestOfFew
                                              : 0.0;
    return std::min(std::max(fits, lowest), kHighestLine);
}

bool TimelineLayout::zoom(double factor) {
    if (!definitions_) return false;
    const double fits = fitting();
    const double now = chosen_.value_or(fits);
    const double wanted = std::clamp(now * factor, fits, std::max(fits, kHighestZoomed));
    if (wanted == now) return false;
    chosen_ = wanted;
    makeLines();
    return true;
}

bool TimelineLayout::makeReadable() {
    const bool isReadable = lineHeight_ >= kReadableLine && together_ == 0;
    if (!definitions_ || isReadable || (fitting() >= kLowestToRead && fitting() > kLowestOfFew)) return false;
    chosen_ = kReadableLine;
    makeLines();
    return true;
}

void TimelineLayout::makeLines() {
    together_ = 0;
    frozen_ = 0;
    if (!definitions_) return setLines({});
    freeze();
    if (grouping_ != TimelineGrouping::Threads) {
        setLines(TimelineLines(*definitions_, grouping_, folded_, shown_, open_, pinnedHere()));
        lineHeight_ = chosen_.value_or(fitting());
        frozenLine_ = std::max(lineHeight_, kLowestOfVeryFew);
        return;
    }
    const double each = chosen_.value_or(fitting());
    if (each < kLowestAlone)
        while (std::ldexp(each, static_cast<int>(together_)) < kLowestShared) ++together_;
    setLines(TimelineLines(*definitions_, together_, shown_, open_, pinnedHere()));
    lineHeight_ = std::ldexp(each, static_cast<int>(together_));
    frozenLine_ = std::max(lineHeight_, kLowestOfVeryFew);
}

/// How many lines stay at the top.
void TimelineLayout::freeze() {
    const double most = std::floor(height_ / 2.0 / std::max(chosen_.value_or(0.0), kLowestOfVeryFew));
    std::size_t pinned = 0;
    for (const std::size_t location : pinnedHere()) {
        const auto stack = open_.find(location);
        pinned += 1 + (stack == open_.end() ? 0 : stack->second);
    }
    frozen_ = std::min(static_cast<int>(pinned), static_cast<int>(most));
}

/// Equal ones stay the same.
void TimelineLayout::setLines(TimelineLines lines) {
    if (lines != *lines_) lines_ = std::make_shared<const TimelineLines>(std::move(lines));
}

int TimelineLayout::total() const {
    return static_cast<int>(std::ceil(frozen_ * frozenLine_ + (count() - frozen_) * lineHeight_));
}

int TimelineLayout::top(int line) const {
    const int pinned = std::min(line, frozen_);
    return static_cast<int>(std::lround(pinned * frozenLine_ + (line - pinned) * lineHeight_));
}

std::optional<int> TimelineLayout::lineAt(int pixel) const {
    if (pixel < 0 || count() == 0) return std::nullopt;
    const double below = pixel + 0.5 - frozen_ * frozenLine_;
    const int line = below < 0.0 ? static_cast<int>((pixel + 0.5) / frozenLine_)
                                 : frozen_ + static_cast<int>(below / lineHeight_);
    return line < count() ? std::optional(line) : std::nullopt;
}

}  // namespace holos::gui
