// SPDX-License-Identifier: BSD-3-Clause
//
// Unexplained waiting: what calls of MPI take beyond all waits that other patterns find in them, and beyond
// what such calls cost in this run.
//
//   rank 0  ──┤Send ├────────┤Send ├────────┤Send ················├──    cost: the usual time of such calls
//             └─cost┘                       └─cost┘└─ unexplained ┘
//
// Such calls do the same with about as many bytes. What a quarter of them do not need longer for is the cost.
// Few of a kind have none: for these it is reckoned from the latency of small messages, generously. A call
// that takes up to three times its cost has nothing unexplained: times vary. Files are left out: nobody knows
// what they cost.
//
// Waiting for processors: what such calls take beyond all waits, as far as the thread could run meanwhile and
// had no processor. While it waits for others, it needs none. Where it may have waited for one that was
// outside of MPI, and that is not known, its time without a processor is unexplained, whatever such calls
// cost: all of them may wait.
//
//   rank 0  ──┤Recv ·········│    │├──
//             └─ late sender ┘└──┘ had no processor
//
#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

constexpr const char* kDescription =
    "Time in these calls that no wait state explains, and that is much longer than such calls take in this "
    "run otherwise. A partner may have computed outside of MPI while it was needed, a process may have had "
    "no processor, or the network was slow.";

Metric unexplainedBelow(const char* parent, const char* name) {
    return {.parent = parent,
            .uniqueName = name,
            .displayName = "Unexplained Waiting",
            .description = kDescription};
}

const Metric kOfMessages = unexplainedBelow("mpi_point2point", "mpi_point2point_unexplained");
const Metric kOfCollectives = unexplainedBelow("mpi_collective", "mpi_collective_unexplained");
const Metric kOfBarriers = unexplainedBelow("mpi_sync_collective", "mpi_sync_collective_unexplained");
const Metric kOfCommunicators = unexplainedBelow("mpi_mgmt_comm", "mpi_mgmt_comm_unexplained");

const Metric kOfEpochs = unexplainedBelow("mpi_rma_sync_active", "mpi_rma_sync_active_unexplained");

const Metric kShortageInMessages = shortageBelow("mpi_point2point", "mpi_point2point_processor_waiting");
const Metric kShortageInCollectives = shortageBelow("mpi_collective", "mpi_collective_processor_waiting");
const Metric kShortageInBarriers =
    shortageBelow("mpi_sync_collective", "mpi_sync_collective_processor_waiting");

using replay::Collective;
using replay::CollectiveRecord;
using replay::PollRecord;
using trace::CallKind;
using trace::TimeClass;

/// What a call does, as far as its cost depends on it.
struct Work {
    const Metric* metric = nullptr;  ///< null where its cost is not judged
    std::uint32_t kind = 0;
    std::uint64_t bytes = 0;
    Ticks explained = 0;
    Ticks doubtful = 0;  ///< beyond that it may have waited, too
    Ticks shortage = 0;  ///< of processors; some of it may be explained, too
    replay::NodeId nodeOfShortage;
    const Metric* shortageMetric = nullptr;    ///< null for calls of other kinds
    std::uint32_t collective = replay::kNone;  ///< position of its record, where it has a completion
    Ticks completion = 0;

    std::uint64_t costs() const { return std::uint64_t{kind} << 8U | std::uint64_t(std::bit_width(bytes)); }
};

bool isJudged(CallKind kind) {
    switch (kind) {
        case CallKind::OtherMpi:
        case CallKind::Send:
        case CallKind::BufferedSend:
        case CallKind::Wait:
        case CallKind::Waitany:
        case CallKind::WaitSeveral:
            return true;
        default:
            return false;
    }
}

/// Calls that do, of messages and of other operations, count among those of messages.
bool completesRequests(CallKind kind) {
    return trace::isWait(kind) || kind == CallKind::Test;
}

const Metric* metricOf(Collective operation) {
    if (operation == Collective::Barrier) return &kOfBarriers;
    if (operation < Collective::Other) return &kOfCollectives;
    return replay::isOfCommunicators(operation) ? &kOfCommunicators : nullptr;
}

const Metric* shortageMetricOfOperation(Collective operation) {
    if (operation == Collective::Barrier) return &kShortageInBarriers;
    if (operation < Collective::Other) return &kShortageInCollectives;
    return nullptr;
}

