// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

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
/// than the program. A thread that the kernel has lately taken from no processor is not asked for where it
/// has lost the mark twice within a moment: no more than that moment is missed. The next answer is of all
/// since the last one, then: as long as it is certain, without what may have passed in those moments, and as
/// of a thread that slept.
namespace holos::tracing::core {

struct Location;

/// What the kernel said of a thread when it was asked last. Times are in nanoseconds of CLOCK_MONOTONIC_RAW.
struct ProcessorReading {
    std::int64_t time;  ///< 0: it was not asked yet
    std::int64_t onProcessor;
    long sleeps;  ///< how often it gave up its processor because it could not go on
    long losses;  ///< how often its processor was taken
};

/// The mark of a thread.
struct MarkHistory {
    ProcessorReading last;
    std::int64_t lost;    ///< when it was lost last
    std::int64_t missed;  ///< how long nobody asked, since the last reading
    std::uint32_t calm;   ///< losses since the kernel took its processor, up to a number that is enough
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
