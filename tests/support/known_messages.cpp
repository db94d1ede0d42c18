// SPDX-License-Identifier: BSD-3-Clause
// Late senders and late receivers: processes meet in pairs, an even one with the odd one behind it.
//
//   rank 0  ──┤ work ├┤ MPI_Recv ····│──X├──      waits until the sender comes, which worked longer by as
//   much rank 1  ──┤ work        ├┤ MPI_Bsend ├──
//
#include "tests/support/known_scenes.h"

namespace holos::testing {
namespace {

constexpr std::uint64_t kBytes = 8;

Tick later(Tick one, Tick other) {
    return one > other ? one - other : 0;
}

/// A pair: who arrives when, and who has to wait for whom how long.
struct Pair {
    unsigned partner;
    Tick own, other;
    std::uint32_t tag = 0;

    Tick wait() const { return later(other, own); }
    Tick delay() const { return later(own, other); }
    Tick both() const { return std::max(own, other); }
};

void waitFor(Actor& actor, const Pair& pair, const std::string& metric, const std::string& countMetric) {
    actor.addTime(metric, pair.wait());
    actor.count(countMetric, pair.wait() > 0 ? 1 : 0);
}

void send(Actor& actor, const Pair& pair, const std::string& region, Tick end, bool waits) {
    actor.call(pair.own, end, region, [&] {
        actor.script().sent(pair.own, {.peer = pair.partner, .bytes = kBytes, .tag = pair.tag});
        actor.count("comms_send");
        actor.count("bytes_sent", kBytes);
        if (waits) waitFor(actor, pair, "mpi_latereceiver", "mpi_clr_count");
    });
}

void receive(Actor& actor, const Pair& pair) {
    const Tick end = pair.both() + 20 * kStep;
    actor.call(pair.own, end, "MPI_Recv", [&] {
        actor.script().received(end, {.peer = pair.partner, .bytes = kBytes, .tag = pair.tag});
        actor.count("comms_recv");
        actor.count("bytes_rcvd", kBytes);
        waitFor(actor, pair, "mpi_latesender", "mpi_cls_count");
    });
}

/// A message that nobody receives, and a function that never ends.
void makeFaults(Actor& actor, const Play& play) {
    const Tick own = play.arrival(actor.rank());
    constexpr std::uint32_t kTagOfNobody = 1;
    const Pair nobody{(actor.rank() + 1) % play.shape.processes, own, 0, kTagOfNobody};
    send(actor, nobody, "MPI_Bsend", own + 10 * kStep, false);
    actor.enter(own + 20 * kStep, "endless");
    actor.abandon(play.begin + kSceneEnds);
}

}  // namespace

void playMessages(Actor& actor, const Play& play) {
    const std::string worked = actor.path(kWork);
    work(actor, play);
    if (play.scene == Scene::Faults) return makeFaults(actor, play);
    const bool isOdd = actor.rank() % 2 != 0;
    const unsigned partner = isOdd ? actor.rank() - 1 : actor.rank() + 1;
    if (partner == play.shape.processes) return;
    const Pair pair{partner, play.arrival(actor.rank()), play.arrival(partner)};
    const bool isLateSender = play.scene == Scene::LateSender;
    const bool sends = isOdd == isLateSender;
    if (!sends)
        receive(actor, pair);
    else if (isLateSender)  // it is not the receiver that a buffered send waits for
        send(actor, pair, "MPI_Bsend", pair.own + 10 * kStep, false);
    else
        send(actor, pair, "MPI_Ssend", pair.both() + 10 * kStep, true);
    if (sends)
        actor.addTime("delay_latesender", worked, pair.delay());
    else if (!isLateSender)
        actor.addTime("delay_latereceiver", worked, pair.delay());
}

}  // namespace holos::testing
