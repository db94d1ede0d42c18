// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/counter_recorder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace holos::analyzer::replay {

void GrowthRecorder::passTo(const ReadingMoment& moment) {
    part_ = partTo(moment);
    last_ = moment;
    if (part_ == 0) return;
    if (growths_.ends.empty() || (inLast_ >= readings_ && growths_.ends.back() != moment.time)) {
        if (growths_.ends.size() == kMost) joinNeighbours();
        growths_.ends.push_back(moment.time);
        growths_.values.resize(growths_.values.size() + members_);
        inLast_ = 0;
    }
    growths_.ends.back() = moment.time;
    ++inLast_;
}

double GrowthRecorder::partTo(const ReadingMoment& moment) const {
    if (moment.isCounted && last_.isCounted) return 1;
    // Recorded times may lie anywhere.
    const double whole = static_cast<double>(moment.recorded) - static_cast<double>(last_.recorded);
    if (!(whole > 0)) return moment.isCounted ? 1 : 0;
    return static_cast<double>(moment.time - last_.time) / whole;
}

void GrowthRecorder::add(std::size_t member, double value) {
    if (part_ != 0 && std::isfinite(value))
        growths_.values[growths_.values.size() - members_ + member] += part_ * value;
}

void GrowthRecorder::joinNeighbours() {
    const std::size_t joined = kMost / 2;
    for (std::size_t i = 0; i < joined; ++i) {
        growths_.ends[i] = growths_.ends[2 * i + 1];
        for (std::size_t member = 0; member < members_; ++member)
            growths_.values[i * members_ + member] =
                growths_.values[2 * i * members_ + member] + growths_.values[(2 * i + 1) * members_ + member];
    }
    growths_.ends.resize(joined);
    growths_.values.resize(joined * members_);
    readings_ *= 2;
}

using trace::MetricMode;
using trace::MetricType;

namespace {

constexpr std::size_t kNoSeries = ~std::size_t{0};

/// What is not a number would make every sum that it is part of none either.
bool isFinite(const trace::MetricMember& member, CounterValue value) {
    return member.type != MetricType::Real || std::isfinite(value.real);
}

bool isLarger(MetricType type, CounterValue a, CounterValue b) {
    switch (type) {
        case MetricType::Real:
            return a.real > b.real;
        case MetricType::Signed:
            return a.integer > b.integer;
        case MetricType::Unsigned:
            break;
    }
    return static_cast<std::uint64_t>(a.integer) > static_cast<std::uint64_t>(b.integer);
}

/// Notes a value where it is the first or the largest one of the call path.
template <class Series>
void keepLargest(Series& series, std::size_t node, MetricType type, CounterValue value) {
    if (series.seen[node] == 0 || isLarger(type, value, series.values[node])) series.values[node] = value;
    series.seen[node] = 1;
}

}  // namespace

CounterRecorder::State& CounterRecorder::stateOf(trace::MetricClassId metricClass, std::size_t position) {
    if (states_.empty()) {
        states_.resize(definitions_.metricClasses.size());
        seriesOfMember_.resize(definitions_.metricMembers.size(), kNoSeries);
    }
    auto& states = states_[metricClass.index()];
    if (states.empty())
        for (const trace::MemberId member : definitions_.metricClasses[metricClass.index()].members) {
            auto& series = seriesOfMember_[member.index()];
            if (series == kNoSeries) {
                series = records_.series.size();
                records_.series.push_back({.member = member});
            }
            states.push_back({series, {}, false});
        }
    return states[position];
}

void CounterRecorder::record(NodeId node, const ReadingMoment& moment, trace::MetricClassId metricClass,
                             const CounterValue* values, std::size_t count) {
    const trace::MetricClass& read = definitions_.metricClasses[metricClass.index()];
    GrowthRecorder* const growths = isReader_ && !read.readFor.empty() ? &growthsOf(metricClass) : nullptr;
    if (growths) growths->passTo(moment);
    for (std::size_t i = 0; i < std::min(count, read.members.size()); ++i) {
        if (!isFinite(definitions_.metricMembers[read.members[i].index()], values[i])) continue;
        State& state = stateOf(metricClass, i);
        if (moment.isCounted) noteLevel(records_.series[state.series], node, values[i]);
        const std::optional<CounterValue> growth = grown(state, values[i]);
        if (!growth) continue;
        const trace::MetricMember& member = definitions_.metricMembers[read.members[i].index()];
        if (growths && member.mode != MetricMode::Absolute)
            growths->add(i, growthOf(member, *growth));
        else if (moment.isCounted)
            book(records_.series[state.series], node, *growth);
    }
}

