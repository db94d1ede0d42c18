// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/locks.h"
#include "tracing/recorder/interpose/next_function.h"

namespace holos::tracing::system {

/// Remembers which files came with the program, as it was linked. Called before it begins.
void noteFirstFiles() noexcept;

/// Whether code is that of a file that came with the program; false where nobody knows. Takes no lock from
/// glibc 2.35 on.
bool cameWithProgram(const void* code) noexcept;

/// A register that holds a parameter or a result.
using Word = std::uint64_t;
static_assert(sizeof(Word) == sizeof(void*));

/// What a function does besides letting its thread sleep: nothing of note, or it moves data, which keeps a
/// processor busy in the kernel. Or it lets others have the processor, and its thread does not sleep.
enum class Purpose : std::uint8_t { Sleep, Data, Yield };

/// A function that may put its thread to sleep. Constant-initialised.
class Sleeper {
  public:
    /// `shown`: its name in traces.
    constexpr Sleeper(const char* symbol, const char* shown, Purpose purpose) noexcept
        : next_(symbol), shown_(shown), purpose_(purpose) {}

    /// Looks up the function behind the recorder's, among those that came with the program. Called before it
    /// begins: later that could mean to wait for a thread that loads a library, and that waits for this one.
    /// Null where there is none.
    void* find() noexcept;

    /// The thread may end inside (cancellation), or leave by `longjmp` out of a signal handler.
    /// `words`: what may hold parameters, six registers or with `syscall` a word of the stack, too.
    template <class... Words>
    Word call(const void* caller, Words... words);
    /// `call` of a function that returns 0 where another thread has ended its waiting at `place`; null: that
    /// is not known.
    template <class... Words>
    Word callAt(const Lock* place, const void* caller, Words... words);
    /// `call` of a function that ends the waiting of others at `place`: it is recorded, however short it is.
    template <class... Words>
    Word callWaking(Lock& place, const void* caller, Words... words);

  private:
    /// The function behind the recorder's, for as many words; null where there is none.
    template <class... Words>
    auto functionFor(const void* caller, const Words&... words) noexcept -> Word (*)(Words...);
    /// The call in a thread with counters, which are read before and after it so that they count for the
    /// function. After many calls in a row that did not sleep they are not read before the next one: what the
    /// first call that sleeps again counts is then part of its caller.
    template <class Function, class... Words>
    Word callCounting(Function* function, const Lock* place, const void* caller, std::uint64_t begin,
                      Words... words);
    void noteSleep(std::uint64_t begin, const void* caller, const Lock* woken) noexcept;
    RegionRef region() noexcept;

    static constexpr std::uint32_t kManyShort = 64;
    static constexpr RegionRef kUndefined = ~RegionRef{0};

    std::atomic<void*> found_{nullptr};
    interpose::NextFunction next_;  ///< used where `find` found nothing
    const char* shown_;
    Purpose purpose_;
    std::atomic<RegionRef> region_{kUndefined};  ///< defined when it has slept for the first time
    std::atomic<std::uint32_t> shortCalls_{
        0};  ///< in a row that did not sleep, of threads with counters; roughly
};

}  // namespace holos::tracing::system
