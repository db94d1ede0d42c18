// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/read_trace.h"

#include <algorithm>
#include <optional>

#include "analyzer/delivery/event_source.h"
#include "analyzer/replay/location_replay.h"
#include "analyzer/replay/requests.h"
#include "base/packing.h"

namespace holos::analyzer {

namespace {

using trace::LocationId;

constexpr std::uint64_t kReports = 200;

/// Announces the end of a location's forks even when its replay throws, so that nobody waits for ever.
class FinishGuard {
  public:
    FinishGuard(replay::TeamBoard& board, LocationId location) : board_(board), location_(location) {}
    ~FinishGuard() { board_.finish(location_); }
    FinishGuard(FinishGuard&&) = delete;

  private:
    replay::TeamBoard& board_;
    LocationId location_;
};

void store(replay::ReplayedLocation location, LocationId id, Replay& result) {
    if (!location.diagnoses.empty()) result.diagnoses.put(id.index(), std::move(location.diagnoses));
    if (location.isNothing()) return;
    result.calls.put(id.index(), std::move(location.calls));
    result.traces.put(id.index(), std::move(location.trace));
}

using Take = std::function<void(LocationId, replay::ReplayedLocation)>;

void replayEach(const Reading& reading, const replay::Context& context,
                const std::vector<LocationId>& locations, const Take& take) {
    reading.workers.forEach(locations.size(), [&](std::size_t i) {
        take(locations[i], readLocation(reading, context, locations[i]));
    });
}

std::vector<LocationId> ownOf(const Reading& reading, const std::vector<LocationId>& locations) {
    std::vector<LocationId> own;
    for (const LocationId location : locations)
        if (reading.shares.readerOf(location) == reading.ranks.self()) own.push_back(location);
    return own;
}

/// What each rank knows becomes known to all.
std::vector<replay::ClassTime> gather(workers::Ranks& ranks, std::vector<replay::ClassTime> own) {
    const auto send = [&](unsigned to) {
        Packer packer;
        packer.list(own);
        ranks.send(to, packer.take());
    };
    const auto receive = [&](unsigned from) {
        std::vector<replay::ClassTime> times;
        Unpacker(ranks.receive(from)).list(times);
        return times;
    };
    if (!ranks.isFirst()) {
        send(0);
        return receive(0);
    }
    for (unsigned rank = 1; rank < ranks.count(); ++rank) {
        const std::vector<replay::ClassTime> others = receive(rank);
        own.insert(own.end(), others.begin(), others.end());
    }
    for (unsigned rank = 1; rank < ranks.count(); ++rank) send(rank);
    return own;
}

bool areSomeReadForThreads(const trace::Definitions& definitions) {
    return std::ranges::any_of(definitions.metricClasses,
                               [](const trace::MetricClass& each) { return !each.readFor.empty(); });
}

replay::ReplayedLocation takeOut(LocationId id, const Reading& reading, Replay& result) {
    replay::ReplayedLocation location(reading.memory);
    if (result.calls.has(id.index()))
        location = {std::move(result.calls.own(id.index())), std::move(result.traces.own(id.index()))};
    if (result.diagnoses.has(id.index())) location.diagnoses = result.diagnoses.take(id.index());
    return location;
}

void bringToFirst(const Reading& reading, Replay& result) {
    const auto exchange = [&](unsigned rank) {
        for (const LocationId location : reading.shares.of(rank))
            if (reading.ranks.isFirst())
                store(replay::unpack(reading.ranks.receive(rank), reading.memory), location, result);
            else
                reading.ranks.send(0, replay::pack(takeOut(location, reading, result)));
    };
    if (!reading.ranks.isFirst()) return exchange(reading.ranks.self());
    for (unsigned rank = 1; rank < reading.ranks.count(); ++rank) exchange(rank);
}

}  // namespace

ProgressMeter::ProgressMeter(const std::function<void(const AnalysisProgress&)>& report,
                             const trace::Definitions& definitions, const std::vector<LocationId>& locations,
                             unsigned readings, const std::atomic<bool>* stopped)
    : report_(report), stopped_(stopped) {
    for (const LocationId location : locations) total_ += definitions[location].events;
    total_ *= readings;
}

void ProgressMeter::advance(std::uint64_t events) {
    throwIfStopped(stopped_);
    if (!report_) return;
    const std::lock_guard lock(mutex_);
    done_ += events;
    if (total_ == 0 || done_ < nextReport_) return;
    nextReport_ = done_ + total_ / kReports;
    report_({0.9 * std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_)), done_});
}

