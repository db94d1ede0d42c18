// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

/// What is known of the processes of a run from outside of them: that they started, and how they ended. Each
/// kernel that takes part has a file `ledger.BOOT.NAMESPACE` in the recording for each namespace of process
/// numbers, to which everybody who knows something adds a line: a process of itself when it starts, whether
/// it is recorded or not; whoever starts a program before it does, as that may not have the recorder; and
/// whoever waits for a process of its end. So processes are counted that never had the recorder, and the end
/// of one that was killed is known, too.
///
///     command PID PARENT TIME PROGRAM            by `holos record`, of what it started
///     fork PID PARENT TIME
///     exec PID PARENT TIME with|without PROGRAM  is about to run; its environment has the recorder or not
///     stay PID PARENT TIME                       that failed
///     start PID PARENT TIME recorded|launcher|ERRNO PROGRAM   runs it, with the recorder
///     end PID TIME exit CODE
///     end PID TIME signal NUMBER
///
/// Times are nanoseconds of CLOCK_MONOTONIC_RAW. Thread safety: safe. All functions leave errno alone,
/// allocate nothing and are async-signal-safe; what cannot be written is left out.
namespace holos::tracing {

inline constexpr const char* kLedgerName = "ledger";  ///< the id of the kernel's boot stands behind a dot

/// Why a process that has the recorder does not record; else 0, or the error that kept it from it.
enum class StartKind : int { Recorded = 0, Launcher = -1 };

class Ledger {
  public:
    /// Of this kernel. Empty where the path is too long; nothing is written then.
    void open(const char* recording) noexcept;
    bool isOpen() const noexcept { return path_[0] != '\0'; }

    /// `kind`: one of `StartKind`, or an errno.
    void addStart(int kind, const char* program) const noexcept;
    /// Of a process that the caller has just started.
    void addCommand(pid_t process, const char* program) const noexcept;
    /// In the child of a fork, which may be the first of a namespace (unshare(2)). False where that cannot be
    /// written, as below another root folder.
    bool addFork() noexcept;
    /// Notes that the process becomes this program, at that `time`: the caller itself, or one that it
    /// started. False where that cannot be written.
    bool addExec(pid_t process, long long time, bool hasRecorder, const char* program) const noexcept;
    /// Notes that the caller did not become it.
    void addStay() const noexcept;
    /// `status`: as `waitpid` gives it; nothing is written of processes that were only stopped.
    void addEnd(pid_t process, int status) const noexcept;

    static long long time() noexcept;

  private:
    bool add(const char* line, int length) const noexcept;
    void writeNumbersOf(std::uint64_t pidNamespace) noexcept;

    static constexpr std::size_t kLongest = 4096;
    char path_[kLongest] = {};
    std::size_t numberAt_ = 0;  ///< where the namespace stands in it
};

}  // namespace holos::tracing
