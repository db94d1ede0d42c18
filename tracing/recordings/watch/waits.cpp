// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/waits.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "tracing/recordings/format/waiting_notes.h"
#include "tracing/recordings/watch/kernel_threads.h"
#include "tracing/recordings/watch/process_waits.h"
#include "tracing/recordings/watch/window_waits.h"

namespace holos::watch {
namespace {

using tracing::LocationKind;
using tracing::Role;

std::optional<LockUse> useOf(const WaitContext& context, const ThreadAt& at, std::uint32_t location,
                             std::uint32_t lock) {
    const ThreadActivity* const activity = context.followed(at.process).activity(location);
    if (activity == nullptr) return std::nullopt;
    const auto found = activity->locks().find(lock);
    return found != activity->locks().end() ? std::optional(found->second) : std::nullopt;
}

/// Acquisitions that nobody had to wait for are not recorded: then the holder is known from the start of the
/// wait only, and may have released the lock since.
std::optional<std::size_t> holderOf(const WaitContext& context, const ThreadAt& at,
                                    const AwaitedThing& thing) {
    for (const SeenThread& thread : context.seen(at.process).threads) {
        const auto use = useOf(context, at, thread.location, thing.tag);
        const auto place = context.placeOf(at.process, thread.location);
        if (use && use->isHeld && place) return place;
    }
    const auto location = thing.comm != 0   ? std::optional(thing.comm - 1)
                          : thing.peer != 0 ? context.followed(at.process).locationOf(thing.peer)
                                            : std::nullopt;
    if (!location) return std::nullopt;
    const auto use = useOf(context, at, *location, thing.tag);
    const bool isReleased = use && !use->isHeld && use->ticks >= context.thread(at).open.back().ticks;
    return isReleased ? std::nullopt : context.placeOf(at.process, *location);
}

bool isOf(const archive::RecordedTeam& team, std::uint32_t number,
          const archive::RecordedLocation& location) {
    if (number == team.master) return true;
    return location.kind == LocationKind::Place && location.master == team.master &&
           location.level == team.level && location.number < team.size;
}

/// For what threads of one process wait for each other. Each adds those who are waited for to a wait, and
/// says what it is in words.
std::string awaitThreadEnd(const WaitContext& context, const ThreadAt& at, const AwaitedThing& thing,
                           Wait& wait) {
    if (thing.peer == 0) {
        wait.isPartlyKnown = true;
        return "the end of a thread that had not started when the wait began";
    }
    for (const auto& [number, location] : context.followed(at.process).definitions().locations)
        if (location.kind == LocationKind::Thread && location.number == thing.peer)
            if (const auto place = context.placeOf(at.process, number)) wait.whom.push_back(*place);
    wait.isPartlyKnown |= wait.whom.empty();
    return "the end of thread " + std::to_string(thing.peer);
}

std::string awaitLock(const WaitContext& context, const ThreadAt& at, const AwaitedThing& thing, Wait& wait) {
    const std::string lock = "lock " + std::to_string(thing.tag);
    const auto holder = holderOf(context, at, thing);
    wait.isPartlyKnown |= !holder;
    if (!holder) return lock + ", whose holder is not known";
    wait.whom.push_back(*holder);
    return lock + ", which " + threadName(context.picture(), context.threads()[*holder]) + " holds";
}

/// Threads by what they last did where others wait: something that ends their waiting, or anything else.
enum class UsedFor : std::uint8_t { EndingWaits, OtherThings };
std::vector<std::size_t> usersOf(const WaitContext& context, const ThreadAt& at, std::uint32_t lock,
                                 UsedFor what) {
    std::vector<std::size_t> users;
    for (const SeenThread& thread : context.seen(at.process).threads) {
        const auto use = useOf(context, at, thread.location, lock);
        const auto place = context.placeOf(at.process, thread.location);
        const bool isOwn = thread.location == context.thread(at).location;
        if (use && place && !isOwn && use->ended == (what == UsedFor::EndingWaits)) users.push_back(*place);
    }
    return users;
}

std::string namesOf(const WaitContext& context, const std::vector<std::size_t>& places) {
    std::string names;
    for (const std::size_t place : places)
        names += (names.empty() ? "" : ", ") + threadName(context.picture(), context.threads()[place]);
    return names;
}

/// Who came to the barrier before and is not there now. They need not come again, and others may.
std::string awaitBarrier(const WaitContext& context, const ThreadAt& at, const AwaitedThing& thing,
                         Wait& wait) {
    const std::string barrier = "the others at barrier " + std::to_string(thing.tag);
    wait.isPartlyKnown = true;
    wait.perhaps = usersOf(context, at, thing.tag, UsedFor::OtherThings);
    if (wait.perhaps.empty()) return barrier;
    return barrier + "; not there, but came before: " + namesOf(context, wait.perhaps);
}

/// Who posted before while somebody waited.
std::string awaitPost(const WaitContext& context, const ThreadAt& at, const AwaitedThing& thing, Wait& wait) {
    const std::string semaphore = "semaphore " + std::to_string(thing.tag);
    wait.isPartlyKnown = true;
    wait.perhaps = usersOf(context, at, thing.tag, UsedFor::EndingWaits);
    if (wait.perhaps.empty()) return semaphore + ", for which nobody is known to post";
    return semaphore + ", for which posted before: " + namesOf(context, wait.perhaps);
}

/// Whether a region is a barrier of OpenMP.
bool isBarrier(const archive::RecordedRegion& region) {
    return region.paradigm == tracing::Paradigm::OpenMp &&
           (region.role == Role::Barrier || region.role == Role::ImplicitBarrier);
}

/// The others of its team, which are not in a barrier.
std::string awaitTeam(const WaitContext& context, const ThreadAt& at, Wait& wait) {
    const archive::RecordedProcess& definitions = context.followed(at.process).definitions();
    const std::uint32_t own = context.thread(at).location;
    const ThreadActivity* const activity = context.followed(at.process).activity(own);
    const auto team = definitions.teams.find(activity != nullptr ? activity->team() : 0);
    wait.isPartlyKnown = team == definitions.teams.end();
    if (wait.isPartlyKnown) return "the other threads of its team";
    std::string late;
    std::uint32_t members = 0;
    for (const SeenThread& thread : context.seen(at.process).threads) {
        const auto location = definitions.locations.find(thread.location);
        const bool isMember =
            location != definitions.locations.end() && isOf(team->second, thread.location, location->second);
        if (!isMember) continue;
        ++members;
        const auto* const region = context.regionOf(at.process, thread);
        if (thread.location == own || (region != nullptr && isBarrier(*region))) continue;
        late += (late.empty() ? "" : ", ") + thread.name;
        if (const auto place = context.placeOf(at.process, thread.location)) wait.whom.push_back(*place);
    }
    wait.isPartlyKnown = members < team->second.size;
    if (late.empty()) return "the other threads of its team";
    return "the other threads of its team, of which " + late + " is not in a barrier";
}

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
        if (thread.sleeps)
            wait.isPartlyKnown = true;
        else if (thread.awaits)
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
            case AwaitedKind::Barrier:
                return awaitBarrier(context_, at, thing, wait);
            case AwaitedKind::Semaphore:
                return awaitPost(context_, at, thing, wait);
            case AwaitedKind::WindowLock:
                return WindowWaits(context_, processes_.communicators()).awaitLock(at, thing, wait);
            case AwaitedKind::WindowEpoch:
                return WindowWaits(context_, processes_.communicators()).awaitEpoch(at, thing, wait);
            default:
                wait.isPartlyKnown = true;
                return "something that is not known";
        }
    }

    const WaitContext& context_;
    ProcessWaits processes_;
};

