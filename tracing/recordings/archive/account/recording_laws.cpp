// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/account/recording_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/text.h"
#include "tracing/recordings/archive/process/loading.h"
#include "tracing/recordings/format/ledger.h"

namespace holos::archive {
namespace {

using Step = LifeRecords::Step;

/// Why processes that were started are not in the trace, with how many, and which programs.
class Missing {
  public:
    void add(const std::string& reason, std::uint64_t number) {
        if (number != 0) reasons_[reason].number += number;
    }
    void add(const std::string& reason, const std::string& program) {
        add(reason, 1);
        reasons_[reason].programs.insert(program);
    }
    std::uint64_t count() const {
        std::uint64_t sum = 0;
        for (const auto& [reason, which] : reasons_) sum += which.number;
        return sum;
    }
    std::string text() const {
        std::string text;
        for (const auto& [reason, which] : reasons_)
            text += (text.empty() ? "" : ", ") + std::to_string(which.number) + ' ' + reason +
                    namesOf(which.programs);
        return text;
    }

  private:
    struct Which {
        std::uint64_t number = 0;
        std::set<std::string> programs;
    };
    static std::string namesOf(const std::set<std::string>& programs) {
        constexpr std::size_t kFew = 4;
        std::string text;
        std::size_t shown = 0;
        for (const std::string& program : programs) {
            if (shown++ == kFew) return text + ", …)";
            text += (text.empty() ? " (" : ", ") + program;
        }
        return text.empty() ? text : text + ')';
    }

    std::map<std::string, Which> reasons_;
};

std::string nameOf(const std::string& program) {
    return std::filesystem::path(program).filename().string();
}

/// `is statically linked`, of a sentence that goes on with what to do.
std::string firstPart(const std::string& reason) {
    return reason.substr(0, reason.find_first_of(":;,"));
}

/// What a process did last, as far as it is known.
struct LastProgram {
    const Step* step = nullptr;  ///< null: it ran none
    std::string name;            ///< as it was called: `sh`, though that is another program's name
};

LastProgram lastProgramOf(const LifeRecords::Life& life) {
    LastProgram last, before;
    for (const Step& step : life.steps) {
        const bool isCalled = last.step != nullptr && last.step->what != Step::What::Runs;
        switch (step.what) {
            case Step::What::Forked:
                break;
            case Step::What::Stays:
                if (isCalled && last.step->what == Step::What::Execs) last = before;
                break;
            case Step::What::Command:  // it may have said before that it runs
                last.name = nameOf(step.program);
                if (last.step == nullptr) last.step = &step;
                break;
            case Step::What::Execs:
                if (last.step == nullptr || last.step->what != Step::What::Execs) before = last;
                last = {&step, nameOf(step.program)};
                break;
            case Step::What::Runs:
                last = {&step, isCalled ? last.name : nameOf(step.program)};
        }
    }
    return last;
}

using ProcessNumber = std::pair<std::string, std::uint64_t>;  ///< of a kernel's boot, and of a process

/// Compares what is known of processes with what is there.
class Census {
  public:
    Census(const TracePlan& plan, const std::vector<RecordedProcess>& processes, const LifeRecords& records,
           std::span<const std::vector<RecordedProcess>> others) {
        for (const TraceProcess& process : plan.processes)
            process.recorded != nullptr ? ++inTrace_ : ++silentRanks_;
        for (const RecordedProcess& process : processes) {
            ++folders_[{process.boot, process.pid}];
            unnoted_ += process.status.unnotedChildren;
        }
        for (const auto& job : others) {
            for (const RecordedProcess& process : job) ++folders_[{process.boot, process.pid}];
            elsewhere_ += job.size();
        }
        for (const LifeRecords::Life& life : records.lives()) count(life);
        countLeftOut(plan, processes);
        for (const auto& [number, programs] : programs_) {
            const auto known = folders_.find(number);
            const std::uint64_t there = known != folders_.end() ? known->second : 0;
            if (programs > there) lost_ += programs - there;
        }
    }

    std::optional<Law> law() const {
        if (programs_.empty() && missing_.count() == 0 && silentRanks_ == 0) return std::nullopt;
        Missing missing = missing_;
        missing.add("left no recording", silentRanks_);
        missing.add("left a recording that is not there any more",
                    lost_ > silentRanks_ ? lost_ - silentRanks_ : 0);
        missing.add("left out, as the notes say", leftOut_);
        missing.add(
            "could not be noted at the start, as below another root folder (chroot) or by another user",
            unnoted_);
        const std::uint64_t started = inTrace_ + elsewhere_ + missing.count();
        std::string text =
            counted(started, "process") + " started, " + std::to_string(inTrace_) + " recorded";
        if (elsewhere_ != 0) text += fmt::format(", {} in the traces of other MPI jobs", elsewhere_);
        if (missing.count() != 0) text += fmt::format(", {} not: {}", missing.count(), missing.text());
        return Law{"processes", silentRanks_ == 0 && lost_ == 0 && unexplained_ == 0, text};
    }

