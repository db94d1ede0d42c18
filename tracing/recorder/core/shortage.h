// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

/// How long a thread could run and had no processor, between two of its events.
///
/// Most events come without the kernel: the thread has a mark in its own memory, which the kernel takes away
/// whenever the thread goes on after others had its processor. It is the descriptor of a restartable sequence
/// (rseq(2)) that nobody ever executes. Only where the mark is gone, the kernel is asked for the thread's
/// clock and how often it has slept: after a change of threads, which took longer than these questions.
///
///     events       │──────────────────────│──────────────────────│
///     processor    ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━           ━━━━━━
///     mark         ●                                              ○ gone: the time without a processor is
///                                                                   that of this interval
///
/// If the thread has not slept meanwhile, it could run all the time. If it has, nobody knows how long it
/// could.
///
/// Threads that sleep at each of many short barriers lose the mark there, and questions would take longer
/// than the barriers. So the kernel is not asked where a thread loses the mark twice within a moment, unless
/// its processor was taken from it lately: no more than that moment is missed. The next answer is of all the
/// time since the last one. What is certain of it is told: without what was missed, and as of a thread that
/// slept.
namespace holos::tracing::core {

struct Location;

/// What the kernel said of a thread when it was asked last. Times are in nanoseconds of CLOCK_MONOTONIC_RAW.
struct ProcessorReading {
    std::int64_t time;  ///< 0: it was not asked yet
    std::int64_t onProcessor;
    long sleeps;  ///< how often it gave up its processor because it could not go on
    long losses;  ///< how often its processor was taken
};

/// How long a thread had no processor.
struct TimeOff {
    std::int64_t nanoseconds;
    long sleeps;  ///< not 0: it slept or let others have its processor, and how much of the time is not known
};

/// When a thread lost its mark, and what the kernel said then.
struct MarkHistory {
    static constexpr std::int64_t kShortest = 10'000;  ///< of what a change of threads itself takes, a few
    static constexpr std::int64_t kMoment =
        200'000;                                 ///< shorter than what a thread has a processor at a time
    static constexpr std::uint32_t kCalm = 512;  ///< so often nobody took its processor

    ProcessorReading last;
    std::int64_t lost;    ///< when it was lost last
    std::int64_t missed;  ///< how long nobody asked, since the last reading
    std::uint32_t calm;   ///< how often it was asked since the thread's processor was taken, up to kCalm
    bool hasGiven;        ///< since the last reading it let others have its processor, and they took it

    /// The thread let others have its processor (sched_yield(2)) and lost the mark by that. The kernel counts
    /// this like a processor that was taken, although nobody took one from a thread that has nothing to do.
    void giveAway() noexcept { hasGiven = true; }

    /// The mark is lost now. True: nothing is to be expected but a moment of sleep.
    bool mayBeMissed(std::int64_t now) noexcept {
        const std::int64_t since = now - std::exchange(lost, now);
        if (calm < kCalm || since >= kMoment) return false;
        missed += since;
        return true;
    }

    /// What the kernel says now. At least so long the thread had no processor since the mark was set; nothing
    /// where that is too short, or not known.
    std::optional<TimeOff> timeOff(const ProcessorReading& now) noexcept {
        const std::int64_t wasMissed = std::exchange(missed, 0);
        const bool wasGiven = std::exchange(hasGiven, false);
        const ProcessorReading before = std::exchange(last, now);
        if (before.time == 0) return std::nullopt;
        const std::int64_t off = now.time - before.time - (now.onProcessor - before.onProcessor) - wasMissed;
        const bool wasTaken = now.losses != before.losses && off >= kMoment;
        calm = wasTaken ? 0 : std::min(calm + 1, kCalm);
        if (off < kShortest) return std::nullopt;
        const long sleeps = now.sleeps - before.sleeps;
        return TimeOff{off, wasMissed == 0 && !wasGiven ? sleeps : std::max(sleeps, 1L)};
    }
};

/// As the kernel reads it (`struct rseq_cs`).
struct alignas(32) RestartableSequence {
    std::uint32_t version;
    std::uint32_t flags;
    std::uint64_t begin;
    std::uint64_t length;
    std::uint64_t abort;
};
/// What the mark points to.
extern RestartableSequence markedSequence;

/// Of the mark, from the thread pointer; 0 where the C library or the kernel knows no such thing.
extern std::ptrdiff_t markOffset;

/// Chooses the mark, where events are written and not added up. Called once, before events are on.
void prepareMark() noexcept;

inline volatile std::uint64_t* markOfThread() noexcept {
    char* pointer = nullptr;
#if defined(__x86_64__)
    asm("mov %%fs:0, %0" : "=r"(pointer));
#elif defined(__aarch64__)
    asm("mrs %0, tpidr_el0" : "=r"(pointer));
#endif
    return reinterpret_cast<volatile std::uint64_t*>(pointer + markOffset);
}

/// The calling thread may have had no processor for a while since its mark was set.
[[gnu::always_inline]] inline bool hasLostMark() noexcept {
    return markOffset != 0 && *markOfThread() != reinterpret_cast<std::uint64_t>(&markedSequence);
}

/// Records for how long, before the event at `ticks`, and sets the mark again. Without room for it nothing of
/// the program is lost.
void noteShortage(MarkHistory& mark, Location& location, std::uint64_t ticks) noexcept;

}  // namespace holos::tracing::core
