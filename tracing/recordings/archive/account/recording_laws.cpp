// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/account/recording_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "tracing/recordings/archive/account/census.h"

namespace holos::archive {
namespace {

constexpr double kPerSecond = 1e9;

std::string seconds(double nanoseconds) {
    return fmt::format("{:.2f} s", nanoseconds / kPerSecond);
}

/// `rank 3`, or `process 3` where there is no MPI.
std::string nameOf(const TracePlan& plan, const TraceProcess& process) {
    return (plan.usesMpi ? "rank " : "process ") + std::to_string(process.rank);
}

/// `is` and `are`
const char* areOf(std::uint64_t number) {
    return number == 1 ? "is" : "are";
}

// Processor time.

/// Of a thread whose time the kernel did not tell, at most that of its location.
double onProcessors(const TraceLocation& location) {
    if (location.processorTime) return static_cast<double>(location.processorTime->on);
    return static_cast<double>(location.totals.last - location.totals.first);
}

/// Of threads that are not the program's: those of runtime systems and the recorder's.
double onProcessorsBeside(const RecordedProcess& process) {
    double sum = 0;
    for (const auto& [id, thread] : process.otherThreads)
        if (thread.origin == tracing::ThreadOrigin::Runtime ||
            thread.origin == tracing::ThreadOrigin::Recorder)
            sum += static_cast<double>(std::max<std::int64_t>(thread.time.on, 0));
    return sum;
}

std::optional<Law> processorTimeLaw(const TracePlan& plan) {
    constexpr double kTolerance = 0.05;
    constexpr double kOfRecorder = 0.2 * kPerSecond;  ///< what it does itself before and behind
    double all = 0, recorded = 0, most = 0;
    std::string broken;
    bool isKnown = false;
    for (const TraceProcess& process : plan.processes) {
        if (process.recorded == nullptr || !process.recorded->isWanted) continue;
        const auto& times = process.recorded->processTimes;
        if (times.size() < 2) continue;
        isKnown = true;
        const auto own = static_cast<double>(times.back().onProcessors - times.front().onProcessors);
        double threads = 0;
        for (const TraceLocation& location : process.locations)
            if (!location.isSamples) threads += onProcessors(location);
        all += own;
        recorded += std::min(own, threads);
        const double missing = own - threads - onProcessorsBeside(*process.recorded);
        if (missing <= kTolerance * own + kOfRecorder || missing <= most) continue;
        most = missing;
        broken = fmt::format(
            "{} used {}, its recorded threads {}: {} are of threads that are not in the trace, "
            "such as those that a library starts which was loaded by dlmopen, or a system call",
            nameOf(plan, process), seconds(own), seconds(threads), seconds(missing));
    }
    if (!isKnown) return std::nullopt;
    return Law{"processor time", broken.empty(),
               broken.empty()
                   ? fmt::format("{} of processes, {} of recorded threads", seconds(all), seconds(recorded))
                   : broken};
}

// Elapsed time.

/// What differs less is what comes before the first event and behind the last one.
constexpr double kBesideEvents = 0.1 * kPerSecond;

/// Of a process that ended in order, as its own clock says it; nothing where only a part was wanted.
std::optional<double> ownLength(const RecordedProcess& process) {
    const bool isWhole = process.status.ended != 0 && process.isWanted && !process.stop;
    if (!isWhole || process.syncs.size() < 2) return std::nullopt;
    return static_cast<double>(process.syncs.back().monotonic - process.syncs.front().monotonic);
}

/// Why not all of the time of a process is in the trace; empty where it is. `length`: that the trace has.
std::string missingTime(const TracePlan& plan, const TraceProcess& process, double length) {
    const RecordedProcess& recorded = *process.recorded;
    const ProcessEnd& end = recorded.end;
    const bool hasEnd = recorded.status.ended != 0 || recorded.stop || end.at ||
                        end.how == ProcessEnd::How::Replaced || end.how == ProcessEnd::How::GoesOn;
    if (!hasEnd)
        return fmt::format(
            "{} did not end normally, and nobody saw its end: of it only {} until its last event are known",
            nameOf(plan, process), seconds(length));
    if (const auto own = ownLength(recorded);
        own && plan.keepsEvents && std::abs(*own - length) > kBesideEvents)
        return fmt::format("{} ran for {} by its own clock, and for {} in the trace", nameOf(plan, process),
                           seconds(*own), seconds(length));
    if (recorded.lossIsUnknown && !recorded.mayMissTheLast())
        return fmt::format("{} lost events of its {}: how many, and what it did then, is not known",
                           nameOf(plan, process), seconds(length));
    return {};
}

std::optional<Law> elapsedTimeLaw(const TracePlan& plan) {
    double longest = 0;
    std::uint64_t missing = 0;
    std::string first;
    for (const TraceProcess& process : plan.processes) {
        if (process.recorded == nullptr || process.locations.empty()) continue;
        const LocationTotals& totals = process.locations.front().totals;
        const auto length = static_cast<double>(totals.last - totals.first);
        longest = std::max(longest, length);
        const std::string why = missingTime(plan, process, length);
        if (!why.empty() && missing++ == 0) first = why;
    }
    if (missing == 0)
        return Law{"elapsed time", true, seconds(longest) + " of the run, all of it in the trace"};
    return Law{
        "elapsed time", false,
        missing == 1 ? first : first + fmt::format("; in {} more something is missing, too", missing - 1)};
}

// Messages.

/// Where all of all ranks was to be recorded, and was.
bool hasAllMessages(const TracePlan& plan) {
    return std::ranges::all_of(plan.processes, [](const TraceProcess& process) {
        const RecordedProcess* const one = process.recorded;
        return one != nullptr && one->isWanted && !one->stop && one->switches.empty() &&
               one->status.lostEvents == 0 && one->status.failure == 0 && !one->lossIsUnknown &&
               one->damage.empty() && std::ranges::none_of(process.locations, [](const auto& location) {
                   return location.totals.isCut;
               });
    });
}

std::optional<Law> messagesLaw(const TracePlan& plan) {
    if (!plan.usesMpi || !plan.keepsEvents || !hasAllMessages(plan)) return std::nullopt;
    std::uint64_t sent = 0, received = 0, cancelled = 0;
    bool wasInterrupted = false;
    for (const TraceProcess& process : plan.processes) {
        wasInterrupted |= process.recorded->status.ended == 0 || process.calledAbort;
        for (const TraceLocation& location : process.locations) {
            sent += location.totals.sent;
            received += location.totals.received;
            cancelled += location.totals.cancelled;
        }
    }
    if (sent == 0 && received == 0) return std::nullopt;
    std::string text = fmt::format("{} sent, {} received", counted(sent, "message"), received);
    const bool isEqual = sent == received;
    const std::uint64_t rest = sent > received ? sent - received : received - sent;
    if (!isEqual && wasInterrupted)
        text += fmt::format("; {} {} of processes that did not end normally", rest, areOf(rest));
    else if (!isEqual && sent > received && cancelled >= rest)
        text += fmt::format("; {} may be among the {} cancelled", rest, cancelled);
    else if (!isEqual)
        text += fmt::format(": {} {} {}", rest, areOf(rest),
                            sent > received ? "never received" : "of senders that are not in the trace");
    return Law{"messages", isEqual || wasInterrupted || (sent > received && cancelled >= rest), text};
}

// Span.
Law spanLaw(const TracePlan& plan) {
    std::uint64_t outside = 0;
    std::string where;
    for (const TraceProcess& process : plan.processes)
        for (const TraceLocation& location : process.locations) {
            if (location.totals.outside != 0 && where.empty())
                where = ", as in " + location.name + " of " + process.name;
            outside += location.totals.outside;
        }
    if (outside == 0) return {"span", true, "all events lie within the time of their process"};
    return {"span", false,
            fmt::format("{} {} process{}", counted(outside, "event"),
                        outside == 1 ? "lies outside of the time of its" : "lie outside of the time of their",
                        where)};
}

}  // namespace

std::vector<Law> lawsOf(const TracePlan& plan, const std::vector<RecordedProcess>& processes,
                        const LifeRecords& lives, std::span<const std::vector<RecordedProcess>> others) {
    std::vector<Law> laws;
    for (std::optional<Law> law : {processesLaw(plan, processes, lives, others), processorTimeLaw(plan),
                                   elapsedTimeLaw(plan), messagesLaw(plan), std::optional(spanLaw(plan))})
        if (law) laws.push_back(*std::move(law));
    return laws;
}

std::vector<Law> lawsOfSnapshot(const TracePlan& plan) {
    return {spanLaw(plan)};
}

}  // namespace holos::archive