/// Of calls that have no record by which it is known: those that begin what others complete, for one.
const Metric* shortageMetricWithin(TimeClass within) {
    switch (within) {
        case TimeClass::MpiPointToPoint:
            return &kShortageInMessages;
        case TimeClass::MpiCollective:
            return &kShortageInCollectives;
        case TimeClass::MpiSyncCollective:
            return &kShortageInBarriers;
        default:
            return shortageMetricOf(within);
    }
}

/// Of calls whose time without a processor is this metric; null for other calls.
const Metric* unexplainedBeside(const Metric* shortage) {
    if (shortage == &kShortageInMessages) return &kOfMessages;
    if (shortage == &kShortageInCollectives) return &kOfCollectives;
    if (shortage == shortageMetricOf(TimeClass::MpiRmaActive)) return &kOfEpochs;
    return shortage == &kShortageInBarriers ? &kOfBarriers : nullptr;
}

/// By call of a location; the last one is of those that have none.
std::vector<Work> worksOf(const matching::MatchedTrace& run, trace::LocationId location,
                          const LocationFindings& found) {
    const LocationWaits& waits = found.waits;
    const auto& messages = run.trace[location].messages;
    std::vector<Work> works(messages.calls.size() + 1);
    const auto workOf = [&](std::uint32_t call) -> Work& {
        return works[std::min<std::size_t>(call, messages.calls.size())];
    };
    constexpr std::uint32_t kSends = 1, kReceives = 2, kFirstKind = 2, kFirstOperation = 8;
    const auto moves = [&](std::uint32_t call, std::uint32_t way, std::uint64_t bytes) {
        if (call >= messages.calls.size()) return;
        Work& work = works[call];
        work.metric = isJudged(messages.calls[call].kind) ? &kOfMessages : nullptr;
        // Writers call MPI_Start a function, as Score-P does: then its time is not among that of messages.
        work.shortageMetric = messages.calls[call].kind == CallKind::Start ? nullptr : &kShortageInMessages;
        work.kind |= way | static_cast<std::uint32_t>(messages.calls[call].kind) << kFirstKind;
        work.bytes += bytes;
    };
    for (std::size_t i = 0; i < messages.sends.size(); ++i)
        moves(messages.sends[i].call, kSends, messages.sends[i].bytes);
    for (std::size_t i = 0; i < messages.completions.size(); ++i) {
        Work& work = workOf(messages.completions[i].call);
        work.explained += waits.completions[i];
        work.shortageMetric = &kShortageInMessages;
    }
    for (std::size_t i = 0; i < messages.receives.size(); ++i) {
        const replay::RecordRef sent = run.matches.messages.sendOf[location.index()][i];
        const std::uint64_t bytes =
            sent.isKnown() ? run.trace.locations[sent.location].messages.sends[sent.position].bytes : 0;
        moves(messages.receives[i].call, kReceives, bytes);
        workOf(messages.receives[i].call).explained += waits.receives[i];
    }
    for (std::size_t i = 0; i < messages.collectives.size(); ++i) {
        const CollectiveRecord& record = messages.collectives[i];
        // One that did not complete, or not here, has no call.
        if (record.call >= messages.calls.size() || record.location != location.index()) continue;
        Work& work = works[record.call];
        const CollectiveWait& wait = waits.collectives[i];
        work.explained += wait.wait + wait.completion;
        work.doubtful += std::max<Ticks>(0, static_cast<Ticks>(wait.possible) - wait.wait);
        work.shortageMetric = completesRequests(messages.calls[record.call].kind)
                                  ? &kShortageInMessages
                                  : shortageMetricOfOperation(record.operation);
        if (record.isNonblocking()) {
            work.metric = nullptr;
            continue;
        }
        work.collective = static_cast<std::uint32_t>(i);
        work.completion = waits.collectives[i].completion;
        work.metric = metricOf(record.operation);
        work.kind = (static_cast<std::uint32_t>(record.operation) + 1) << kFirstOperation;
        work.bytes = record.sent + record.received;
    }
    for (const replay::CallShortage& one : messages.shortages) {
        Work& work = workOf(one.call);
        work.shortage += one.passed;
        work.nodeOfShortage = one.node;
        if (work.shortageMetric == nullptr && one.within)
            work.shortageMetric = shortageMetricWithin(*one.within);
    }
    for (const Dependency& wait : waits.dependencies)
        if (wait.metric != nullptr && wait.waiter.location == location.index())
            workOf(wait.waiter.call).explained += wait.booked;
    for (std::uint32_t i = 0; i < messages.calls.size(); ++i) works[i].doubtful += found.calls.doubt(i);
    for (std::size_t i = 0; i < messages.calls.size(); ++i) {
        if (messages.calls[i].kind != CallKind::RmaPost) continue;
        works[i].metric = &kOfEpochs;
        works[i].kind = static_cast<std::uint32_t>(CallKind::RmaPost) << kFirstKind;
    }
    return works;
}

