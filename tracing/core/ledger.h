// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstddef>

/// What is known of the processes of a run from outside of them: that they started, and how they ended. Each
/// kernel that takes part has a file `ledger.BOOT` in the recording, to which everybody who knows something
/// adds a line: a process of itself when it starts, whether it is recorded or not, and whoever waits for a
/// process of its end. So the end of a process that was killed is known, too.
///
///     start PID PARENT TIME recorded|launcher|ERRNO PROGRAM
///     fork PID PARENT TIME
///     end PID TIME exit CODE
///     end PID TIME signal NUMBER
///
/// Times are nanoseconds of CLOCK_MONOTONIC_RAW. Thread safety: safe. All functions leave errno alone,
/// allocate nothing and are async-signal-safe; what cannot be written is left out.
namespace holos::tracing {

inline constexpr const char* kLedgerName = "ledger";  ///< with the id of the kernel's boot behind a dot

/// Why a process that has the recorder does not record; else 0, or the error that kept it from it.
enum class StartKind : int { Recorded = 0, Launcher = -1 };

class Ledger {
  public:
    /// Of this kernel. Empty where the path is too long; nothing is written then.
    void open(const char* recording) noexcept;
    bool isOpen() const noexcept { return path_[0] != '\0'; }

    /// `kind`: one of `StartKind`, or an errno.
    void addStart(int kind, const char* program) const noexcept;
    /// In the child of a fork.
    void addFork() const noexcept;
    /// `status`: as `waitpid` gives it; nothing is written of processes that were only stopped.
    void addEnd(pid_t process, int status) const noexcept;

  private:
    void add(const char* line, int length) const noexcept;

    static constexpr std::size_t kLongest = 4096;
    char path_[kLongest] = {};
};

}  // namespace holos::tracing