void ProgressMeter::finish() {
    if (report_) report_({1.0, done_});
}

replay::ReplayedLocation readLocation(const Reading& reading, const replay::Context& context,
                                      LocationId location) {
    const FinishGuard guard(context.board, location);
    replay::LocationReplay replay(context, location, reading.clockOf ? reading.clockOf(location) : nullptr);
    if (replay::CallListener* const listener = reading.listenerOf ? reading.listenerOf(location) : nullptr)
        replay.calls().tell(*listener);
    const trace::ReadOutcome outcome = delivery::readEvents(
        reading.anchor, context.definitions, location, replay,
        [&](std::uint64_t events) { reading.meter.advance(events); },
        reading.passedOf ? reading.passedOf(location) : std::vector<trace::QuietCalls>{}, reading.shortened);
    if (outcome.problem) replay.calls().complain(Trouble::DamagedFile, *outcome.problem, 0, 0);
    return replay.finish(outcome.events);
}

void replayShare(const Reading& reading, const trace::Definitions& definitions,
                 const std::vector<trace::RegionClass>& classes, const Take& take) {
    const std::vector<LocationId> order = replay::replayOrder(definitions);
    replay::TeamBoard board(definitions, order);
    const replay::Context context{definitions, classes, board, reading.withProfiles, reading.memory};
    replayEach(reading, context, ownOf(reading, order), take);
}

Replay readTrace(const Reading& reading, const trace::Definitions& definitions,
                 const std::vector<trace::RegionClass>& classes) {
    Replay result;
    const Take take = [&](LocationId id, replay::ReplayedLocation location) {
        store(std::move(location), id, result);
    };
    const auto isReader = [&](LocationId location) {
        return definitions[location].kind == trace::Location::Kind::Metric;
    };
    const bool isDivided = reading.withCounters && areSomeReadForThreads(definitions);
    std::vector<LocationId> order;
    std::optional<replay::Context> context;
    std::vector<LocationId> readers, threads;
    std::vector<replay::ClassTime> times;
    reading.ranks.agree([&] {
        const std::size_t count = definitions.locations.size();
        result.calls = ByLocation<replay::LocationCalls>(count);
        result.traces = ByLocation<replay::LocationTrace>(count, reading.memory);
        result.diagnoses = ByLocation<std::vector<Diagnosis>>(count);
        order = replay::replayOrder(definitions);
        // When counters were read is where the time of these threads is cut. Nobody who reads waits for a
        // thread.
        const auto end =
            isDivided ? std::stable_partition(order.begin(), order.end(), isReader) : order.begin();
        result.forks = std::make_unique<replay::TeamBoard>(definitions, order);
        context.emplace(
            replay::Context{definitions, classes, *result.forks, reading.withProfiles, reading.memory});
        readers = ownOf(reading, {order.begin(), end});
        threads = ownOf(reading, {end, order.end()});
        replayEach(reading, *context, readers, take);
        times = replay::classTimes(result.calls);
    });
    if (isDivided) times = gather(reading.ranks, std::move(times));
    reading.ranks.agree([&] {
        context->readingTimes = replay::ReadingTimes(definitions, times);
        replayEach(reading, *context, threads, take);
    });
    bringToFirst(reading, result);
    if (reading.ranks.isFirst())
        replay::joinRequests(definitions, result.traces, result.diagnoses, reading.workers);
    return result;
}

}  // namespace holos::analyzer
