// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analyzer/patterns/waits.h"

/// Threads that the program starts itself.
namespace holos::analyzer::patterns {

/// By location: threads that one thread starts in one call path have the same number, as those of a pool.
/// `kNone` where it is not known where a thread was started.
std::vector<std::uint32_t> placesOfStart(const replay::ReplayedTrace& trace);

struct StartedThread {
    std::uint32_t location;
    std::uint32_t contingent;  ///< the threads of its process, among the communicators
    Ticks begin;
    Ticks end;
};

/// The started threads that have ended, in the order of locations. Left out are those that mostly wait for
/// others to give them something to do, and may be there all the time; threads that are started at one place
/// are judged together.
std::vector<StartedThread> startedThreads(
    const replay::ReplayedTrace& trace,
    const std::function<const LocationWaits&(std::uint32_t location)>& waitsOf);

}  // namespace holos::analyzer::patterns
