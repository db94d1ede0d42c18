// SPDX-License-Identifier: BSD-3-Clause
// Late senders, also of messages in wrong order, and late receivers: processes meet in pairs, an even one
// with the odd one behind it.
//
//   rank 0  ──┤ work ├┤ MPI_Recv ····│──X├──    waits for the sender, which worked longer by as much
//   rank 1  ──┤ work         ├┤ MPI_Bsend ├──
//
#include "tests/support/known_scenes.h"

namespace holos::testing {
namespace {

constexpr std::uint64_t kBytes = 8;

constexpr Tick kSends = 10 * kStep;    ///< in a call that does not wait
constexpr Tick kBetween = 20 * kStep;  ///< from one such call to the next

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
    /// The sender's other message.
    Pair second() const { return {partner, own + kBetween, other, tag + 1}; }
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

/// Of two messages, the receiver wants the second one first. Its sender was not only late: it sent something
/// else before.
void sendInOrder(Actor& actor, const Pair& pair, const std::string& worked) {
    const std::string before = actor.path();
    const std::string sends = actor.path("MPI_Bsend");
    const Pair second = pair.second();
    for (const Pair& message : {pair, second}) send(actor, message, "MPI_Bsend", message.own + kSends, false);
    const Tick wait = second.delay();
    if (wait == 0) return;
    const double share = static_cast<double>(wait) / static_cast<double>(pair.delay() + kBetween);
    const auto blame = [&](const std::string& path, Tick time) {
        actor.addSeconds("delay_latesender", path, share * static_cast<double>(time) / kKnownTicksPerSecond);
    };
    blame(worked, pair.delay());
    blame(sends, kSends);
    blame(before, kBetween - kSends);
}

void receiveInWrongOrder(Actor& actor, const Pair& pair) {
    const Pair second{pair.partner, pair.own, pair.other + kBetween, pair.tag + 1};
    receive(actor, second);
    actor.addTime("mpi_latesender_wo", actor.path("MPI_Recv"), second.wait());
    actor.addTime("mpi_lswo_same", actor.path("MPI_Recv"), second.wait());
    const Tick again = second.both() + 30 * kStep;
    receive(actor, {pair.partner, again, pair.other, pair.tag});
}

/// A message that nobody receives, and a function that never ends.
void makeFaults(Actor& actor, const Play& play) {
    const Tick own = play.arrival(actor.rank());
    constexpr std::uint32_t kTagOfNobody = 1;
    const Pair nobody{(actor.rank() + 1) % play.shape.processes, own, 0, kTagOfNobody};
    send(actor, nobody, "MPI_Bsend", own + kSends, false);
    actor.enter(own + kBetween, "endless");
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
    if (play.scene == Scene::WrongOrder)
        return isOdd ? sendInOrder(actor, pair, worked) : receiveInWrongOrder(actor, pair);
    const bool isLateSender = play.scene == Scene::LateSender;
    const bool sends = isOdd == isLateSender;
    if (!sends)
        receive(actor, pair);
    else if (isLateSender)  // it is not the receiver that a buffered send waits for
        send(actor, pair, "MPI_Bsend", pair.own + kSends, false);
    else
        send(actor, pair, "MPI_Ssend", pair.both() + 10 * kStep, true);
    if (sends)
        actor.addTime("delay_latesender", worked, pair.delay());
    else if (!isLateSender)
        actor.addTime("delay_latereceiver", worked, pair.delay());
}

}  // namespace holos::testing
