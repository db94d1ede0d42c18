// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/account/census.h"

#include <fmt/format.h>

#include <algorithm>
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

/// Children of recorded programs that did nothing else; those of shells are parts of scripts.
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
            isOne = isOfProgram[{life->boot, step->parent}];
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

}  // namespace holos::archive