/// Neither the recorder's time nor that of what the call called is its own.
Ticks notExplained(const replay::LocationTrace& location, const replay::Call& call, const Work& work) {
    const Ticks others = location.notOwn(call.node, {call.enter, call.leave});
    return std::max<Ticks>(0, call.leave - call.enter - others - work.explained);
}
/// In which it had a processor.
Ticks restOf(const replay::LocationTrace& location, const replay::Call& call, const Work& work) {
    return std::max<Ticks>(0, notExplained(location, call, work) - work.shortage);
}

/// Who is late to leave an operation because it has no processor does not complete it meanwhile. While it may
/// have waited for others, it is not known to have needed one: that time is unexplained.
void noteShortage(const replay::LocationTrace& location, const replay::Call& call, const Work& work,
                  LocationFindings& found) {
    if (work.shortageMetric == nullptr || work.shortage <= 0) return;
    Work waits = work;
    waits.explained += work.doubtful - work.completion;
    const Ticks shortage = std::min(work.shortage, notExplained(location, call, waits));
    const Ticks doubtful = std::min(work.shortage, notExplained(location, call, work)) - shortage;
    const Metric* const unexplained = unexplainedBeside(work.shortageMetric);
    if (doubtful > 0 && unexplained != nullptr) found.severities.add(*unexplained, call.node, doubtful);
    if (shortage <= 0) return;
    const Ticks completing = shortage - notExplained(location, call, work);
    if (completing > 0) found.waits.collectives[work.collective].completion -= completing;
    found.severities.add(*work.shortageMetric, call.node, shortage);
    found.waits.shortages.push_back({call.slice, call.node, work.nodeOfShortage, shortage});
}

/// Of calls that found nothing, beyond the waits of these.
void noteShortageOfPolls(const Records<PollRecord>& polls, LocationFindings& found) {
    if (std::ranges::all_of(polls, [](const PollRecord& row) { return row.shortage == 0; })) return;
    std::unordered_map<std::uint64_t, Ticks> waits;  // by the first event of a row
    for (const Dependency& wait : found.waits.dependencies)
        if (wait.metric != nullptr && wait.waiter.call == kNone) waits[wait.waiter.event] += wait.booked;
    for (const PollRecord& row : polls) {
        if (row.kind != CallKind::Test && !trace::isProbe(row.kind)) continue;
        const auto wait = waits.find(row.event);
        const Ticks rest = row.inside - (wait != waits.end() ? wait->second : 0);
        const Ticks shortage = std::min(row.shortage, rest);
        if (shortage <= 0) continue;
        found.severities.add(kShortageInMessages, row.node, shortage);
        found.waits.shortagesOfPolls.push_back({row.slice, row.node, replay::kOutside, shortage});
    }
}

/// How many calls took how long, to an eighth.
class Durations {
  public:
    void note(Ticks ticks) {
        ++counts_[binOf(ticks)];
        ++all_;
    }
    void add(const Durations& other) {
        for (std::size_t i = 0; i < kBins; ++i) counts_[i] += other.counts_[i];
        all_ += other.all_;
    }
    std::uint64_t size() const { return all_; }
    /// What a quarter of them do not exceed.
    Ticks quarter() const {
        std::uint64_t below = 0;
        for (std::size_t i = 0; i < kBins; ++i)
            if ((below += counts_[i]) * 4 > all_) return endOf(i);
        return 0;
    }

