// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/thread_waits.h"

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

}  // namespace

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
    return lock + ", which " + nameOf(context.picture(), context.threads()[*holder]) + " holds";
}

bool isBarrier(const archive::RecordedRegion& region) {
    return region.paradigm == tracing::Paradigm::OpenMp &&
           (region.role == Role::Barrier || region.role == Role::ImplicitBarrier);
}

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

}  // namespace holos::watch
