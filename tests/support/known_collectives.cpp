// SPDX-License-Identifier: BSD-3-Clause
// Collective operations of all processes. Who is waited for worked longer, in each scene by as much as it is
// waited for.
#include <algorithm>

#include "tests/support/known_scenes.h"

namespace holos::testing {
namespace {

constexpr std::uint64_t kBytes = 8;

void take(Actor& actor, Tick begin, Tick end, OTF2_CollectiveOp operation, const Share& share,
          const std::string& metric, Tick wait) {
    actor.call(begin, end, functionOf(operation), [&] {
        actor.script().collectiveBegin(begin).collectiveEnd(end, operation, share);
        actor.addTime(metric, wait);
    });
}

/// All wait for the last one, and then leave one after the other.
void together(Actor& actor, const Play& play, OTF2_CollectiveOp operation, const std::string& wait,
              const std::string& completion, const std::string& delay) {
    const Tick own = play.arrival(actor.rank());
    const Latest latest = play.latest();
    const Tick behindTheFirst = actor.rank() % 50 * kStep;
    const bool isBarrier = operation == OTF2_COLLECTIVE_OP_BARRIER;
    const std::uint64_t bytes = isBarrier ? 0 : kBytes;
    if (actor.rank() == latest.rank) actor.addTime(delay, actor.path(kWork), play.waitOfAll(latest.time));
    actor.addTime(completion, actor.path(functionOf(operation)), behindTheFirst);
    take(actor, own, latest.time + 10 * kStep + behindTheFirst, operation, {bytes, bytes}, wait,
         latest.time - own);
}

/// All wait for the root, another one in each round.
void fromOne(Actor& actor, const Play& play) {
    const auto root = static_cast<unsigned>(play.round % play.shape.processes);
    const Tick own = play.arrival(actor.rank());
    const Tick ofRoot = play.arrival(root);
    const bool isRoot = actor.rank() == root;
    if (isRoot) actor.addTime("delay_12n", actor.path(kWork), play.waitOfAll(ofRoot));
    take(actor, own, std::max(own, ofRoot) + 20 * kStep, OTF2_COLLECTIVE_OP_BCAST,
         {.sent = isRoot ? kBytes : 0, .received = isRoot ? 0 : kBytes, .root = root}, "mpi_latebroadcast",
         ofRoot - std::min(own, ofRoot));
}

/// The root waits for the last of the others.
void toOne(Actor& actor, const Play& play) {
    const auto root = static_cast<unsigned>(play.round % play.shape.processes);
    const Tick own = play.arrival(actor.rank());
    const Latest latest = play.latest(root);
    const Tick ofRoot = play.arrival(root);
    const Tick wait = latest.time - std::min(latest.time, ofRoot);
    const bool isRoot = actor.rank() == root;
    if (!isRoot && actor.rank() == latest.rank) actor.addTime("delay_n21", actor.path(kWork), wait);
    take(actor, own, isRoot ? std::max(own, latest.time) + 20 * kStep : own + 10 * kStep,
         OTF2_COLLECTIVE_OP_REDUCE,
         {.sent = isRoot ? 0 : kBytes, .received = isRoot ? kBytes : 0, .root = root}, "mpi_earlyreduce",
         isRoot ? wait : 0);
}

/// What ranks above wait for this one, up to the next one that comes later.
Tick waitOfRanksAbove(const Actor& actor, const Play& play) {
    const Tick own = play.arrival(actor.rank());
    Tick wait = 0;
    for (unsigned above = actor.rank() + 1; above < play.shape.processes; ++above) {
        const Tick other = play.arrival(above);
        if (other > own) break;
        wait += own - other;
    }
    return wait;
}

/// Each waits for the last of the ranks below.
void scan(Actor& actor, const Play& play) {
    const Tick own = play.arrival(actor.rank());
    Tick& latest = play.meetings.scannedTo[play.round];
    if (own > latest) actor.addTime("delay_scan", actor.path(kWork), waitOfRanksAbove(actor, play));
    latest = std::max(latest, own);
    take(actor, own, latest + 10 * kStep, OTF2_COLLECTIVE_OP_SCAN, {kBytes, kBytes}, "mpi_earlyscan",
         latest - own);
}

}  // namespace

void playCollective(Actor& actor, const Play& play) {
    work(actor, play);
    switch (play.scene) {
        case Scene::AllToAll:
            return together(actor, play, OTF2_COLLECTIVE_OP_ALLREDUCE, "mpi_wait_nxn", "mpi_nxn_completion",
                            "delay_n2n");
        case Scene::Barrier:
            return together(actor, play, OTF2_COLLECTIVE_OP_BARRIER, "mpi_barrier_wait",
                            "mpi_barrier_completion", "delay_barrier");
        case Scene::OneToAll:
            return fromOne(actor, play);
        case Scene::AllToOne:
            return toOne(actor, play);
        default:
            return scan(actor, play);
    }
}

}  // namespace holos::testing