GrowthRecorder& CounterRecorder::growthsOf(trace::MetricClassId metricClass) {
    const std::size_t members = definitions_.metricClasses[metricClass.index()].members.size();
    return growths_.try_emplace(metricClass.index(), metricClass, members, begin_).first->second;
}

double CounterRecorder::growthOf(const trace::MetricMember& member, CounterValue value) {
    if (member.type == MetricType::Real) return value.real * member.scale;
    // Between two readings a counter may also have begun anew, or gone down.
    const bool isSigned =
        member.type == MetricType::Signed || member.mode == MetricMode::AccumulatedSinceStart;
    return (isSigned ? static_cast<double>(value.integer)
                     : static_cast<double>(static_cast<std::uint64_t>(value.integer))) *
           member.scale;
}

CounterRecords CounterRecorder::take() {
    for (auto& [metricClass, growths] : growths_) records_.growths.push_back(growths.take());
    return std::move(records_);
}

void CounterRecorder::noteGrowth(CounterSeries& series, double growth) {
    if (growth < 0)
        series.fallen -= growth;
    else
        series.risen += growth;
}

void CounterRecorder::noteLevel(CounterSeries& series, NodeId node, CounterValue value) const {
    const trace::MetricMember& member = definitions_.metricMembers[series.member.index()];
    if (member.mode != MetricMode::AccumulatedSinceStart) return;
    makeRoom(series.levels, node);
    keepLargest(series.levels, node.index(), member.type, value);
}

std::optional<CounterValue> CounterRecorder::grown(State& state, CounterValue value) {
    CounterSeries& series = records_.series[state.series];
    const trace::MetricMember& member = definitions_.metricMembers[series.member.index()];
    if (member.mode != MetricMode::AccumulatedSinceStart) return value;
    const CounterValue last = std::exchange(state.last, value);
    // What was counted before the first reading belongs to no call path.
    if (!std::exchange(state.hasLast, true)) return std::nullopt;
    if (member.type == MetricType::Real) {
        noteGrowth(series, value.real - last.real);
        return CounterValue{.real = value.real - last.real};
    }
    const auto growth = static_cast<std::int64_t>(static_cast<std::uint64_t>(value.integer) -
                                                  static_cast<std::uint64_t>(last.integer));
    noteGrowth(series, static_cast<double>(growth));
    return CounterValue{.integer = growth};
}

void CounterRecorder::book(CounterSeries& series, NodeId node, CounterValue value) {
    const trace::MetricMember& member = definitions_.metricMembers[series.member.index()];
    const bool real = member.type == MetricType::Real;
    makeRoom(series, node);
    CounterValue& slot = series.values[node.index()];
    if (series.seen[node.index()] == 0) {
        slot = value;
        series.seen[node.index()] = 1;
    } else if (member.mode == MetricMode::Absolute) {
        keepLargest(series, node.index(), member.type, value);
    } else if (real) {
        slot.real += value.real;
    } else {
        slot.integer = static_cast<std::int64_t>(static_cast<std::uint64_t>(slot.integer) +
                                                 static_cast<std::uint64_t>(value.integer));
    }
}

template <class Series>
void CounterRecorder::makeRoom(Series& series, NodeId node) {
    if (series.values.size() > node.index()) return;
    series.values.resize(node.index() + 1, CounterValue{.integer = 0});
    series.seen.resize(node.index() + 1, 0);
}

void CounterRecorder::share(std::span<const Part> parts) {
    for (CounterSeries& series : records_.series) {
        const trace::MetricMember& member = definitions_.metricMembers[series.member.index()];
        if (member.mode != MetricMode::AccumulatedSinceStart) continue;
        const std::vector<CounterValue> counted = series.values;
        const std::vector<char> seen = series.seen;
        for (const Part& part : parts) {
            if (part.from.index() >= seen.size() || seen[part.from.index()] == 0) continue;
            makeRoom(series, part.to);
            move(series, part, counted[part.from.index()], member.type == MetricType::Real);
        }
    }
}

void CounterRecorder::move(CounterSeries& series, const Part& part, CounterValue counted, bool isReal) {
    CounterValue& from = series.values[part.from.index()];
    CounterValue& to = series.values[part.to.index()];
    if (series.seen[part.to.index()] == 0) to = CounterValue{.integer = 0};
    series.seen[part.to.index()] = 1;
    if (isReal) {
        to.real += counted.real * part.share;
        from.real -= counted.real * part.share;
    } else if (counted.integer > 0) {
        const auto moved = static_cast<std::int64_t>(static_cast<double>(counted.integer) * part.share);
        to.integer += moved;
        from.integer -= moved;
    }
}

}  // namespace holos::analyzer::replay
