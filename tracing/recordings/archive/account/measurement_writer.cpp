// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/account/measurement_writer.h"

#include <otf2/otf2.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/secrets.h"
#include "base/text.h"
#include "base/utc_time.h"
#include "tracing/code/debug/debug_files.h"
#include "tracing/recordings/archive/definitions/counter_shares.h"
#include "tracing/recordings/archive/facts/command_file.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/archive/folder/many_files.h"
#include "tracing/recordings/archive/folder/ownership.h"
#include "tracing/recordings/archive/plan/other_threads.h"
#include "tracing/recordings/archive/plan/process_selection.h"
#include "tracing/recordings/archive/plan/processor_use.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::archive {
namespace {

constexpr int kWell = 3;

/// Processes that ended in the same way.
struct EndGroup {
    ProcessEnd end;
    std::vector<std::uint32_t> ranks;
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();  ///< nanoseconds nothing is known of
    std::int64_t longest = 0;

    /// Crashes first, then what says that it failed.
    int order() const {
        if (end.how == ProcessEnd::How::Signal || end.calledAbort) return 0;
        const bool isExpected =
            end.isOrderly() || end.how == ProcessEnd::How::Replaced || end.how == ProcessEnd::How::GoesOn;
        if (!isExpected) return 1;
        return end.code.value_or(0) != 0 ? 2 : kWell;
    }
};

std::vector<EndGroup> groupsOf(const TracePlan& plan) {
    std::vector<EndGroup> groups;
    for (const TraceProcess& process : plan.processes) {
        if (process.recorded == nullptr) continue;
        ProcessEnd end = process.recorded->end;
        end.calledAbort = process.calledAbort;
        end.at.reset();
        auto group = std::ranges::find(groups, end, &EndGroup::end);
        if (group == groups.end()) group = groups.insert(group, EndGroup{end, {}});
        group->ranks.push_back(process.rank);
        group->shortest = std::min(group->shortest, process.unknownTime);
        group->longest = std::max(group->longest, process.unknownTime);
    }
    std::ranges::stable_sort(groups, {}, &EndGroup::order);
    return groups;
}

/// `rank 3`, `ranks 0, 1 and 2`, `97 ranks (0, 1, 2, …)`; a single process by its program, which may be
/// another than the command that was recorded, such as a shell
std::string nameOf(const TracePlan& plan, const EndGroup& group) {
    constexpr std::size_t kFew = 4;
    const std::string one = plan.usesMpi ? "rank" : "process";
    const std::size_t count = group.ranks.size();
    if (plan.processes.size() == 1)
        return "the program " + fs::path(plan.processes.front().recorded->executable).filename().string();
    if (count == plan.processes.size()) return "all " + counted(count, one);
    if (count == 1) return one + ' ' + std::to_string(group.ranks.front());
    std::string list;
    for (std::size_t i = 0; i < std::min(count, kFew); ++i)
        list += (i == 0 ? "" : i + 1 == count ? " and " : ", ") + std::to_string(group.ranks[i]);
    if (count > kFew) return counted(count, one) + " (" + list + ", …)";
    return (plan.usesMpi ? "ranks " : "processes ") + list;
}

std::string unknownText(const EndGroup& group) {
    constexpr double kSecond = 1e9;
    constexpr std::int64_t kWorthSaying = 1'000'000;
    if (group.longest < kWorthSaying) return {};
    const double least = static_cast<double>(group.shortest) / kSecond;
    const double most = static_cast<double>(group.longest) / kSecond;
    if (group.ranks.size() == 1) return fmt::format(", {:.3g} s after its last event", most);
    return fmt::format(", {:.3g} to {:.3g} s after their last events", least, most);
}

/// Of those that are not in the trace the ones that a signal ended.
std::vector<const RecordedProcess*> killedOthers(const TracePlan& plan,
                                                 const std::vector<RecordedProcess>& processes) {
    std::vector<const RecordedProcess*> others;
    for (const RecordedProcess& process : processes)
        if (process.end.how == ProcessEnd::How::Signal &&
            std::ranges::find(plan.processes, &process, &TraceProcess::recorded) == plan.processes.end())
            others.push_back(&process);
    return others;
}

/// Processes that left no recording, of which others say how they ended.
class Unrecorded {
  public:
    Unrecorded(const std::vector<RecordedProcess>& processes, const LifeRecords& records,
               std::span<const std::vector<RecordedProcess>> others) {
        std::set<std::pair<std::string, std::uint64_t>> recorded;
        for (const auto& job : others)
            for (const RecordedProcess& process : job) recorded.insert({process.boot, process.pid});
        for (const RecordedProcess& process : processes) recorded.insert({process.boot, process.pid});
        for (const LifeRecords::Life& life : records.lives())
            if (life.end && !recorded.contains({life.boot, life.process})) add(life);
    }
    /// Each kind of end of the commands that were recorded once, with `order` as groups have it.
    const std::map<std::string, int>& commands() const { return commands_; }
    const std::vector<std::string>& killed() const { return killed_; }

