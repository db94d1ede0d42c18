// SPDX-License-Identifier: BSD-3-Clause
//
// Lock Competition: access waits until another process gives the target's lock back. One of the two locks is
// exclusive.
//
//   rank 0  ──┤Lock├┤Put├───┤ Unlock ├──              w = release by rank 0 − E(call that lasts until then)
//   rank 1  ───────┤ Lock ···········├┤Put├┤Unlock├──
//
// An operation with a request may be waited for in the call that completes it, too.
//
// Wait for Progress: access waits until its target calls MPI, because nothing else carries it out there.
//
//   origin  ──┤ Unlock ········├──                    w = E(target's call) − E(Unlock)
//   target  ────────────────┤ Recv ├──
//
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "analyzer/matching/epochs.h"
#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"
#include "analyzer/patterns/presence.h"
#include "analyzer/patterns/rma_calls.h"
#include "analyzer/trace/comm_members.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kLockedPicture{
    {{"owner", "Lock … Unlock", "---==========-------"}, {"origin", "Lock", "------#######====---"}},
    {{0, 13, 1, 13}}};

const algebra::Picture kProgressPicture{
    {{"target", "MPI call", "------------====----"}, {"origin", "access", "----########===-----"}},
    {{0, 12, 1, 12}}};

const Metric kRmaSyncLock{.parent = "mpi_rma_sync_passive",
                          .uniqueName = "mpi_rma_sync_lock_competition",
                          .displayName = "Lock Competition",
                          .description =
                              "Time that a synchronization waits for another process to give the lock of a "
                              "target back. Hold locks shorter, or share them.",
                          .picture = &kLockedPicture,
                          .meaning = "processes compete for the lock of a window",
                          .activity = Activity::None};
const Metric kRmaCommLock{.parent = "mpi_rma_communication",
                          .uniqueName = "mpi_rma_comm_lock_competition",
                          .displayName = "Lock Competition",
                          .description =
                              "Time that a one-sided operation waits for another process to give the lock of "
                              "its target back. Hold locks shorter, or share them.",
                          .picture = &kLockedPicture,
                          .meaning = "one-sided operations compete for the lock of a window",
                          .activity = Activity::None};
const Metric kRmaSyncProgress{
    .parent = "mpi_rma_sync_passive",
    .uniqueName = "mpi_rma_sync_wait_for_progress",
    .displayName = "Wait for Progress",
    .description =
        "Time that a synchronization waits for a target that is outside of MPI, so that nothing carries the "
        "access out there. Let targets call MPI more often, or use asynchronous progress.",
    .picture = &kProgressPicture,
    .meaning = "an epoch waits for the target to call MPI",
    .activity = Activity::None};
const Metric kRmaCommProgress{
    .parent = "mpi_rma_communication",
    .uniqueName = "mpi_rma_comm_wait_for_progress",
    .displayName = "Wait for Progress",
    .description =
        "Time that a one-sided operation waits for a target that is outside of MPI, so that nothing carries "
        "it out there. Let targets call MPI more often, or use asynchronous progress.",
    .picture = &kProgressPicture,
    .meaning = "a one-sided operation waits for the target to call MPI",
    .activity = Activity::None};

using matching::CallRef;
using matching::RmaRef;
using replay::Call;
using replay::RmaRecord;
using trace::LocationId;
using trace::ProcessId;

struct EpochCall {
    CallRef call;
    bool isAccess;
    bool competed = false;
};

/// From a lock to its release at one target.
struct Epoch {
    ProcessId origin;
    bool exclusive;
    RmaRef unlock;  ///< not known where the trace ends before
    Ticks begin;    ///< of the call that gives the lock back
    Ticks release;
    std::vector<EpochCall> calls;
};

constexpr Ticks kNeverReleased = std::numeric_limits<Ticks>::max();

/// Window and target.
using Lock = std::pair<std::uint32_t, ProcessId>;

/// A lock that is held, at one target or at all.
struct Held {
    bool exclusive;
    CallRef call;
    std::optional<ProcessId> target;                      ///< nothing for all
    std::map<ProcessId, std::vector<EpochCall>> targets;  ///< accesses
    std::vector<EpochCall> everywhere;                    ///< calls that concern all targets
};

