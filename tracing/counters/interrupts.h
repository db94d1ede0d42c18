// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>

#include "tracing/counters/memory_samples.h"

namespace holos::counters {

/// What interrupts a thread now and then, so that one can look where it is.
struct Interrupts {
    std::string event;         ///< of perf; empty: the time of the thread on a processor
    std::uint64_t period = 0;  ///< events, or nanoseconds

    /// Whether the period is nanoseconds.
    bool isTime() const;
    /// Whether accesses to memory are sampled, `memory:PERIOD`.
    bool isMemory() const;
    /// Whether they would come more often than every 100 us.
    bool isTooOften() const;
    /// `cycles`, or `time`
    std::string name() const { return event.empty() ? "time" : event; }
    /// As `parseInterrupts` reads it.
    std::string text() const;
};

/// Reads `10ms` (units ns, us, ms, s) or `EVENT:PERIOD` (a number, perhaps with k, M or G, and with a unit of
/// time where the event counts time). Nothing when it is neither.
std::optional<Interrupts> parseInterrupts(const std::string& text);

/// Throws `Error` for an event that is none of perf (with the nearest one), that cannot interrupt a thread
/// here (with the reason), and for interrupts that come too often.
void checkInterrupts(const Interrupts& interrupts);

/// The interrupts of one thread. Plain data, closed by `closeInterrupts` alone.
///
/// Thread safety: one thread.
struct OpenInterrupts {
    enum class Kind : std::uint8_t { None, Timer, Event, Memory };
    Kind kind;
    bool isOpen;
    int file;       ///< of an event
    timer_t timer;  ///< where it is one
    MemorySamples memory;

    /// Whether a signal is from here; it may come when they are closed.
    bool sent(const siginfo_t& info) const noexcept;
};

/// Has `signal` sent to the calling thread at each interrupt. Throws `Error` when that cannot be.
void openInterrupts(const Interrupts& interrupts, int signal, OpenInterrupts& open);
void closeInterrupts(OpenInterrupts& open) noexcept;

/// Has the kernel send the calling thread `signal` at each interrupt of an event, and switches it on. Throws
/// `Error`.
void sendSignals(int file, int signal);

}  // namespace holos::counters