  private:
    void add(const LifeRecords::Life& life) {
        std::string name;
        bool isCommand = false;
        for (const LifeRecords::Step& step : life.steps) {
            const bool isThis = step.what == LifeRecords::Step::What::Command;
            if (isThis || (!isCommand && !step.program.empty()))
                name = fs::path(step.program).filename().string();
            isCommand |= isThis;
        }
        ProcessEnd end = *life.end;
        end.at.reset();
        if (end.how == ProcessEnd::How::Unseen) end.how = ProcessEnd::How::Exit;
        const bool isKilled = end.how == ProcessEnd::How::Signal;
        if (isCommand)
            commands_["the command " + name + ' ' + endText(end)] = EndGroup{end, {}}.order();
        else if (isKilled)
            killed_.push_back((name.empty() ? "process " + std::to_string(life.process)
                                            : name + " (process " + std::to_string(life.process) + ')') +
                              ", which is not recorded, " + endText(end));
    }

    std::map<std::string, int> commands_;
    std::vector<std::string> killed_;
};

/// Parts of the sentence, worst first, and how bad they are.
std::vector<std::pair<int, std::string>> partsOf(const TracePlan& plan, const Unrecorded& unrecorded) {
    std::vector<std::pair<int, std::string>> parts;
    for (const auto& [text, order] : unrecorded.commands()) parts.emplace_back(order, text);
    for (const EndGroup& group : groupsOf(plan))
        parts.emplace_back(
            group.order(),
            nameOf(plan, group) + ' ' + endText(group.end, group.ranks.size() > 1) + unknownText(group));
    std::ranges::stable_sort(parts, {}, [](const auto& part) { return part.first; });
    return parts;
}

bool areWell(const std::vector<std::pair<int, std::string>>& parts) {
    return std::ranges::all_of(parts, [](const auto& part) { return part.first == kWell; });
}

void append(const std::vector<std::string>& more, std::string& text) {
    constexpr std::size_t kFew = 3;
    for (std::size_t i = 0; i < std::min(more.size(), kFew); ++i) text += "; " + more[i];
    if (more.size() > kFew) text += fmt::format("; so did {} more", more.size() - kFew);
}

}  // namespace

