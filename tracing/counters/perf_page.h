// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <linux/perf_event.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "tracing/counters/perf_event_names.h"

namespace holos::counters {

struct PerfOpening {
    int leader = -1;           ///< whose group the event joins; -1: a new one
    std::uint64_t period = 0;  ///< events from one interrupt to the next; 0: it is only counted
    int processor = -1;        ///< on which everybody is counted; -1: the thread, wherever it runs
    /// 0: the calling one. An event of another one is read by itself: value, time enabled, time running.
    int thread = 0;
    bool isInherited = false;  ///< also counts what the thread starts later
};

/// Opens the event for a thread. Counts the kernel's part as well where that is allowed. The file's
/// number is out of the way of those that the program counts on. An errno as a negative number when it cannot
/// be counted.
int openPerfEvent(const PerfEvent& event, const PerfOpening& how = {});

/// What an error of `openPerfEvent` means, and what would help.
std::string reasonNotToOpen(int error, const PerfEvent& event);

/// Whether the times of a reading are needed: they take the clock, and a kernel that tells what it is worth.
enum class WithTimes : bool { No, Yes };

/// An event until now. Times in nanoseconds, set where they were asked for.
struct PageReading {
    std::uint64_t value = 0;
    std::uint64_t enabled = 0;
    std::uint64_t running = 0;
};

/// Counter registers and clock of the processor that the thread is on.
struct Registers {
#if defined(__x86_64__) || defined(__aarch64__)
    static constexpr bool kCanBeRead = true;
#else
    static constexpr bool kCanBeRead = false;
#endif
    /// `number` as the page has it, less one.
    std::uint64_t counter(std::uint32_t number) const noexcept;
    /// 0 where it may not be read.
    std::uint64_t clock() const noexcept;
};

/// The program may not read the clock of the processor, from now on (`PR_SET_TSC`).
void forbidClock() noexcept;

/// How long ago the kernel wrote the page's times, in nanoseconds.
inline std::uint64_t sincePageWasWritten(const volatile perf_event_mmap_page& page,
                                         std::uint64_t clock) noexcept {
    if (page.cap_user_time_short) {  // the clock has fewer than 64 bits
        const std::uint64_t last = page.time_cycles;
        clock = last + ((clock - last) & page.time_mask);
    }
    const std::uint32_t shift = page.time_shift;
    const std::uint64_t factor = page.time_mult;
    const std::uint64_t rest = clock & ((std::uint64_t{1} << shift) - 1);
    return page.time_offset + (clock >> shift) * factor + ((rest * factor) >> shift);
}

/// Extends a register of `width` bits by its sign: the kernel sets registers so that they overflow.
inline std::uint64_t extendSign(std::uint64_t value, unsigned width) noexcept {
    if (width == 0 || width >= 64) return value;
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    const std::uint64_t bits = value & ((sign << 1) - 1);
    return (bits ^ sign) - sign;
}

/// Reads an event of the calling thread from the page that the kernel keeps of it (linux/perf_event.h,
/// `perf_event_mmap_page`) and the processor's register, without a system call. False where the kernel must
/// be asked: the event has no register at the moment, or the kernel does not let registers or the clock be
/// read.
template <class Processor>
bool readPage(const volatile perf_event_mmap_page& page, const Processor& processor, WithTimes withTimes,
              PageReading& reading) noexcept {
    constexpr int kMostTries = 100;  // the kernel writes when the thread is interrupted: one is the rule
    for (int i = 0; i < kMostTries; ++i) {
        const std::uint32_t sequence = page.lock;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        const std::uint32_t index = page.index;
        if (index == 0 || !page.cap_user_rdpmc) return false;
        if (withTimes == WithTimes::Yes) {
            const std::uint64_t clock = page.cap_user_time ? processor.clock() : 0;
            if (clock == 0) return false;
            const std::uint64_t since = sincePageWasWritten(page, clock);
            reading.enabled = page.time_enabled + since;
            reading.running = page.time_running + since;
        }
        const unsigned width = page.pmc_width;
        reading.value =
            static_cast<std::uint64_t>(page.offset) + extendSign(processor.counter(index - 1), width);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        if (page.lock == sequence) return true;
    }
    return false;
}

/// The page of an open event, mapped; nothing where the kernel has none for it.
class PerfPage {
  public:
    explicit PerfPage(int file) noexcept;
    ~PerfPage();
    PerfPage(PerfPage&& other) noexcept : page_(other.page_) { other.page_ = nullptr; }
    PerfPage(const PerfPage&) = delete;
    PerfPage& operator=(const PerfPage&) = delete;

    /// As `readPage`. Only in the thread that opened the event.
    bool read(WithTimes withTimes, PageReading& reading) const noexcept {
        return page_ != nullptr && readPage(*page_, Registers(), withTimes, reading);
    }

  private:
    const volatile perf_event_mmap_page* page_ = nullptr;
};

}  // namespace holos::counters
