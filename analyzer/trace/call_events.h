// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "analyzer/trace/definitions.h"
#include "analyzer/trace/event_file.h"

namespace holos::analyzer::trace {

/// One side of a message between two processes.
struct MessageEnd {
    Ticks time = 0;
    ProcessId peer;
    std::uint32_t comm = 0;  ///< position of the communicator
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
    bool sends = false;
};

/// What pictures show of a location's events: calls and messages. Each function returns whether more is
/// wanted.
class CallEvents {
  public:
    CallEvents() = default;
    virtual ~CallEvents() = default;
    CallEvents(const CallEvents&) = delete;
    CallEvents& operator=(const CallEvents&) = delete;

    /// The start or the end of the program or the thread: between them it may be outside of all regions.
    virtual bool runs(Ticks time) = 0;
    virtual bool enter(Ticks time, RegionId region) = 0;
    virtual bool leave(Ticks time, RegionId region) = 0;
    /// Whether it is also told from where regions are entered, and samples; then it reads from the first
    /// event on.
    virtual bool wantsStacks() const { return false; }
    /// Instead of `enter`: from this place on the call stack; `kNoContext` where nobody knows it.
    virtual bool enterFrom(Ticks time, RegionId region, ContextId) { return enter(time, region); }
    /// A sample of the call stack was taken here.
    virtual bool sample(Ticks, ContextId) { return true; }
    /// Since the event before, which comes next is at `time`, the thread had no processor for so long, though
    /// it could run. Told where the trace knows it.
    virtual void withoutProcessor(Ticks /*time*/, Ticks /*passed*/) {}
    virtual bool message(const MessageEnd& end) = 0;
    /// Between the two nothing is recorded of the location.
    virtual bool stops(Ticks) { return true; }
    virtual bool goesOn(Ticks) { return true; }

    /// How many events the file has up to the present one, with those that are not told.
    std::uint64_t events() const { return events_; }
    void setEvents(std::uint64_t events) { events_ = events; }

  private:
    std::uint64_t events_ = 0;
};

struct CallReading {
    ReadOutcome outcome;     ///< with what the trace promised and does not have, if it was read to its end
    bool hadEnough = false;  ///< it was not: no more was wanted
};

/// Tells `target` a location's events from the one of this number on (0: the first), until no more are
/// wanted or `stopped` becomes true. Damaged files never throw: `outcome` says what is missing.
/// Thread safety: one thread for each location.
CallReading readCallEvents(const std::filesystem::path& anchor, const Definitions& definitions,
                           LocationId location, CallEvents& target, const std::atomic<bool>& stopped,
                           std::uint64_t first = 0);

}  // namespace holos::analyzer::trace