class Collector {
  public:
    Collector(const replay::ReplayedTrace& trace, std::map<Lock, std::vector<Epoch>>& epochs)
        : trace_(trace), epochs_(epochs) {}

    void collect(ProcessId origin) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, Held> held;  // by window and target
        for (const RmaRef ref : matching::oneSidedOf(trace_, trace_.definitions[origin])) {
            const RmaRecord& record = ref.in(trace_);
            const CallRef call = ref.callIn(trace_);
            const auto key = std::pair(record.window, record.target);
            if (record.kind == RmaRecord::Kind::Lock) {
                held[key] = {record.exclusive, call, processOf(ref), {}, {}};
                continue;
            }
            auto open = held.find(key);
            if (open == held.end()) open = held.find({record.window, replay::kNone});
            if (record.kind == RmaRecord::Kind::Flush) {
                for (auto& [lock, holding] : held)
                    if (lock.first == record.window) holding.everywhere.push_back({call, false});
            } else if (open == held.end()) {
                continue;
            } else if (record.kind == RmaRecord::Kind::Access || record.kind == RmaRecord::Kind::Completion) {
                if (const auto target = processOf(ref)) open->second.targets[*target].push_back({call, true});
            } else if (record.kind == RmaRecord::Kind::Unlock) {
                const Epoch end{origin, open->second.exclusive, ref, call.in(trace_).enter, record.time, {}};
                open->second.everywhere.push_back({call, false});
                add(record.window, open->second, end);
                held.erase(open);
            }
        }
        for (auto& [key, holding] : held)
            add(key.first, holding, {origin, holding.exclusive, {}, kNeverReleased, kNeverReleased, {}});
    }

  private:
    std::optional<ProcessId> processOf(const RmaRef& ref) const {
        const RmaRecord& record = ref.in(trace_);
        return trace::peerProcess(trace_.definitions, record.window, ref.location, record.target);
    }

    /// `end`: an epoch that does not know its calls.
    void add(std::uint32_t window, Held& held, const Epoch& end) {
        if (held.target)
            held.targets[*held.target];  // a lock without access concerns its target all the same
        for (const auto& [target, accesses] : held.targets) {
            Epoch epoch = end;
            epoch.calls.push_back({held.call, false});
            epoch.calls.insert(epoch.calls.end(), accesses.begin(), accesses.end());
            epoch.calls.insert(epoch.calls.end(), held.everywhere.begin(), held.everywhere.end());
            epochs_[{window, target}].push_back(std::move(epoch));
        }
    }

    const replay::ReplayedTrace& trace_;
    std::map<Lock, std::vector<Epoch>>& epochs_;
};

/// What one call waited for several targets happens at the same time: the longest wait counts. What it waited
/// for messages and collective operations meanwhile is theirs already.
class LongestWaits {
  public:
    void note(const OneSidedWait& wait) {
        OneSidedWait& known = longest_[{wait.waiter.location, wait.waiter.position}];
        if (wait.wait > known.wait) known = wait;
    }
    void handOver(const replay::ReplayedTrace& trace, AllFindings& found) const {
        for (auto [key, wait] : longest_) {
            wait.wait -= found[key.first.index()].calls.waited(key.second);
            if (wait.wait > 0) addWait(trace, wait, Kind::RmaPassive, found);
        }
    }

  private:
    std::map<std::pair<LocationId, std::uint32_t>, OneSidedWait> longest_;
};

/// Whether the lock that is given back later was had first: the two calls that give it back overlap, so that
/// their ends, which may come at any time after the target has passed the lock on, tell nothing.
bool isHadFirst(const replay::ReplayedTrace& trace, const Epoch& later, const Epoch& sooner) {
    const auto isHeldUp = [&](const Epoch& epoch, Ticks time) {
        return std::any_of(epoch.calls.begin(), epoch.calls.end() - 1,
                           [&](const EpochCall& call) { return isWithin(time, call.call.in(trace)); });
    };
    if (later.begin >= sooner.release) return false;
    // Who came to it first had to wait for the other one, unless that was held up itself.
    return later.begin > sooner.begin ? !isHeldUp(later, sooner.begin) : isHeldUp(sooner, later.begin);
}

