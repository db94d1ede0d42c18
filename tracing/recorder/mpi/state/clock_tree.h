// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

/// How the processes of a run find the differences between their clocks and rank 0's: in a tree, so that it
/// takes log2 P rounds and no process talks to more than log2 P others. Needs no MPI: a `ClockTalk` has the
/// clock and the messages.
///
///     0 ── 4 ── 6 ── 7        rank n asks its parent, n without its last one in binary;
///     │    └─── 5             a parent answers once it knows its own difference, the
///     ├─── 2 ── 3             largest part of the tree first
///     └─── 1
///
/// A parent answers with its own clock and the difference to rank 0's that it measured itself, so that
/// differences along the way add up. Processes of one machine share a clock: the child has its parent's
/// difference, exactly.
namespace holos::tracing::mpi {

/// What to add to a clock for rank 0's.
struct ClockDifference {
    std::int64_t nanoseconds = 0;
    double deviation = 0;     ///< standard deviation of the error
    std::uint64_t ticks = 0;  ///< of the event clock, when it was measured
};

struct ClockMessage {
    std::int64_t nanoseconds = 0;  ///< rank 0's time as the sender believes it
    double deviation = 0;          ///< of that belief
    std::int64_t difference = 0;   ///< the sender's own
    std::uint64_t machine = 0;     ///< that the sender runs on; 0: not known
    std::uint64_t goesOn = 0;      ///< another round follows
};

class ClockTalk {
  public:
    virtual ~ClockTalk() = default;
    virtual std::int64_t now() noexcept = 0;     ///< nanoseconds
    virtual std::uint64_t ticks() noexcept = 0;  ///< of the event clock
    virtual void send(int process, const ClockMessage& message) noexcept = 0;
    virtual ClockMessage receive(int process) noexcept = 0;
};

/// The shortest of several round trips: the other clock was read somewhere within it, with equal probability
/// everywhere.
class ShortestTrip {
  public:
    /// Asked and returned by the own clock, answered by the other one.
    void add(std::int64_t asked, std::int64_t answered, std::int64_t returned, std::uint64_t ticks) noexcept;
    /// `deviation`: of the other clock's own answers.
    ClockDifference difference(double deviation) const noexcept;

  private:
    std::int64_t shortest_ = -1;
    ClockDifference best_;
};

int parentOf(int rank) noexcept;
/// The largest part of the tree first.
std::vector<int> childrenOf(int rank, int size);
/// Rounds until all of `size` processes know their difference: log2, rounded up.
int roundsOf(int size) noexcept;

/// Takes part in one measurement as `rank` of `size`, which runs on `machine`. `nanoseconds`: the time for
/// all of it; less where round trips are short.
ClockDifference compareInTree(ClockTalk& talk, int rank, int size, std::uint64_t machine,
                              std::int64_t nanoseconds);

}  // namespace holos::tracing::mpi
