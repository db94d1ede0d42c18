// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/clock_tree.h"

#include <bit>
#include <cmath>

namespace holos::tracing::mpi {
namespace {

constexpr int kMostTrips = 100;

bool isSame(std::uint64_t machine, std::uint64_t other) {
    return machine != 0 && machine == other;
}

/// The first answer may have to wait for the parent's own measurement, so it is not used as a round trip.
ClockDifference ask(ClockTalk& talk, int parent, std::uint64_t machine) {
    ClockMessage question;
    question.machine = machine;
    talk.send(parent, question);
    ClockMessage answer = talk.receive(parent);
    if (isSame(machine, answer.machine)) return {answer.difference, answer.deviation, talk.ticks()};
    ShortestTrip trips;
    while (answer.goesOn != 0) {
        const std::uint64_t ticks = talk.ticks();
        const std::int64_t asked = talk.now();
        talk.send(parent, question);
        answer = talk.receive(parent);
        trips.add(asked, answer.nanoseconds, talk.now(), ticks);
    }
    return trips.difference(answer.deviation);
}

void answer(ClockTalk& talk, int child, std::uint64_t machine, const ClockDifference& own,
            std::int64_t nanoseconds) {
    const bool isElsewhere = !isSame(machine, talk.receive(child).machine);
    talk.send(child, {0, own.deviation, own.nanoseconds, machine, isElsewhere});
    const std::int64_t begin = talk.now();
    bool goesOn = isElsewhere;
    for (int trip = 1; goesOn; ++trip) {
        talk.receive(child);
        const std::int64_t now = talk.now();
        goesOn = trip < kMostTrips && now - begin < nanoseconds;
        talk.send(child, {now + own.nanoseconds, own.deviation, own.nanoseconds, machine, goesOn});
    }
}

}  // namespace

void ShortestTrip::add(std::int64_t asked, std::int64_t answered, std::int64_t returned,
                       std::uint64_t ticks) noexcept {
    const std::int64_t trip = returned - asked;
    if (shortest_ >= 0 && trip >= shortest_) return;
    shortest_ = trip;
    best_.nanoseconds = answered - (asked + trip / 2);
    best_.ticks = ticks;
}

ClockDifference ShortestTrip::difference(double deviation) const noexcept {
    ClockDifference result = best_;
    const double own = static_cast<double>(shortest_) / std::sqrt(12.0);
    result.deviation = std::hypot(own, deviation);
    return result;
}

int parentOf(int rank) noexcept {
    return rank & (rank - 1);
}

std::vector<int> childrenOf(int rank, int size) {
    std::vector<int> children;
    const int below = rank == 0 ? 1 << roundsOf(size) : rank & -rank;
    for (int step = below / 2; step > 0; step /= 2)
        if (rank + step < size) children.push_back(rank + step);
    return children;
}

int roundsOf(int size) noexcept {
    return size <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<unsigned>(size) - 1));
}

ClockDifference compareInTree(ClockTalk& talk, int rank, int size, std::uint64_t machine,
                              std::int64_t nanoseconds) {
    ClockDifference own{0, 0, talk.ticks()};
    if (rank != 0) own = ask(talk, parentOf(rank), machine);
    for (const int child : childrenOf(rank, size))
        answer(talk, child, machine, own, nanoseconds / roundsOf(size));
    return own;
}

}  // namespace holos::tracing::mpi
