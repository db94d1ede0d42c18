// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/support/known_values.h"
#include "tests/support/location_script.h"

namespace holos::testing {

/// Ticks of known traces are nanoseconds.
inline constexpr double kKnownTicksPerSecond = 1e9;

/// One thread of a known trace: tells a script what it does, and adds to the known values what that makes of
/// visits and computation.
class Actor {
  public:
    Actor(KnownValues& values, unsigned rank, unsigned thread)
        : values_(values), rank_(rank), thread_(thread) {}

    /// Where the events go from now on.
    void tell(LocationScript& script) { script_ = &script; }
    LocationScript& script() { return *script_; }
    unsigned rank() const { return rank_; }
    unsigned thread() const { return thread_; }

    void enter(Tick time, const std::string& region);
    void leave(Tick time);
    /// The innermost region ends without an event.
    void abandon(Tick time);
    /// A whole call, and what is recorded in it.
    void call(
        Tick begin, Tick end, const std::string& region, const std::function<void()>& record = [] {});
    /// Where the regions of a worker stand: the call path of its master.
    void standBelow(const std::string& path) { below_ = path; }
    /// A part of the innermost region's time is none of its computation.
    void give(Tick time) { open_.back().inner += time; }

    /// Of the innermost region, or of the one below it.
    std::string path() const { return open_.empty() ? below_ : open_.back().path; }
    std::string path(const std::string& region) const;

    void addTime(const std::string& metric, const std::string& path, Tick time);
    void addTime(const std::string& metric, Tick time) { addTime(metric, path(), time); }
    void addSeconds(const std::string& metric, const std::string& path, double seconds);
    void count(const std::string& metric, std::uint64_t number = 1);

    /// What a counter of this thread shows.
    std::uint64_t counter() const { return counter_; }
    void countOn(std::uint64_t number) { counter_ += number; }

  private:
    struct Open {
        std::string path;
        std::string region;
        Tick begin;
        Tick inner;  ///< time of calls from it
    };

    KnownValues& values_;
    unsigned rank_;
    unsigned thread_;
    LocationScript* script_ = nullptr;
    std::string below_;
    std::uint64_t counter_ = 0;
    std::vector<Open> open_;
};

}  // namespace holos::testing
