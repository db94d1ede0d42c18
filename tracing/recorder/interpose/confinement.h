// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// What a program has forbidden itself: system calls (seccomp), and the processor's clock. The recorder may
/// need them, and must not: the kernel ends the program then. Known by the calls of the program that ask for
/// it (`prctl`, and `syscall` on x86-64), before they take effect.
namespace holos::tracing::interpose {

/// What the recorder needs of the kernel.
enum class Need : std::uint8_t {
    Storage,   ///< memory, and all that it usually does in the program's threads
    Files,     ///< opening and reading some, and counters
    Counters,  ///< being asked for their values
};

/// Whether the calling thread may do what is needed. Two loads and a branch; makes no system call.
bool may(Need need) noexcept;

/// What a thread has been forbidden, for a thread that it starts.
struct Confinement {
    std::uint8_t forbidden = 0;  ///< needs, a bit for each
    bool isKnown = false;        ///< else what any thread has been forbidden counts
    bool isGuessed = false;      ///< the filter of system calls has not been seen, and there may be none
};
Confinement confinement() noexcept;
void beginWith(Confinement confinement) noexcept;

/// What is about to be forbidden.
struct Ban {
    bool clock = false;       ///< of the processor, which `clock_gettime` reads, too
    bool everything = false;  ///< any system call but read, write and exit, and the clock
    bool ofAllThreads = false;
    Confinement before;  ///< what the calling thread had been forbidden until now
    Confinement after;
    bool forbids(Need need) const noexcept {
        return (after.forbidden & 1U << static_cast<unsigned>(need)) != 0;
    }
    /// What is needed is forbidden now, and was not before.
    bool takesAway(Need need) const noexcept {
        const auto bit = 1U << static_cast<unsigned>(need);
        return (after.forbidden & ~before.forbidden & bit) != 0;
    }
};

/// `prepare` is called in a thread that is about to forbid itself something, while it still may do all that
/// it could before; `undo`, when the kernel refused. The calling thread is the program's first one.
struct ConfinementWatcher {
    void (*prepare)(const Ban& ban) noexcept;
    void (*undo)(const Ban& ban) noexcept;
};
void watchConfinement(const ConfinementWatcher& watcher) noexcept;

/// A register that holds a parameter or a result.
using Register = std::uint64_t;

/// A system call that may confine: made before it, and told its result. Others are let alone.
class Confining {
  public:
    Confining(long number, const Register (&parameters)[5], const void* caller) noexcept;
    void end(Register result) const noexcept;

  private:
    Ban ban_;
    bool isOne_ = false;
};

}  // namespace holos::tracing::interpose
