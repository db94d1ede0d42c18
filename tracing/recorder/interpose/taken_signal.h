// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <initializer_list>

namespace holos::tracing::interpose {

/// All signals but those that an instruction causes, which cannot wait for it.
inline sigset_t signalsThatWait() noexcept {
    sigset_t all;
    ::sigfillset(&all);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
        ::sigdelset(&all, signal);
    return all;
}

using SignalHandler = void (*)(int signal, siginfo_t* info, void* context);

/// A signal for which the recorder has a handler. What the program does with it from then on (`sigaction`,
/// `signal`) is remembered, and done by `passOn`; it finds what it asked for itself. A program that sets a
/// handler by a system call of its own takes the signal back. Constant-initialised, never destroyed.
class TakenSignal {
  public:
    /// How the handler is called.
    enum class Manner : std::uint8_t {
        /// Always as the recorder wants it. Other signals wait for its end: the program's handlers see where
        /// the
        /// program was, as those of a profiler want it, and none leaves it for good (`siglongjmp`).
        Ours,
        Programs  ///< with the flags and the mask of the program's handler; not where it ignores the signal
    };

    constexpr TakenSignal(int number, Manner manner) noexcept : number_(number), manner_(manner) {}

    /// Installs the handler. System calls that it interrupts go on where the system can do that
    /// (SA_RESTART). False where the system refuses.
    bool take(SignalHandler handler) noexcept;

    /// Does with the signal what the program wants, in the handler. For a fault that is to be repeated, by
    /// default, and what else ends a program, only once the handler has returned.
    void passOn(siginfo_t* info, void* context) noexcept;

    /// As sigaction(2), for the program.
    int keep(const struct sigaction* action, struct sigaction* before) noexcept;

    int number() const noexcept { return number_; }

  private:
    void install(const struct sigaction& programs) noexcept;
    void doDefault(const siginfo_t* info) noexcept;

    int number_;
    Manner manner_;
    SignalHandler handler_ = nullptr;
    /// The handler reads them without a lock: the newest is complete.
    struct sigaction programs_[2] = {};
    std::atomic<unsigned> newest_{0};
};

}  // namespace holos::tracing::interpose
