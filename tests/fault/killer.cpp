// SPDX-License-Identifier: BSD-3-Clause
#include "tests/fault/killer.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>

namespace holos::testing {
namespace {

constexpr std::array kChanging{
    SYS_write,     SYS_pwrite64,  SYS_writev,   SYS_ftruncate, SYS_fallocate, SYS_fsync,
    SYS_fdatasync, SYS_renameat2, SYS_unlinkat, SYS_linkat,    SYS_mkdirat,   SYS_renameat,
#ifdef SYS_rename
    SYS_rename,    SYS_unlink,    SYS_link,     SYS_mkdir,     SYS_rmdir,
#endif
};

bool changesFiles(const __ptrace_syscall_info& call) {
    constexpr std::uint64_t kCreating = O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
    const auto number = static_cast<long>(call.entry.nr);
    if (number == SYS_openat) return (call.entry.args[2] & kCreating) != 0;
    return std::find(kChanging.begin(), kChanging.end(), number) != kChanging.end();
}

/// The process and its threads, which stop at each system call.
class Traced {
  public:
    Traced(pid_t process, const std::function<bool(bool)>& kills) : process_(process), kills_(kills) {}

    Fate run() {
        int status = 0;
        ::waitpid(process_, &status, __WALL);
        constexpr long kOptions = PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE;
        if (!WIFSTOPPED(status) || ::ptrace(PTRACE_SETOPTIONS, process_, nullptr, kOptions) != 0)
            return Fate::NotAllowed;
        for (pid_t thread = process_;;) {
            int signal = 0;
            if (WIFSTOPPED(status)) {
                if (isPlace(thread, status)) return Fate::Killed;
                signal = signalFor(status);
                ::ptrace(PTRACE_SYSCALL, thread, nullptr, signal);
            } else if (thread == process_) {
                return Fate::Ended;
            }
            thread = ::waitpid(-1, &status, __WALL);
            if (thread < 0) return Fate::Ended;
        }
    }

  private:
    bool isPlace(pid_t thread, int status) const {
        constexpr int kSystemCall = SIGTRAP | 0x80;
        if (WSTOPSIG(status) != kSystemCall) return false;
        __ptrace_syscall_info call{};
        ::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof call, &call);
        return call.op == PTRACE_SYSCALL_INFO_ENTRY && kills_(changesFiles(call));
    }
    /// Stops that are tracing's own go to nobody.
    static int signalFor(int status) {
        const int signal = WSTOPSIG(status);
        return signal == SIGTRAP || signal == SIGSTOP || (signal & 0x80) != 0 ? 0 : signal;
    }

    pid_t process_;
    const std::function<bool(bool)>& kills_;
};

[[noreturn]] void become(const std::vector<std::string>& words, const std::filesystem::path& output) {
    std::vector<char*> arguments;
    for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(126);
    ::raise(SIGSTOP);
    ::execv(arguments.front(), arguments.data());
    ::_exit(127);
}

}  // namespace

Fate traceCommand(const std::vector<std::string>& words, const std::filesystem::path& output,
                  const std::function<bool(bool)>& kills) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);  // so that what it started can be waited for
    const pid_t process = ::fork();
    if (process == 0) become(words, output);
    const Fate fate = Traced(process, kills).run();
    ::kill(process, SIGKILL);
    while (::waitpid(-1, nullptr, __WALL) > 0) continue;
    return fate;
}

Fate killAtSystemCall(const std::vector<std::string>& words, std::size_t n,
                      const std::filesystem::path& output) {
    return traceCommand(words, output, [&n](bool changesFiles) { return changesFiles && --n == 0; });
}

}  // namespace holos::testing