/// At a condition without a timeout.
bool waitsForASignal(const WaitContext& context, const ThreadAt& at) {
    const auto* const region = context.regionOf(at.process, context.thread(at));
    return region != nullptr && region->name == "pthread_cond_wait";
}

/// Nothing but another thread of its process lets it go on.
bool waitsForItsProcess(const WaitContext& context, const ThreadAt& at, const Wait& wait) {
    const SeenThread& thread = context.thread(at);
    if (!thread.stays) return false;
    if (waitsForASignal(context, at)) return true;
    if (!thread.awaits || thread.awaits->count != 1 || wait.isPartlyKnown) return false;
    const auto kind = static_cast<AwaitedKind>(thread.awaits->things.front().kind);
    return kind == AwaitedKind::ThreadEnd || kind == AwaitedKind::Lock;
}

/// The kernel knows of threads that are not recorded, or of one that is about to go on.
bool mayHaveMoreThreads(const WaitContext& context, std::size_t process, std::size_t recorded) {
    const auto pid = pidHere(context.followed(process).folder());
    const auto threads = pid ? kernelThreads(*pid) : std::nullopt;
    return threads && (threads->number > recorded || !threads->allSleep);
}

/// All threads of a process wait for each other, some of them for a signal.
std::vector<std::string> remarksOnSignals(const WaitContext& context, const std::vector<Wait>& waits) {
    struct Stuck {
        std::size_t threads = 0;
        bool isAll = true;
        bool forSignals = false;
    };
    std::map<std::size_t, Stuck> processes;
    for (std::size_t i = 0; i < waits.size(); ++i) {
        const ThreadAt& at = context.threads()[i];
        Stuck& stuck = processes[at.process];
        ++stuck.threads;
        stuck.isAll = stuck.isAll && waitsForItsProcess(context, at, waits[i]);
        stuck.forSignals = stuck.forSignals || waitsForASignal(context, at);
    }
    std::vector<std::string> remarks;
    for (const auto& one : processes) {
        const std::size_t process = one.first;
        const Stuck& stuck = one.second;
        const Life life = context.seen(process).life;
        if (!stuck.isAll || !stuck.forSignals || life == Life::Ended || life == Life::Crashed) continue;
        if (mayHaveMoreThreads(context, process, stuck.threads)) continue;
        const std::string name = processName(context.seen(process));
        remarks.push_back(stuck.threads == 1
                              ? "the only thread of " + name +
                                    " waits in pthread_cond_wait for a signal that no other one can give"
                              : "all " + std::to_string(stuck.threads) + " threads of " + name +
                                    " wait for each other, or in pthread_cond_wait for a signal that none of "
                                    "them can give");
    }
    return remarks;
}

}  // namespace

