// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/plan/process_selection.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/number.h"
#include "tracing/recordings/archive/plan/other_threads.h"
#include "tracing/recordings/archive/plan/processor_use.h"
#include "tracing/recordings/archive/process/loading.h"
#include "tracing/recordings/archive/run/jobs.h"

namespace holos::archive {
namespace {

/// `/bin/sed (9), /bin/grep (3)`: those with most processes first.
std::string countPrograms(const std::vector<const RecordedProcess*>& processes) {
    constexpr std::size_t kMostNames = 5;
    std::map<std::string, std::size_t> counts;
    for (const auto* one : processes) ++counts[one->executable.empty() ? "unknown" : one->executable];
    std::vector<std::pair<std::string, std::size_t>> programs(counts.begin(), counts.end());
    std::ranges::stable_sort(programs, [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text;
    for (std::size_t i = 0; i < programs.size() && i < kMostNames; ++i)
        text += (i == 0 ? "" : ", ") + programs[i].first + " (" + std::to_string(programs[i].second) + ')';
    if (programs.size() > kMostNames)
        text += " and " + std::to_string(programs.size() - kMostNames) + " more programs";
    return text;
}

}  // namespace

std::string programText(const RecordedProcess& process) {
    const std::string program = process.executable.empty() ? "an unknown program" : process.executable;
    const std::string host = process.host.empty() ? "" : " on " + process.host;
    const std::string number =
        process.pid != 0 ? "process " + std::to_string(process.pid) : process.directory.filename().string();
    return program + " (" + number + host + ')';
}

void LeftOut::add(const RecordedProcess& process, const std::string& reason) {
    byReason_[reason].push_back(&process);
}

std::vector<std::string> LeftOut::notes() const {
    std::vector<std::string> notes;
    for (const auto& [reason, processes] : byReason_)
        notes.push_back(processes.size() == 1
                            ? programText(*processes.front()) + " was left out: it " + reason
                            : std::to_string(processes.size()) + " processes were left out: they " + reason +
                                  ": " + countPrograms(processes));
    return notes;
}

namespace {

using Processes = std::vector<const RecordedProcess*>;

bool isUsable(const RecordedProcess& process) {
    return !process.syncs.empty();
}

/// The gaps in the ranks, in words: `ranks 3, 8-511 left no recording`; empty where all are there.
std::string missingRanks(const Processes& ranks) {
    std::vector<std::size_t> missing;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        if (ranks[rank] == nullptr) missing.push_back(rank);
    if (missing.empty()) return {};
    return (missing.size() == 1 ? "rank " : "ranks ") + rangesOf(missing, ", ") + " left no recording";
}

/// Of one world.
Processes byRank(const Processes& all, LeftOut& leftOut) {
    std::uint32_t size = 0;
    for (const auto* one : all) size = std::max(size, one->world->size);
    Processes ranks(size, nullptr);
    for (const auto* one : all) {
        const std::uint32_t rank = one->world->rank;
        if (rank >= size || ranks[rank] != nullptr)
            leftOut.add(*one, "had a rank that another process of its job had, too");
        else
            ranks[rank] = one;
    }
    return ranks;
}

/// The worlds behind each other, as they began.
Selection byWorld(const Processes& all, std::vector<std::string>& notes, LeftOut& leftOut) {
    std::vector<std::pair<std::uint64_t, Processes>> worlds;
    for (const auto* one : all) {
        const auto known = std::ranges::find(worlds, one->world->key(), &decltype(worlds)::value_type::first);
        (known != worlds.end() ? *known : worlds.emplace_back(one->world->key(), Processes()))
            .second.push_back(one);
    }
    Selection chosen;
    for (const auto& [key, members] : worlds) {
        const Processes ranks = byRank(members, leftOut);
        const std::string whose =
            worlds.size() > 1 ? "world " + std::to_string(chosen.worlds.size() + 1) + ": " : "";
        if (const std::string note = missingRanks(ranks); !note.empty()) notes.push_back(whose + note);
        chosen.worlds.push_back({key, static_cast<std::uint32_t>(chosen.processes.size()),
                                 static_cast<std::uint32_t>(ranks.size())});
        chosen.processes.insert(chosen.processes.end(), ranks.begin(), ranks.end());
    }
    return chosen;
}

/// What a launcher started, by its rank; -1 for what it did not start.
using Groups = std::map<std::int64_t, Processes>;

Groups byLauncherRank(const std::vector<RecordedProcess>& all) {
    Groups groups;
    for (const auto& one : all) groups[one.launcherRank].push_back(&one);
    return groups;
}

/// The launcher itself, and scripts around it.
bool isAroundLauncher(const Groups& groups, std::int64_t rank) {
    return rank < 0 && groups.size() > 1;
}

/// Of each rank of the launcher those with events, or which computed for `much` nanoseconds, as a program
/// does that calls nothing; where there are none, all that did not become another program.
Processes withoutMpi(const Groups& groups, std::int64_t much) {
    Processes chosen;
    for (const auto& [rank, processes] : groups) {
        const std::size_t before = chosen.size();
        const bool mayCompute = !isAroundLauncher(groups, rank);
        for (const auto* one : processes)
            if (isUsable(*one) && (one->hasEvents() || (mayCompute && onProcessors(*one) >= much)))
                chosen.push_back(one);
        if (chosen.size() > before || isAroundLauncher(groups, rank)) continue;
        for (const auto* one : processes)
            if (isUsable(*one) && !one->replaced) chosen.push_back(one);
    }
    return chosen;
}

/// Of a process with events beside those of an MPI job.
std::string whyItHasNoRank(const RecordedProcess& process) {
    for (const std::string& trouble : process.troubles)
        if (trouble.starts_with("MPI is not recorded")) return "recorded events, but " + trouble;
    return "recorded events, but never completed MPI_Init";
}

/// A program that became another one (exec) without an event, and launchers, are no more than the way to the
/// others.
void addOthers(const Groups& groups, const Processes& chosen, LeftOut& leftOut) {
    const std::set<const RecordedProcess*> kept(chosen.begin(), chosen.end());
    for (const auto& [rank, processes] : groups)
        for (const auto* one : processes) {
            if (kept.contains(one) || isRank(*one)) continue;
            if (!isUsable(*one))
                leftOut.add(*one, "left a recording that cannot be read");
            else if (one->hasEvents())
                leftOut.add(*one, whyItHasNoRank(*one));
            else if (!one->replaced && !isAroundLauncher(groups, rank))
                leftOut.add(*one, "recorded no events");
        }
}

/// What is to be said of processes; where it is the same of several, once: `1000 processes (0, 1, 2, 3, …)
/// did not end normally`.
class ProcessNotes {
  public:
    /// `text`: what is said of one process or of several, with what is between it and their numbers.
    void add(std::uint32_t rank, const std::string& text) {
        const auto [known, isNew] = noteOf_.try_emplace(text, notes_.size());
        if (isNew) notes_.push_back({text, {}});
        notes_[known->second].second.push_back(rank);
    }
    void moveTo(std::vector<std::string>& notes) const {
        for (const auto& [text, ranks] : notes_) notes.push_back(who(ranks) + text);
    }

  private:
    static std::string who(const std::vector<std::uint32_t>& ranks) {
        constexpr std::size_t kFew = 4;
        if (ranks.size() == 1) return "process " + std::to_string(ranks.front());
        std::string text = std::to_string(ranks.size()) + " processes (";
        for (std::size_t i = 0; i < std::min(ranks.size(), kFew); ++i)
            text += (i > 0 ? ", " : "") + std::to_string(ranks[i]);
        return text + (ranks.size() > kFew ? ", …)" : ")");
    }

    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> notes_;
    std::map<std::string, std::size_t> noteOf_;
};

/// Counters that others kept from counting all the time, although they did not take turns.
std::string sharedCounters(const RecordedProcess& process) {
    constexpr double kAlways = 0.999;
    std::string names;
    for (const auto& [counter, shares] : process.activeShares) {
        const bool isShared = std::ranges::any_of(shares, [](double share) { return share < kAlways; });
        if (isShared && counter < process.counters.size() && !process.estimates.contains(counter))
            names += (names.empty() ? "" : ", ") + process.counters[counter].name;
    }
    return names;
}

/// Of a process that became a program which left no recording; empty where it did not. `becomesAs` tells who
/// ran it.
std::string whatItBecame(const RecordedProcess& process) {
    if (process.becomes.empty()) return "";
    const std::filesystem::path recording = process.directory.parent_path();
    struct stat facts {};
    const bool isKnown = ::stat(recording.c_str(), &facts) == 0;
    const bool mayWrite =
        process.becomesAs == 0 || process.becomesAs == facts.st_uid || (facts.st_mode & S_IWOTH) != 0;
    std::string reason;
    if (isKnown && !mayWrite)
        reason = "it ran as user " + std::to_string(process.becomesAs) + ", who may not write " +
                 recording.string();
    else if (process.status.becomesElsewhere != 0)
        reason = "it could not reach the recorder's files, as below another root folder (chroot)";
    else if (process.becomes.starts_with('/'))
        reason = whyNotRecorded(process.becomes);
    return " became " + process.becomes + ", which left no recording" + (reason.empty() ? "" : ": ") +
           (reason.starts_with("it ") || reason.empty() ? reason : "it " + reason);
}

std::string unorderlyEnd(const ProcessEnd& end) {
    if (!end.at) return " did not end normally: open regions end with the last event of their thread";
    const std::string why = end.how == ProcessEnd::How::Signal
                                ? "signal " + std::to_string(end.signal) + ", " + signalName(end.signal)
                                : "by a call that the recorder does not see";
    return " did not end normally (" + why + "): what happened after the last event is not known";
}

/// Empty where nothing is lost.
std::string lossOf(const RecordedProcess& process) {
    if (process.mayMissTheLast())
        return process.status.failure != 0 ? " may have lost events: how many is not known"
                                           : " kept events in memory: those of the last half second may be "
                                             "missing, and how many is not "
                                             "known";
    if (process.lossIsUnknown) return " lost events: how many is not known";
    return process.status.lostEvents != 0 ? " lost " + std::to_string(process.status.lostEvents) + " events"
                                          : "";
}

void noteEnd(const RecordedProcess& process, std::uint32_t rank, ProcessNotes& notes) {
    const bool endedInOrder = process.status.ended != 0 || process.seenAlive;
    const std::string became = process.replaced ? std::string() : whatItBecame(process);
    if (!became.empty()) notes.add(rank, became);
    if (!endedInOrder && !process.replaced && became.empty()) notes.add(rank, unorderlyEnd(process.end));
    if (process.status.failure == ENOENT)
        notes.add(rank,
                  " could not record to the end: it could not reach the recording's files any more, as below "
                  "another root folder (chroot)");
    else if (process.status.failure != 0)
        notes.add(rank, " could not record to the end: " +
                            std::string(std::strerror(static_cast<int>(process.status.failure))));
    if (process.status.lateFailure != 0)
        notes.add(rank, ": its file system refused later what it had taken before: " +
                            std::string(std::strerror(static_cast<int>(process.status.lateFailure))));
    if (const std::string loss = lossOf(process); !loss.empty()) notes.add(rank, loss);
    if (const auto children = process.status.unrecordedChildren; children == 1)
        notes.add(rank, ": a forked child was not recorded");
    else if (children != 0)
        notes.add(rank, ": " + std::to_string(children) + " forked children were not recorded");
    for (const std::string& text : notesOfOtherThreads(process)) notes.add(rank, text);
    for (const auto& trouble : process.troubles) notes.add(rank, ": " + trouble);
    if (const std::string names = sharedCounters(process); !names.empty())
        notes.add(
            rank,
            ": " + names +
                " counted a part of the time only ('activeShares' in measurement.json), as others used the "
                "processor's registers, too: values are too small");
    if (!process.damage.empty()) notes.add(rank, ": " + process.damage);
}

}  // namespace

Selection selectProcesses(const std::vector<RecordedProcess>& all, std::vector<std::string>& notes) {
    const Groups groups = byLauncherRank(all);
    LeftOut leftOut;
    Processes ranks;
    for (const auto& one : all)
        if (isRank(one)) ranks.push_back(&one);
    Selection selection;
    if (ranks.empty())
        selection.processes = withoutMpi(groups, muchOf(all));
    else
        selection = byWorld(ranks, notes, leftOut);
    const Processes& chosen = selection.processes;
    if (chosen.empty())
        throw Error(
            "nothing was recorded: the command ended before a program began (shells, launchers and the like "
            "are not recorded themselves, only what they start), or the program did not load the recorder");
    ProcessNotes ofProcesses;
    for (std::uint32_t rank = 0; rank < chosen.size(); ++rank)
        if (chosen[rank] != nullptr) noteEnd(*chosen[rank], rank, ofProcesses);
    ofProcesses.moveTo(notes);
    addOthers(groups, chosen, leftOut);
    for (auto& note : leftOut.notes()) notes.push_back(std::move(note));
    return selection;
}

}  // namespace holos::archive
