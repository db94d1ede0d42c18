// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/window_waits.h"

#include <algorithm>

#include "tracing/recordings/format/vocabulary.h"
#include "tracing/recordings/format/waiting_notes.h"
#include "tracing/recordings/watch/call_names.h"

namespace holos::watch {

using archive::RecordedWindow;
using tracing::AwaitedKind;
using tracing::kAllProcesses;

namespace {

bool areSame(const RecordedWindow& one, const RecordedWindow& other) {
    return one.root == other.root && one.number == other.number;
}

bool concerns(std::uint32_t target, std::uint32_t other) {
    return target == other || target == kAllProcesses || other == kAllProcesses;
}

std::string ranksText(std::vector<std::uint32_t> ranks, const char* one, const char* several) {
    const bool isOne = ranks.size() == 1;
    return (isOne ? "rank " : "ranks ") + rangesOf(std::move(ranks)) + (isOne ? one : several);
}

}  // namespace

const RecordedWindow* WindowWaits::find(std::size_t process, std::uint32_t window) const {
    const auto& windows = context_.followed(process).definitions().windows;
    const auto found = windows.find(window);
    return found != windows.end() ? &found->second : nullptr;
}

bool WindowWaits::isOwnMemory(std::size_t process, const RecordedWindow& window, std::uint32_t target) const {
    const auto* const comm = Communicators::find(context_.followed(process), window.comm);
    const auto owner = comm != nullptr ? communicators_.worldRankOf(*comm, target) : std::nullopt;
    return owner && owner == context_.seen(process).rank;
}

/// One thread may ask for a lock and another one give it back: what was done last counts.
std::vector<WindowWaits::Use> WindowWaits::usesOf(std::size_t process, const RecordedWindow& window) const {
    std::vector<Use> uses;
    for (const SeenThread& thread : context_.seen(process).threads) {
        for (const auto& used : context_.followed(process).activity(thread.location)->windowLocks()) {
            const WindowTarget& key = used.first;
            const WindowLock& lock = used.second;
            const RecordedWindow* const known = find(process, key.window);
            if (known == nullptr || !areSame(*known, window)) continue;
            const auto same =
                std::ranges::find_if(uses, [&](const Use& one) { return one.target == key.target; });
            const bool isGranted = lock.isGranted || isOwnMemory(process, *known, key.target);
            if (same == uses.end())
                uses.push_back({key.target, lock, isGranted});
            else if (same->lock.ticks < lock.ticks)
                *same = {key.target, lock, isGranted};
        }
    }
    std::erase_if(uses, [](const Use& one) { return !one.lock.isAsked; });
    return uses;
}

/// It is in a call that may wait for a lock of the window, too.
bool WindowWaits::waitsThere(std::size_t process, const RecordedWindow& window) const {
    for (const SeenThread& thread : context_.seen(process).threads) {
        if (!thread.awaits || thread.left) continue;
        for (const AwaitedThing& thing : thread.awaits->things) {
            if (static_cast<AwaitedKind>(thing.kind) != AwaitedKind::WindowLock) continue;
            const RecordedWindow* const known = find(process, thing.comm);
            if (known != nullptr && areSame(*known, window)) return true;
        }
    }
    return false;
}

std::string WindowWaits::targetText(const ThreadAt& at, const RecordedWindow& window,
                                    std::uint32_t target) const {
    const FollowedProcess& process = context_.followed(at.process);
    const auto* const comm = Communicators::find(process, window.comm);
    const auto rank = comm != nullptr ? communicators_.worldRankOf(*comm, target) : std::nullopt;
    return (target == kAllProcesses ? "all ranks" : "rank " + std::to_string(rank.value_or(target))) +
           " in window " + std::to_string(window.number + 1) + " (" +
           CallNames::communicatorOf(process, window.comm) + ')';
}

WindowWaits::Others WindowWaits::othersThatUse(const ThreadAt& at, const RecordedWindow& window,
                                               std::uint32_t target, bool isExclusive) const {
    Others others;
    for (const auto& [rank, process] : context_.byRank()) {
        if (process == at.process || context_.seen(process).life == Life::Ended) continue;
        bool holds = false;
        bool asks = false;
        for (const Use& use : usesOf(process, window)) {
            if (!concerns(use.target, target) || !(isExclusive || use.lock.isExclusive)) continue;
            holds = holds || use.isGranted;
            asks = true;
        }
        if (holds)
            others.holders.push_back(rank);
        else if (asks && !waitsThere(process, window))
            others.askers.push_back(rank);
    }
    return others;
}

std::string WindowWaits::awaitCompletion(const ThreadAt& at, const RecordedWindow& window,
                                         std::uint32_t target, Wait& wait) const {
    const auto* const comm = Communicators::find(context_.followed(at.process), window.comm);
    const auto rank = comm != nullptr ? communicators_.worldRankOf(*comm, target) : std::nullopt;
    if (rank && !isOwnMemory(at.process, window, target)) context_.waitFor(wait, *rank, false);
    return "what it has done at " + targetText(at, window, target) + " to be complete";
}

std::string WindowWaits::awaitLock(const ThreadAt& at, const AwaitedThing& thing, Wait& wait) const {
    wait.isPartlyKnown = true;
    const RecordedWindow* const window = find(at.process, thing.comm);
    if (window == nullptr) return "a lock of a window that is not known";
    const std::uint32_t target = thing.peer;
    bool isGranted = false;
    bool isExclusive = false;
    for (const Use& use : usesOf(at.process, *window)) {
        if (!concerns(use.target, target)) continue;
        isGranted = isGranted || use.isGranted;
        isExclusive = isExclusive || use.lock.isExclusive;
    }
    const bool completes = thing.operation != 0;
    if (completes && isGranted) return awaitCompletion(at, *window, target, wait);
    const Others others = othersThatUse(at, *window, target, isExclusive);
    const bool isFree = others.holders.empty() && others.askers.empty();
    if (completes && isFree) return awaitCompletion(at, *window, target, wait);

    for (const std::uint32_t rank : others.holders) context_.waitFor(wait, rank);
    for (const std::uint32_t rank : others.askers) context_.waitFor(wait, rank, false);
    wait.isPartlyKnown = others.holders.empty();
    std::string text = "the lock of " + targetText(at, *window, target);
    if (isFree) text += ", whose holder is not known";
    if (!others.holders.empty()) text += ", which " + ranksText(others.holders, " holds", " hold");
    if (!others.askers.empty())
        text += ", for which " + ranksText(others.askers, " has", " have") + " asked and not given it back";
    return text;
}

std::int64_t WindowWaits::epochsOf(std::size_t process, const RecordedWindow& window, std::uint32_t with,
                                   std::string_view call) const {
    std::int64_t epochs = 0;
    const auto& groups = context_.followed(process).definitions().groups;
    for (const SeenThread& thread : context_.seen(process).threads)
        for (const auto& counted : context_.followed(process).activity(thread.location)->windowEpochs()) {
            const WindowEpoch& epoch = counted.first;
            const RecordedWindow* const known = find(process, epoch.window);
            const archive::RecordedRegion* const region = context_.region(process, epoch.region);
            const auto group = groups.find(epoch.group);
            if (known == nullptr || !areSame(*known, window) || region == nullptr || group == groups.end())
                continue;
            if (region->name == call && std::ranges::count(group->second, with) > 0) epochs += counted.second;
        }
    return epochs;
}

bool WindowWaits::knowsEpochsOf(std::size_t process) const {
    return std::ranges::all_of(context_.seen(process).threads, [&](const SeenThread& thread) {
        const ThreadActivity& activity = *context_.followed(process).activity(thread.location);
        return activity.messages().isComplete && !activity.isAddedUp();
    });
}

/// The n-th exposure to a process goes with its n-th access.
std::string WindowWaits::awaitEpoch(const ThreadAt& at, const AwaitedThing& thing, Wait& wait) const {
    wait.isPartlyKnown = true;
    const RecordedWindow* const window = find(at.process, thing.comm);
    const auto& groups = context_.followed(at.process).definitions().groups;
    const auto group = groups.find(thing.peer);
    const auto own = context_.seen(at.process).rank;
    if (window == nullptr || group == groups.end() || !own)
        return "others that use a window, which are not known";
    const bool isAccess = thing.operation == 0;
    const std::string name = "window " + std::to_string(window->number + 1) + " (" +
                             CallNames::communicatorOf(context_.followed(at.process), window->comm) + ')';
    std::vector<std::uint32_t> missing, unknown;
    for (const std::uint32_t rank : group->second) {
        const auto process = context_.byRank().find(rank);
        if (process == context_.byRank().end() || !knowsEpochsOf(process->second) ||
            !knowsEpochsOf(at.process)) {
            unknown.push_back(rank);
            continue;
        }
        const std::int64_t begun =
            epochsOf(at.process, *window, rank, isAccess ? "MPI_Win_start" : "MPI_Win_post");
        const std::int64_t answered =
            epochsOf(process->second, *window, *own, isAccess ? "MPI_Win_post" : "MPI_Win_complete");
        if (answered < begun) missing.push_back(rank);
    }
    for (const std::uint32_t rank : missing) context_.waitFor(wait, rank);
    wait.isPartlyKnown = missing.empty() || !unknown.empty();
    const char* const call = isAccess ? "MPI_Win_post" : "MPI_Win_complete";
    if (missing.empty() && unknown.empty() && !isAccess) return "the end of all accesses to " + name;
    if (missing.empty() && unknown.empty()) {
        for (const std::uint32_t rank : group->second) context_.waitFor(wait, rank, false);
        return "what it has done in " + name + " to be complete";
    }
    std::string text = std::string(call) + " for " + name;
    if (!missing.empty())
        text +=
            ", which " + ranksText(missing, " has", " have") + (isAccess ? " not called" : " not completed");
    if (!unknown.empty()) text += ", and nothing is known of " + ranksText(unknown, "", "");
    return text;
}

}  // namespace holos::watch