  private:
    void count(const LifeRecords::Life& life) {
        std::uint64_t recorded = 0;
        for (const Step& step : life.steps)
            if (step.what == Step::What::Runs && step.kind == static_cast<int>(tracing::StartKind::Recorded))
                ++recorded;
        const ProcessNumber number{life.boot, life.process};
        if (recorded != 0)
            programs_[number] += recorded;
        else if (!folders_.contains(number))
            countOther(life);
    }

    /// Of a process that never recorded.
    void countOther(const LifeRecords::Life& life) {
        const auto [last, name] = lastProgramOf(life);
        if (life.steps.empty())
            missing_.add("started by programs without the recorder", 1);
        else if (last == nullptr)
            missing_.add("forked, and seen to run no program", 1);
        else if (last->what == Step::What::Runs && last->kind > 0)
            missing_.add(
                std::string("could not write into the recording (") + std::strerror(last->kind) + ')', 1);
        else if (last->what == Step::What::Runs)
            missing_.add("of shells, launchers and the like", name);
        else
            countWithout(*last);
    }

    /// It was to run a program, which did not say that it has the recorder.
    void countWithout(const Step& step) {
        if (!step.hasRecorder)
            return missing_.add("ran without the recorder in their environment", nameOf(step.program));
        const auto [known, isNew] = reasons_.try_emplace(step.program);
        if (isNew) known->second = firstPart(whyNotRecorded(step.program));
        if (!known->second.empty())
            return missing_.add("ran a program that " + known->second, nameOf(step.program));
        missing_.add("did not load the recorder, for a reason that is not known", nameOf(step.program));
        ++unexplained_;
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
    std::map<std::string, std::string> reasons_;  ///< of programs
    Missing missing_;
    std::uint64_t inTrace_ = 0;
    std::uint64_t elsewhere_ = 0;
    std::uint64_t silentRanks_ = 0;
    std::uint64_t leftOut_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t unexplained_ = 0;
    std::uint64_t unnoted_ = 0;
};

/// Children of recorded programs that did nothing else; those of shells are parts of scripts. The first of a
/// namespace has no parent that it sees (0): a shell that makes one runs a program there.
std::uint64_t forkedByPrograms(const std::vector<LifeRecords::Life>& lives) {
    std::vector<std::pair<const LifeRecords::Life*, const Step*>> inOrder;
    for (const LifeRecords::Life& life : lives)
        for (const Step& step : life.steps) inOrder.emplace_back(&life, &step);
    std::ranges::stable_sort(inOrder, {}, [](const auto& one) { return one.second->at; });
    std::map<ProcessNumber, bool> isOfProgram;
    std::uint64_t forked = 0;
    for (const auto& [life, step] : inOrder) {
        bool& isOne = isOfProgram[{life->boot, life->process}];
        if (step->what == Step::What::Runs)
            isOne = step->kind == static_cast<int>(tracing::StartKind::Recorded);
        else if (step->what == Step::What::Forked)
            isOne = step->parent == 0 || isOfProgram[{life->boot, step->parent}];
        if (isOne && step->what == Step::What::Forked && life->steps.size() == 1) ++forked;
    }
    return forked;
}

}  // namespace

std::optional<Law> processesLaw(const TracePlan& plan, const std::vector<RecordedProcess>& processes,
                                const LifeRecords& records,
                                std::span<const std::vector<RecordedProcess>> others) {
    return Census(plan, processes, records, others).law();
}

std::string noteOfForked(const std::vector<RecordedProcess>& processes, const LifeRecords& records,
                         std::span<const std::vector<RecordedProcess>> others) {
    std::uint64_t noted = 0;
    const auto add = [&](const std::vector<RecordedProcess>& job) {
        for (const RecordedProcess& process : job) noted += process.status.unrecordedChildren;
    };
    add(processes);
    std::ranges::for_each(others, add);
    const std::uint64_t forked = forkedByPrograms(records.lives());
    if (forked <= noted) return {};
    return counted(forked - noted, "forked process") + (forked - noted == 1 ? " was" : " were") +
           " not recorded, and what was done there is missing: a child is recorded where it runs a program "
           "(exec), as "
           "with the start method 'spawn' of Python's multiprocessing";
}

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