const ThreadAt& Waits::at(std::size_t place) const {
    return threads[place < threads.size() ? place : processes[place - threads.size()].front()];
}

/// A thread that waits for something that is not known may be woken, and then do what others wait for.
WaitGraph::Node Waits::nodeOf(const std::vector<std::size_t>& process) const {
    WaitGraph::Node node;
    node.oneIsEnough = true;
    node.isProcess = true;
    const std::size_t first = process.front();
    if (waits[first].what.empty()) {
        node.whom = {first};
        return node;
    }
    bool mayBeWoken = false;
    for (const std::size_t one : process) {
        const bool isNotKnown =
            waits[one].whom.empty() && (!waits[one].what.empty() || waits[one].isPartlyKnown);
        mayBeWoken |= isNotKnown;
        if (!isNotKnown) node.whom.push_back(one);
    }
    if (node.whom.empty()) node.whom = {first};
    if (mayBeWoken) node.perhaps = node.whom;
    return node;
}

WaitGraph Waits::graph() const {
    WaitGraph graph;
    for (const Wait& wait : waits)
        graph.nodes.push_back({wait.whom, wait.oneIsEnough, wait.isPartlyKnown, wait.perhaps, false});
    for (const auto& process : processes) graph.nodes.push_back(nodeOf(process));
    return graph;
}

