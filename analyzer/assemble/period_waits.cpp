// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/wait_records.h"

#include <algorithm>
#include <optional>

#include "analyzer/patterns/list.h"

namespace holos::analyzer::assemble {

namespace {

using replay::Period;
using trace::Ticks;

/// More would make the result large, and are of no use.
constexpr std::size_t kMost = 200'000;

/// By unique name; in ticks, so that sums do not depend on their order.
using Waits = std::map<std::string, std::vector<Ticks>>;

/// The periods of each process, as its first thread has them; null where it has no events.
std::vector<const std::vector<Period>*> periodsOfProcesses(const replay::ReplayedCalls& calls) {
    std::vector<const std::vector<Period>*> periods(calls.definitions.processes.size(), nullptr);
    for (std::size_t i = 0; i < periods.size(); ++i) {
        const auto& threads = calls.definitions.processes[i].threads;
        if (threads.empty()) continue;
        const replay::LocationCalls& first = calls.locations[threads.front().index()];
        if (first.events != 0) periods[i] = &first.periods;
    }
    return periods;
}

std::size_t commonCount(const std::vector<const std::vector<Period>*>& periods) {
    std::optional<std::size_t> count;
    for (const auto* const of : periods)
        if (of != nullptr) count = std::min(count.value_or(of->size()), of->size());
    return count.value_or(0);
}

/// The number of the period in which a time lies; nothing outside of all.
std::optional<std::size_t> periodAt(const std::vector<Period>& periods, Ticks time) {
    const auto next = std::ranges::upper_bound(periods, time, {}, &Period::begin);
    if (next == periods.begin() || time > std::prev(next)->end) return std::nullopt;
    return static_cast<std::size_t>(std::prev(next) - periods.begin());
}

Waits waitsOf(const patterns::JudgedTrace& run, trace::LocationId location,
              const std::vector<Period>& periods, std::size_t count) {
    Waits waits;
    const auto note = [&](const patterns::SingleWait& wait) {
        const auto period = periodAt(periods, wait.begin);
        if (wait.wait <= 0 || !period || *period >= count) return;
        auto& sums = waits[wait.metric.uniqueName];
        sums.resize(count, 0);
        sums[*period] = patterns::wrappingSum(sums[*period], wait.wait);
    };
    patterns::visitAllWaits(run, location, note);
    return waits;
}

}  // namespace

algebra::PeriodWaits periodWaits(const patterns::JudgedTrace& run, const replay::ReplayedCalls& calls,
                                 workers::Workers& workers) {
    const auto periods = periodsOfProcesses(calls);
    const std::size_t count = commonCount(periods);
    algebra::PeriodWaits result;
    if (count == 0 || count > kMost) return result;
    std::vector<Ticks> lengths(count, 0);
    for (const auto* const of : periods)
        for (std::size_t i = 0; of != nullptr && i < count; ++i)
            lengths[i] = patterns::wrappingSum(lengths[i], (*of)[i].end - (*of)[i].begin);
    std::vector<Waits> byLocation(calls.locations.size());
    workers.forEach(byLocation.size(), [&](std::size_t i) {
        const auto* const of = periods[calls.definitions.locations[i].process.index()];
        if (of != nullptr) byLocation[i] = waitsOf(run, trace::LocationId(i), *of, count);
    });
    Waits all;
    for (const Waits& local : byLocation)
        for (const auto& [metric, ticks] : local) {
            auto& sums = all[metric];
            sums.resize(count, 0);
            for (std::size_t i = 0; i < count; ++i) sums[i] = patterns::wrappingSum(sums[i], ticks[i]);
        }
    const auto seconds = [&calls](const std::vector<Ticks>& ticks) {
        std::vector<double> values;
        for (const Ticks one : ticks) values.push_back(calls.definitions.seconds(one));
        return values;
    };
    result.lengths = seconds(lengths);
    for (const auto& [metric, ticks] : all) result.waits[metric] = seconds(ticks);
    return result;
}

}  // namespace holos::analyzer::assemble
