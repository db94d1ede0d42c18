// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/waits.h"

#include <algorithm>

#include "tracing/recordings/format/waiting_notes.h"
#include "tracing/recordings/watch/process_waits.h"
#include "tracing/recordings/watch/thread_waits.h"
#include "tracing/recordings/watch/wait_context.h"

namespace holos::watch {
namespace {

using tracing::AwaitedKind;

void makeUnique(std::vector<std::size_t>& places) {
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
}

/// Joins who is waited for in any case and who perhaps is: they were found apart.
void join(Wait& wait) {
    makeUnique(wait.whom);
    makeUnique(wait.perhaps);
    std::erase_if(wait.perhaps, [&](std::size_t one) { return std::ranges::binary_search(wait.whom, one); });
    wait.whom.insert(wait.whom.end(), wait.perhaps.begin(), wait.perhaps.end());
    std::ranges::sort(wait.whom);
}

/// What is shown as 0 ms is no wait yet.
bool isTooShort(const Duration& since) {
    constexpr double kShown = 0.5e-3;
    return !since.isAtLeast && since.seconds < kShown;
}

class Finder {
  public:
    Finder(const WaitContext& context, std::vector<std::string>& remarks)
        : context_(context), processes_(context, remarks) {}

    Wait find(const ThreadAt& at) {
        Wait wait;
        const SeenProcess& process = context_.seen(at.process);
        const SeenThread& thread = context_.thread(at);
        const auto* const region = context_.regionOf(at.process, thread);
        if (process.life == Life::Ended || process.life == Life::Crashed || region == nullptr) return wait;
        if (isTooShort(thread.since)) {
            wait.isPartlyKnown = true;
            return wait;
        }
        if (thread.awaits)
            wait.what = awaited(at, *thread.awaits, wait);
        else if (isBarrier(*region))
            wait.what = awaitTeam(context_, at, wait);
        else if (region->name == "MPI_Finalize")
            wait.what = processes_.awaitFinalize(at, wait);
        else if (thread.now == Activity::Mpi || thread.now == Activity::Waiting)
            wait = {"something in " + region->name, {}, false, true};
        if (!thread.stays) {
            wait.whom.clear();
            wait.perhaps.clear();
            wait.isPartlyKnown = true;
        }
        join(wait);
        const bool isPolling = context_.followed(at.process).activity(thread.location)->polling().has_value();
        if (isPolling) wait.perhaps = wait.whom;  // it may do something else next time
        return wait;
    }

  private:
    std::string awaited(const ThreadAt& at, const Awaited& all, Wait& wait) {
        std::string text = all.oneIsEnough ? "one of: " : "";
        wait.oneIsEnough = all.oneIsEnough;
        bool isPartlyKnown = false;
        for (std::size_t i = 0; i < all.things.size(); ++i) {
            text += (i == 0 ? "" : "; ") + awaited(at, all.things[i], wait);
            isPartlyKnown |= wait.isPartlyKnown;
        }
        const bool areMore = all.count > all.things.size();
        if (areMore) text += "; and " + std::to_string(all.count - all.things.size()) + " more";
        wait.isPartlyKnown = isPartlyKnown || areMore;
        return text;
    }
    std::string awaited(const ThreadAt& at, const AwaitedThing& thing, Wait& wait) {
        switch (static_cast<AwaitedKind>(thing.kind)) {
            case AwaitedKind::Receive:
                return processes_.awaitReceive(at, thing, wait);
            case AwaitedKind::Send:
                return processes_.awaitSend(at, thing, wait);
            case AwaitedKind::Collective:
                return processes_.awaitCollective(at, thing, wait);
            case AwaitedKind::Lock:
                return awaitLock(context_, at, thing, wait);
            case AwaitedKind::ThreadEnd:
                return awaitThreadEnd(context_, at, thing, wait);
            default:
                wait.isPartlyKnown = true;
                return "something that is not known";
        }
    }

    const WaitContext& context_;
    ProcessWaits processes_;
};

}  // namespace

WaitGraph Waits::graph() const {
    WaitGraph graph;
    for (const Wait& wait : waits)
        graph.nodes.push_back({wait.whom, wait.oneIsEnough, wait.isPartlyKnown, wait.perhaps});
    return graph;
}

Waits findWaits(const FollowedRun& run) {
    const WaitContext context(run);
    Waits waits{context.threads(), {}, {}};
    Finder finder(context, waits.remarks);
    for (const ThreadAt& at : waits.threads) waits.waits.push_back(finder.find(at));
    if (const std::size_t others = run.picture().otherWorlds; others != 0)
        waits.remarks.push_back(
            "ranks are those of one of " + std::to_string(others + 1) +
            " MPI jobs or worlds; for whom the processes of the others wait is not known");
    return waits;
}

std::string nameOf(const SeenProcess& process) {
    if (process.rank) return "rank " + std::to_string(*process.rank);
    return "process " + std::to_string(process.pid) + " on " + process.host;
}

std::string nameOf(const Picture& picture, const ThreadAt& at) {
    const SeenProcess& process = picture.processes[at.process];
    const std::string name = nameOf(process);
    return at.thread == 0 ? name : name + ", " + process.threads[at.thread].name;
}

/// Of many parts the first ones and the last one.
std::string rangesOf(std::vector<std::uint32_t> numbers) {
    constexpr std::size_t kMostParts = 16;
    std::ranges::sort(numbers);
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        parts.push_back(std::to_string(numbers[i]));
        if (last > i) parts.back() += (last == i + 1 ? "," : "-") + std::to_string(numbers[last]);
        i = last + 1;
    }
    const bool isFolded = parts.size() > kMostParts;
    std::string text;
    for (std::size_t i = 0; i < (isFolded ? kMostParts - 1 : parts.size()); ++i)
        text += (text.empty() ? "" : ",") + parts[i];
    if (isFolded) text += ",…," + parts.back() + " (" + std::to_string(numbers.size()) + " in all)";
    return text;
}

}  // namespace holos::watch
