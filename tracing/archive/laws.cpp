// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "base/counted.h"
#include "tracing/core/ledger.h"

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

// Processes.

/// Why processes that were started are not in the trace, with how many.
class Missing {
  public:
    void add(const std::string& reason, std::uint64_t number) {
        if (number != 0) reasons_[reason] += number;
    }
    std::uint64_t count() const {
        std::uint64_t sum = 0;
        for (const auto& [reason, number] : reasons_) sum += number;
        return sum;
    }
    std::string text() const {
        std::string text;
        for (const auto& [reason, number] : reasons_)
            text += (text.empty() ? "" : ", ") + std::to_string(number) + ' ' + reason;
        return text;
    }

  private:
    std::map<std::string, std::uint64_t> reasons_;
};

using ProcessNumber = std::pair<std::string, std::uint64_t>;  ///< of a kernel's boot, and of a process

/// Counts what the ledger says and what is there.
class Census {
  public:
    Census(const TracePlan& plan, const std::vector<RecordedProcess>& processes, const LifeRecords& lives,
           std::span<const std::vector<RecordedProcess>> others) {
        for (const TraceProcess& process : plan.processes)
            process.recorded != nullptr ? ++inTrace_ : ++silentRanks_;
        for (const RecordedProcess& process : processes) ++folders_[{process.boot, process.pid}];
        for (const auto& job : others) {
            for (const RecordedProcess& process : job) ++folders_[{process.boot, process.pid}];
            elsewhere_ += job.size();
        }
        for (const auto& [boot, starts] : lives.starts())
            for (const auto& start : starts) count(boot, start);
        countLeftOut(plan, processes);
        for (const auto& [number, programs] : programs_) {
            const auto known = folders_.find(number);
            const std::uint64_t there = known != folders_.end() ? known->second : 0;
            if (programs > there) lost_ += programs - there;
        }
        for (const ProcessNumber& child : forked_)
            if (!programs_.contains(child) && !others_.contains(child)) ++children_;
    }

    /// Nothing where nobody kept account of starts.
    std::optional<Law> law() const {
        if (programs_.empty() && silentRanks_ == 0) return std::nullopt;
        Missing missing;
        missing.add("left no recording", silentRanks_);
        missing.add("left a recording that is not there any more",
                    lost_ > silentRanks_ ? lost_ - silentRanks_ : 0);
        missing.add("left out, as the notes say", leftOut_);
        missing.add("forked, and ran no program that has the recorder", children_);
        for (const auto& [error, number] : failed_)
            missing.add(std::string("could not write into the recording (") + std::strerror(error) + ')',
                        number);
        const std::uint64_t started = inTrace_ + elsewhere_ + missing.count();
        std::string text =
            counted(started, "process") + " started, " + std::to_string(inTrace_) + " recorded";
        if (elsewhere_ != 0) text += fmt::format(", {} in the traces of other MPI jobs", elsewhere_);
        if (missing.count() != 0) text += fmt::format(", {} not: {}", missing.count(), missing.text());
        return Law{"processes", silentRanks_ == 0 && lost_ == 0, text};
    }

  private:
    void count(const std::string& boot, const LifeRecords::Start& start) {
        const ProcessNumber number{boot, static_cast<std::uint64_t>(start.process)};
        if (start.program.empty())
            forked_.insert(number);
        else if (start.kind == static_cast<int>(tracing::StartKind::Recorded))
            ++programs_[number];
        else
            others_.insert(number);
        if (!start.program.empty() && start.kind > 0) ++failed_[start.kind];
    }

    /// A program that became another one (exec) without an event is no more than the way to that.
    void countLeftOut(const TracePlan& plan, const std::vector<RecordedProcess>& processes) {
        std::set<const RecordedProcess*> chosen;
        for (const TraceProcess& process : plan.processes) chosen.insert(process.recorded);
        for (const RecordedProcess& process : processes)
            if (!chosen.contains(&process) && !(process.replaced && !process.hasEvents())) ++leftOut_;
    }

    std::map<ProcessNumber, std::uint64_t> programs_;  ///< that began to record
    std::map<ProcessNumber, std::uint64_t> folders_;
    std::set<ProcessNumber> forked_;
    std::set<ProcessNumber> others_;  ///< launchers, and those that could not record
    std::map<int, std::uint64_t> failed_;
    std::uint64_t inTrace_ = 0;
    std::uint64_t elsewhere_ = 0;
    std::uint64_t silentRanks_ = 0;
    std::uint64_t leftOut_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t children_ = 0;
};

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

std::optional<Law> elapsedTimeLaw(const TracePlan& plan) {
    double longest = 0;
    std::uint64_t unknown = 0;
    std::string first;
    for (const TraceProcess& process : plan.processes) {
        if (process.recorded == nullptr || process.locations.empty()) continue;
        const LocationTotals& totals = process.locations.front().totals;
        const auto length = static_cast<double>(totals.last - totals.first);
        longest = std::max(longest, length);
        const ProcessEnd& end = process.recorded->end;
        const bool hasEnd = process.recorded->status.ended != 0 || process.recorded->stop || end.at ||
                            end.how == ProcessEnd::How::Replaced || end.how == ProcessEnd::How::GoesOn;
        if (hasEnd) continue;
        if (unknown++ == 0)
            first = fmt::format(
                "{} did not end in order, and nobody saw its end: of it only {} until its last "
                "event are known",
                nameOf(plan, process), seconds(length));
    }
    if (unknown == 0)
        return Law{"elapsed time", true, seconds(longest) + " of the run, all of it in the trace"};
    return Law{"elapsed time", false,
               unknown == 1 ? first : first + fmt::format(", and so of {} more", unknown - 1)};
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
        text += fmt::format("; {} {} of processes that did not end in order", rest, areOf(rest));
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
            fmt::format("{} {} outside of the time of their process{}", counted(outside, "event"),
                        outside == 1 ? "lies" : "lie", where)};
}

}  // namespace

std::vector<Law> lawsOf(const TracePlan& plan, const std::vector<RecordedProcess>& processes,
                        const LifeRecords& lives, std::span<const std::vector<RecordedProcess>> others) {
    std::vector<Law> laws;
    for (std::optional<Law> law : {Census(plan, processes, lives, others).law(), processorTimeLaw(plan),
                                   elapsedTimeLaw(plan), messagesLaw(plan), std::optional(spanLaw(plan))})
        if (law) laws.push_back(*std::move(law));
    return laws;
}

}  // namespace holos::archive