std::string endsOf(const TracePlan& plan, const std::vector<RecordedProcess>& processes,
                   const LifeRecords& records, std::span<const std::vector<RecordedProcess>> others) {
    const Unrecorded unrecorded(processes, records, others);
    const auto parts = partsOf(plan, unrecorded);
    const bool isWell = areWell(parts);
    std::string text;
    for (const auto& [order, part] : parts)
        if (!isWell || !unrecorded.commands().contains(part)) text += (text.empty() ? "" : "; ") + part;
    std::vector<std::string> killed;
    for (const RecordedProcess* const one : killedOthers(plan, processes))
        killed.push_back(programText(*one) + ", which is not in the trace, " + endText(one->end));
    append(killed, text);
    append(unrecorded.killed(), text);
    if (!text.empty())
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

bool endedWell(const TracePlan& plan, const std::vector<RecordedProcess>& processes,
               const LifeRecords& records, std::span<const std::vector<RecordedProcess>> others) {
    const Unrecorded unrecorded(processes, records, others);
    return killedOthers(plan, processes).empty() && unrecorded.killed().empty() &&
           areWell(partsOf(plan, unrecorded));
}

std::string describeMoves(const TracePlan& plan) {
    std::size_t threads = 0;
    std::size_t moved = 0;
    std::size_t far = 0;
    std::uint64_t most = 0;
    std::string who;
    for (const auto& process : plan.processes)
        for (const auto& location : process.locations) {
            const Placement& placement = location.placement;
            if (location.isSamples) continue;
            ++threads;
            if (!placement.moved()) continue;
            ++moved;
            if (placement.numaNodesSeen > 1) ++far;
            if (placement.moves() < most || (placement.moves() == most && !who.empty())) continue;
            most = placement.moves();
            who = location.name + " of " + process.name;
        }
    if (moved == 0) return {};
    const std::string often = counted(most, "time");
    std::string text;
    if (threads == 1) {
        text =
            "the only thread moved between cores" + std::string(far > 0 ? " and NUMA nodes, " : ", ") + often;
    } else {
        text = std::to_string(moved) + " of " + std::to_string(threads) + " threads moved between cores";
        if (far > 0) text += ", " + std::to_string(far) + " of them between NUMA nodes";
        text += "; most often " + who + ", " + often;
    }
    return text +
           ". Bound threads (OMP_PROC_BIND=true, mpirun --bind-to core) give values that vary less from run "
           "to run";
}

namespace {

using measurement::Measurement;

/// Nothing where nothing is known of the thread.
std::optional<measurement::Thread> threadOf(const TraceLocation& location) {
    const Placement& placement = location.placement;
    if (placement.allowed.empty()) return std::nullopt;
    measurement::Thread thread{.name = location.name,
                               .mayUse = placement.allowed,
                               .processorsSeen = placement.processorsSeen,
                               .changesSeen = placement.changesSeen,
                               .processor = placement.processor,
                               .migrations = placement.migrations};
    if (placement.allowedAtEnd != placement.allowed) thread.mayUseAtEnd = placement.allowedAtEnd;
    if (const auto& time = location.processorTime) {
        thread.nanosecondsOnProcessors = time->on;
        thread.nanosecondsWaitingForProcessors = time->waiting;
    }
    if (const auto& place = placement.place)
        thread.place = {place->socket, place->numaNode,     place->core,
                        place->unit,   placement.coresSeen, placement.numaNodesSeen};
    return thread;
}

/// How the process ended, and how long nothing is known of it before.
measurement::End endOf(const TraceProcess& process) {
    constexpr double kSecond = 1e9;
    const ProcessEnd& end = process.recorded->end;
    measurement::End known{
        .how = wordOf(end.how), .exitCode = end.code, .calledMpiAbort = process.calledAbort};
    if (end.how == ProcessEnd::How::Signal) {
        known.signal = end.signal;
        known.signalName = signalName(end.signal);
    }
    if (process.unknownTime > 0)
        known.secondsAfterLastEvent = static_cast<double>(process.unknownTime) / kSecond;
    return known;
}

constexpr double kNanosecond = 1e-9;

measurement::Process processOf(const TraceProcess& planned, bool withSecrets) {
    const RecordedProcess& recorded = *planned.recorded;
    measurement::Process process{
        .pid = recorded.pid,
        .host = recorded.host,
        .program = recorded.executable,
        .arguments = withSecrets ? recorded.arguments : withoutSecrets(recorded.arguments),
        .endedInOrder = recorded.status.ended != 0,
        .end = endOf(planned),
        .otherThreads = otherThreadsOf(recorded)};
    constexpr double kThousandth = 1e-3;
    if (const auto& limits = recorded.processorLimits; !limits.empty()) {
        const std::uint64_t stopped =
            limits.back().stopped - std::min(limits.front().stopped, limits.back().stopped);
        process.processorLimit =
            measurement::ProcessorLimit{static_cast<double>(limits.back().thousandths) * kThousandth,
                                        static_cast<double>(stopped) * kNanosecond};
    }
    if (const auto& inUse = recorded.machineUse; inUse.size() == 2)
        process.machineUse = measurement::MachineUse{static_cast<double>(inUse.front()) * kNanosecond,
                                                     static_cast<double>(inUse.back()) * kNanosecond};
    if (recorded.world) process.rank = recorded.world->rank;
    if (!recorded.lossIsUnknown) process.lostEvents = recorded.status.lostEvents;
    for (const auto& location : planned.locations)
        if (auto thread = threadOf(location)) process.threads.push_back(std::move(*thread));
    return process;
}

bool isRecorded(const TraceProcess& process) {
    return process.recorded != nullptr;
}

/// Nanoseconds of children that had been waited for at the end of the recording, and not at its begin.
std::int64_t timeOfChildren(const RecordedProcess& process) {
    const auto& times = process.childrenTimes;
    return times.size() == 2
               ? static_cast<std::int64_t>(times.back()) - static_cast<std::int64_t>(times.front())
               : 0;
}

/// Without children that are recorded themselves: these count for themselves.
void addTimesOfChildren(const TracePlan& plan, std::vector<measurement::Process>& processes) {
    std::map<std::pair<std::string, std::uint64_t>, std::int64_t> ofRecorded;  // by their parent
    for (const TraceProcess& process : plan.processes) {
        if (!isRecorded(process)) continue;
        const RecordedProcess& child = *process.recorded;
        ofRecorded[{child.host, child.parent}] += onProcessors(child) + timeOfChildren(child);
    }
    std::size_t position = 0;
    for (const TraceProcess& process : plan.processes) {
        if (!isRecorded(process)) continue;
        const RecordedProcess& parent = *process.recorded;
        const auto known = ofRecorded.find({parent.host, parent.pid});
        const std::int64_t unrecorded =
            timeOfChildren(parent) - (known != ofRecorded.end() ? known->second : 0);
        if (unrecorded > 0) processes[position].childSeconds = static_cast<double>(unrecorded) * kNanosecond;
        ++position;
    }
}

std::map<std::string, measurement::Share> sharesOf(const std::map<std::string, CounterShares>& counters) {
    std::map<std::string, measurement::Share> shares;
    for (const auto& [name, all] : counters) shares[name] = {all.least, all.mean(), all.error()};
    return shares;
}

std::map<std::string, measurement::Hardware> hardwareOf(const TracePlan& plan) {
    std::map<std::string, measurement::Hardware> machines;
    for (const auto& [host, hardware] : plan.hardware) {
        machines[host] = hardware;
        machines[host].processors = hardware.places.size();
    }
    return machines;
}

void addPrograms(const TracePlan& plan, bool withSecrets, Measurement& known) {
    const auto& first = *std::ranges::find_if(plan.processes, isRecorded)->recorded;
    known.begin = first.syncs.empty() ? "" : isoTime(first.syncs.front().realtime);
    known.clock = first.clock;
    known.libraries = {OTF2_VERSION, first.mpi};
    if (const code::Compiler compiler = code::compilerOf(first.executable); !compiler.name.empty())
        known.compiler = {compiler.name, compiler.options};
    std::set<std::string> annotations;
    for (const auto& process : plan.processes) {
        if (!isRecorded(process)) continue;
        known.processes.push_back(processOf(process, withSecrets));
        annotations.insert(process.recorded->annotations.begin(), process.recorded->annotations.end());
    }
    addTimesOfChildren(plan, known.processes);
    known.annotations.assign(annotations.begin(), annotations.end());
}

}  // namespace

void writeMeasurement(const fs::path& folder, const fs::path& recording, const TracePlan& plan,
                      const std::vector<RecordedProcess>& processes, const Result& result) {
    Measurement known{.holos = HOLOS_VERSION,
                      .activeShares = sharesOf(activeSharesOf(plan.processes)),
                      .readInUserSpace = sharesOf(userSpaceSharesOf(plan.processes)),
                      .hardware = hardwareOf(plan),
                      .moves = result.moves,
                      .furtherJobs = result.numberOfFurtherJobs,
                      .ends = result.ends,
                      .leftOut = programsLeftOut(plan, processes),
                      .laws = result.laws,
                      .notChecked = result.notChecked,
                      .locations = result.locations,
                      .events = result.events,
                      .notes = result.notes};
    if (const auto run = readRun(recording)) known.run = run->id;
    if (!result.lossIsUnknown) known.lostEvents = result.lostEvents;
    addPrograms(plan, keepsSecrets(recording), known);
    writePlainFile(folder / measurement::kMeasurementFile, measurementText(known, recording));
}

}  // namespace holos::archive
