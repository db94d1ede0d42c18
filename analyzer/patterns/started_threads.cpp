// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/patterns/started_threads.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace holos::analyzer::patterns {

namespace {

/// How long threads that are started at one place are there, and wait to be given something to do.
struct Pool {
    Ticks lifetime = 0;
    Ticks waiting = 0;

    bool serves() const {
        constexpr double kNearlyAlways = 0.95;
        return static_cast<double>(waiting) > kNearlyAlways * static_cast<double>(lifetime);
    }
};

Ticks waitingForWork(const LocationWaits& waits, const replay::ThreadRecords& records) {
    Ticks sum = 0;
    for (const replay::Timeout& timeout : records.timeouts) sum += timeout.end - timeout.begin;
    for (const Dependency& wait : waits.dependencies)
        if (wait.kind == Kind::PthreadCondition || wait.kind == Kind::PthreadSemaphore ||
            wait.kind == Kind::Futex)
            sum += wait.wait;
    return sum;
}

}  // namespace

std::vector<std::uint32_t> placesOfStart(const replay::ReplayedTrace& trace) {
    const std::size_t locations = trace.locations.size();
    std::map<std::tuple<std::uint32_t, replay::NodeId>, std::uint32_t> places;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> placeOf;  // by thread
    for (std::uint32_t location = 0; location < locations; ++location)
        for (const replay::ThreadStart& start : trace.locations[location].threads.starts) {
            if (start.begins) continue;
            const auto number = static_cast<std::uint32_t>(places.size());
            placeOf[{start.contingent, start.number}] =
                places.try_emplace({location, start.node}, number).first->second;
        }
    std::vector<std::uint32_t> numbers(locations, kNone);
    for (std::uint32_t location = 0; location < locations; ++location)
        for (const replay::ThreadStart& start : trace.locations[location].threads.starts) {
            if (!start.begins) continue;
            const auto found = placeOf.find({start.contingent, start.number});
            if (found != placeOf.end()) numbers[location] = found->second;
        }
    return numbers;
}

std::vector<StartedThread> startedThreads(
    const replay::ReplayedTrace& trace,
    const std::function<const LocationWaits&(std::uint32_t location)>& waitsOf) {
    std::vector<StartedThread> threads;
    for (std::uint32_t location = 0; location < trace.locations.size(); ++location) {
        const replay::ThreadRecords& records = trace.locations[location].threads;
        const auto begin = std::ranges::find(records.starts, true, &replay::ThreadStart::begins);
        const auto end = std::ranges::find(records.ends, false, &replay::ThreadEnd::joins);
        if (begin == records.starts.end() || end == records.ends.end()) continue;
        threads.push_back({location, begin->contingent, begin->time, end->time});
    }
    if (threads.empty()) return threads;
    const std::vector<std::uint32_t> places = placesOfStart(trace);
    std::map<std::pair<std::uint32_t, std::uint32_t>, Pool> pools;  // one that is in none stands alone
    const auto poolOf = [&](const StartedThread& thread) -> Pool& {
        const std::uint32_t place = places[thread.location];
        return pools[{place, place == kNone ? thread.location : kNone}];
    };
    for (const StartedThread& thread : threads) {
        Pool& pool = poolOf(thread);
        pool.lifetime += thread.end - thread.begin;
        pool.waiting += waitingForWork(waitsOf(thread.location), trace.locations[thread.location].threads);
    }
    std::erase_if(threads, [&](const StartedThread& thread) { return poolOf(thread).serves(); });
    return threads;
}

}  // namespace holos::analyzer::patterns