Waits findWaits(const FollowedRun& run) {
    const WaitContext context(run);
    Waits waits{context.threads(), {}, {}, context.processes()};
    Finder finder(context, waits.remarks);
    for (const ThreadAt& at : waits.threads) waits.waits.push_back(finder.find(at));
    for (std::string& remark : remarksOnSignals(context, waits.waits))
        waits.remarks.push_back(std::move(remark));
    if (const std::size_t others = run.picture().otherWorlds; others != 0)
        waits.remarks.push_back(
            "ranks are those of one of " + std::to_string(others + 1) +
            " MPI jobs or worlds; for whom the processes of the others wait is not known");
    return waits;
}

std::string processName(const SeenProcess& process) {
    if (process.rank) return "rank " + std::to_string(*process.rank);
    return "process " + std::to_string(process.pid) + " on " + process.host;
}

std::string threadName(const Picture& picture, const ThreadAt& at) {
    const SeenProcess& process = picture.processes[at.process];
    const std::string name = processName(process);
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

namespace {

/// A place of OpenMP outside of parallel regions does nothing until the thread that has it forks.
bool isIdlePlace(const FollowedProcess& process, const SeenThread& thread) {
    const auto location = process.definitions().locations.find(thread.location);
    return location != process.definitions().locations.end() &&
           location->second.kind == LocationKind::Place && thread.open.empty();
}

}  // namespace

/// Of several processes of one rank, which ran one after the other, the last one that lives counts.
WaitContext::WaitContext(const FollowedRun& run) : run_(run) {
    std::vector<std::vector<std::size_t>> active;  // threads of each process
    for (std::size_t p = 0; p < picture().processes.size(); ++p) {
        const SeenProcess& process = seen(p);
        if (process.rank && process.life != Life::Ended) byRank_[*process.rank] = p;
        if (process.rank) byRank_.try_emplace(*process.rank, p);
        active.emplace_back();
        for (std::size_t t = 0; t < process.threads.size(); ++t) {
            if (process.threads[t].hasEnded) continue;
            const bool isFirst = active.back().empty();
            if (isFirst || !isIdlePlace(followed(p), process.threads[t]))
                active.back().push_back(threads_.size());
            places_[{p, process.threads[t].location}] = threads_.size();
            threads_.push_back({p, t});
        }
    }
    for (auto& threads : active) {
        placeOfProcess_.push_back(threads.empty()       ? std::nullopt
                                  : threads.size() == 1 ? std::optional(threads.front())
                                                        : threads_.size() + processes_.size());
        if (threads.size() > 1) processes_.push_back(std::move(threads));
    }
}

std::optional<std::size_t> WaitContext::placeOf(std::size_t process, std::uint32_t location) const {
    const auto found = places_.find({process, location});
    return found != places_.end() ? std::optional(found->second) : std::nullopt;
}

const archive::RecordedRegion* WaitContext::region(std::size_t process, std::uint32_t ref) const {
    const auto& regions = followed(process).definitions().regions;
    const auto found = regions.find(ref);
    return found != regions.end() ? &found->second : nullptr;
}

const archive::RecordedRegion* WaitContext::regionOf(std::size_t process, const SeenThread& thread) const {
    return thread.open.empty() || thread.left ? nullptr : region(process, thread.open.back().region);
}

void WaitContext::waitFor(Wait& wait, std::uint32_t worldRank, bool isSure) const {
    const auto process = byRank_.find(worldRank);
    const auto place = process != byRank_.end() ? placeOfProcess_[process->second] : std::nullopt;
    if (place)
        (isSure ? wait.whom : wait.perhaps).push_back(*place);
    else
        wait.isPartlyKnown = true;
}

}  // namespace holos::watch