  private:
    static constexpr unsigned kFine = 3;  // binary digits behind the first one
    static constexpr std::size_t kBins = std::size_t{64} << kFine;
    static std::size_t binOf(Ticks ticks) {
        const auto value = static_cast<std::uint64_t>(std::max<Ticks>(0, ticks)) + (1U << kFine);
        const auto exponent = static_cast<unsigned>(std::bit_width(value)) - 1 - kFine;
        return (std::size_t{exponent} << kFine) + ((value >> exponent) & ((1U << kFine) - 1));
    }
    static Ticks endOf(std::size_t bin) {
        const auto exponent = static_cast<unsigned>(bin >> kFine);
        const std::uint64_t next = (bin & ((1U << kFine) - 1)) + (1U << kFine) + 1;
        return static_cast<Ticks>((next << exponent) - 1 - (1U << kFine));
    }

    std::array<std::uint64_t, kBins> counts_{};
    std::uint64_t all_ = 0;
};
using DurationsOfWorks = std::unordered_map<std::uint64_t, Durations>;

/// What calls cost in a run.
class Costs {
  public:
    explicit Costs(const DurationsOfWorks& durations) {
        for (const auto& [kind, known] : durations) {
            if (known.size() < kEnough) continue;
            const Ticks cost = known.quarter();
            costs_[kind] = cost;
            latency_ = std::min(latency_.value_or(cost), cost);
        }
    }

    /// Nothing where too little is known of the run.
    std::optional<Ticks> of(const Work& work, double ticksPerSecond) const {
        if (const auto known = costs_.find(work.costs()); known != costs_.end()) return known->second;
        if (!latency_) return std::nullopt;
        constexpr double kSlow = 1e8;  // bytes a second
        return kGenerously * *latency_ +
               static_cast<Ticks>(static_cast<double>(work.bytes) / kSlow * ticksPerSecond);
    }

  private:
    static constexpr std::uint64_t kEnough = 8;
    static constexpr Ticks kGenerously = 100;
    std::unordered_map<std::uint64_t, Ticks> costs_;
    std::optional<Ticks> latency_;
};

DurationsOfWorks durationsOf(const matching::MatchedTrace& run, workers::Workers& workers,
                             const AllFindings& found) {
    DurationsOfWorks all;
    std::mutex mutex;
    workers.forEach(found.size(), [&](std::size_t i) {
        if (!found.has(i)) return;
        const auto& location = run.trace.locations[i];
        const auto& calls = location.messages.calls;
        const std::vector<Work> works = worksOf(run, trace::LocationId(i), found[i]);
        DurationsOfWorks local;
        for (std::size_t j = 0; j < calls.size(); ++j)
            if (works[j].metric != nullptr)
                local[works[j].costs()].note(restOf(location, calls[j], works[j]));
        const std::lock_guard lock(mutex);
        for (const auto& [kind, durations] : local) all[kind].add(durations);
    });
    return all;
}

}  // namespace

void findUnexplained(const matching::MatchedTrace& run, workers::Workers& workers, AllFindings& found) {
    constexpr Ticks kMuch = 3;
    const Costs costs(durationsOf(run, workers, found));
    const auto ticksPerSecond = static_cast<double>(run.trace.definitions.clock.ticksPerSecond);
    workers.forEach(found.size(), [&](std::size_t i) {
        if (!found.has(i)) return;
        const auto& location = run.trace.locations[i];
        const auto& calls = location.messages.calls;
        const std::vector<Work> works = worksOf(run, trace::LocationId(i), found[i]);
        for (std::size_t j = 0; j < calls.size(); ++j) {
            noteShortage(location, calls[j], works[j], found.own(i));
            if (works[j].metric == nullptr) continue;
            const Ticks rest = restOf(location, calls[j], works[j]);
            const auto cost = costs.of(works[j], ticksPerSecond);
            if (cost && rest > kMuch * *cost)
                found.own(i).severities.add(*works[j].metric, calls[j].node, rest - *cost);
        }
        noteShortageOfPolls(location.polls, found.own(i));
    });
}

/// Found after all others, which say what is explained.
extern const Pattern kUnexplainedPattern{.metrics = {&kOfMessages, &kShortageInMessages, &kOfCollectives,
                                                     &kShortageInCollectives, &kOfBarriers,
                                                     &kShortageInBarriers, &kOfCommunicators, &kOfEpochs}};

}  // namespace holos::analyzer::patterns
