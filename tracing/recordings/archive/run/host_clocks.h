// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

/// Turns one host's ticks into nanoseconds of its CLOCK_MONOTONIC_RAW: a line through the first and the last
/// of all pairs of both clocks that its processes took.
class HostClock {
  public:
    HostClock() = default;
    /// At least one pair; with one alone, or pairs of one moment, a tick is taken for a nanosecond.
    explicit HostClock(const std::vector<tracing::ClockSync>& syncs);

    /// Towards the origin where it lies between two. Called for each event: without a division.
    std::int64_t nanoseconds(std::uint64_t ticks) const;
    /// False when the length of a tick had to be assumed.
    bool isMeasured() const noexcept { return measured_; }
    const tracing::ClockSync& origin() const noexcept { return origin_; }

  private:
    tracing::ClockSync origin_{};
    std::uint64_t ticks_ = 1;    ///< between the first and the last pair
    std::uint64_t whole_ = 1;    ///< nanoseconds in each of these ticks,
    std::uint64_t rest_ = 0;     ///< and besides in all of them together
    std::uint64_t inverse_ = 0;  ///< `rest_` divided by `ticks_`, in units of 1 / 2⁶⁴, rounded down
    bool measured_ = false;
};

/// What to add to a host's nanoseconds for those of rank 0's host, at one time.
struct HostOffset {
    std::int64_t time = 0;
    std::int64_t offset = 0;
    double deviation = 0;
};

/// Nanoseconds of rank 0's host, by the lines through the offsets, as readers of OTF2 interpolate; the first
/// and the last line go on. Without offsets the host's own.
std::int64_t globalTime(std::int64_t time, const std::vector<HostOffset>& offsets);

/// The clocks of all hosts of a run, by `RecordedProcess::boot`.
class Timeline {
  public:
    /// `here` is this machine's boot and its clocks now: a pair more for recordings of the same boot, where
    /// processes live, or were killed before their own pairs made a line, and went on for longer than the
    /// pairs of others tell. Else times do not depend on when they are asked for.
    Timeline(const std::vector<RecordedProcess>& processes, const std::string& hereBoot,
             const tracing::ClockSync& here);

    const HostClock& clock(const RecordedProcess& process) const;
    /// At least two in the order of their times; none where the host is that of rank 0, or the program
    /// measured none.
    std::vector<HostOffset> offsets(const RecordedProcess& process) const;
    bool allMeasured() const;

  private:
    std::map<std::string, HostClock> clocks_;
    std::map<std::string, std::vector<HostOffset>> offsets_;
};

}  // namespace holos::archive