/// In the order in which the lock was had.
void sortEpochs(const replay::ReplayedTrace& trace, std::vector<Epoch>& epochs) {
    std::ranges::stable_sort(epochs, {}, &Epoch::release);
    for (std::size_t i = 1; i < epochs.size(); ++i)
        if (isHadFirst(trace, epochs[i], epochs[i - 1])) std::swap(epochs[i - 1], epochs[i]);
}

/// What a call waits for another one's release: nothing when it does not.
std::optional<OneSidedWait> waitFor(const replay::ReplayedTrace& trace, const Epoch& before,
                                    const EpochCall& call) {
    const Call& around = call.call.in(trace);
    OneSidedWait wait{call.isAccess ? &kRmaCommLock : &kRmaSyncLock, call.call, before.unlock.callIn(trace),
                      before.release - around.enter, &before.unlock.in(trace)};
    if (isWithin(before.release, around)) return wait;
    if (!isWithin(before.begin, around) || around.leave > before.release) return {};
    // It went on before the other one was through with giving the lock back.
    wait.release = nullptr;
    wait.wait = before.begin - around.enter;
    return wait;
}

void competition(const replay::ReplayedTrace& trace, std::vector<Epoch>& epochs, LongestWaits& waits) {
    sortEpochs(trace, epochs);
    const Epoch* latest = nullptr;
    const Epoch* latestExclusive = nullptr;
    for (Epoch& epoch : epochs) {
        const Epoch* before = epoch.exclusive ? latest : latestExclusive;
        for (EpochCall& call : epoch.calls) {
            if (before == nullptr || before->release == kNeverReleased || before->origin == epoch.origin)
                break;
            const auto wait = waitFor(trace, *before, call);
            if (!wait) continue;
            call.competed = true;
            waits.note(*wait);
            if (wait->release == nullptr && !call.isAccess) break;  // it has the lock now
        }
        latest = &epoch;
        if (epoch.exclusive) latestExclusive = &epoch;
    }
}

void progress(const replay::ReplayedTrace& trace, const std::vector<Epoch>& epochs, const Presence& target,
              LongestWaits& waits) {
    for (const Epoch& epoch : epochs)
        for (const EpochCall& call : epoch.calls) {
            const Call& around = call.call.in(trace);
            const Presence::Stay* stay = target.nextStay(around.enter);
            if (call.competed || stay == nullptr || !isWithin(stay->enter, around)) continue;
            waits.note({call.isAccess ? &kRmaCommProgress : &kRmaSyncProgress, call.call, stay->call,
                        stay->enter - around.enter});
        }
}

void findInTrace(const matching::MatchedTrace& run, AllFindings& found) {
    const replay::ReplayedTrace& trace = run.trace;
    std::map<Lock, std::vector<Epoch>> epochs;
    for (std::size_t i = 0; i < trace.definitions.processes.size(); ++i)
        Collector(trace, epochs).collect(ProcessId(i));
    std::map<ProcessId, Presence> presences;
    LongestWaits waits;
    for (auto& [lock, list] : epochs) {
        const ProcessId target = lock.second;
        competition(trace, list, waits);
        const auto presence = presences.try_emplace(target, trace, target).first;
        std::erase_if(list,
                      [&](const Epoch& epoch) { return epoch.origin == target; });  // it is in MPI itself
        progress(trace, list, presence->second, waits);
    }
    waits.handOver(trace, found);
}

}  // namespace

extern const Pattern kPassiveTargetPattern{
    .metrics = {&kRmaSyncLock, &kRmaSyncProgress},
    .delays = {{Kind::RmaPassive, "delay_rma", "delay_rma_passive", "Passive Target",
                "Delays of those who hold a lock, or of targets that others need to call MPI."}},
    .inTrace = findInTrace};

extern const Pattern kPassiveAccessPattern{.metrics = {&kRmaCommLock, &kRmaCommProgress}};

}  // namespace holos::analyzer::patterns
