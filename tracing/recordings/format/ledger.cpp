// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/format/ledger.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/process_identity.h"

namespace holos::tracing {
namespace {

constexpr std::size_t kLongestLine = 1024;

/// The parent of the calling process, or of one that it started.
pid_t parentOf(pid_t process) noexcept {
    const pid_t self = ::getpid();
    return process == self ? ::getppid() : self;
}

}  // namespace

long long Ledger::time() noexcept {
    return nanoseconds(CLOCK_MONOTONIC_RAW);
}

void Ledger::open(const char* recording) noexcept {
    const int saved = errno;
    const ProcessIdentity self = thisProcess();
    const int length = std::snprintf(path_, sizeof path_, "%s/%s.%s.", recording, kLedgerName, self.boot);
    numberAt_ = length > 0 ? static_cast<std::size_t>(length) : sizeof path_;
    writeNumbersOf(self.pidNamespace);
    errno = saved;
}

void Ledger::writeNumbersOf(std::uint64_t pidNamespace) noexcept {
    const std::size_t room = numberAt_ < sizeof path_ ? sizeof path_ - numberAt_ : 0;
    const int length =
        std::snprintf(path_ + numberAt_, room, "%llu", static_cast<unsigned long long>(pidNamespace));
    if (length < 0 || static_cast<std::size_t>(length) >= room) path_[0] = '\0';
}

void Ledger::addStart(int kind, const char* program) const noexcept {
    char line[kLongestLine];
    char word[16];
    std::snprintf(word, sizeof word, "%d", kind);
    const char* const what = kind == static_cast<int>(StartKind::Recorded)   ? "recorded"
                             : kind == static_cast<int>(StartKind::Launcher) ? "launcher"
                                                                             : word;
    add(line, std::snprintf(line, sizeof line, "start %d %d %lld %s %.900s\n", static_cast<int>(::getpid()),
                            static_cast<int>(::getppid()), time(), what, program));
}

void Ledger::addCommand(pid_t process, const char* program) const noexcept {
    char line[kLongestLine];
    add(line, std::snprintf(line, sizeof line, "command %d %d %lld %.900s\n", static_cast<int>(process),
                            static_cast<int>(parentOf(process)), time(), program));
}

bool Ledger::addFork() noexcept {
    const int saved = errno;
    if (const std::uint64_t now = ownPidNamespace(); isOpen() && now != 0) writeNumbersOf(now);
    errno = saved;
    char line[kLongestLine];
    return add(line, std::snprintf(line, sizeof line, "fork %d %d %lld\n", static_cast<int>(::getpid()),
                                   static_cast<int>(::getppid()), time()));
}

bool Ledger::addExec(pid_t process, long long time, bool hasRecorder, const char* program) const noexcept {
    char line[kLongestLine];
    return add(line, std::snprintf(line, sizeof line, "exec %d %d %lld %s %.900s\n",
                                   static_cast<int>(process), static_cast<int>(parentOf(process)), time,
                                   hasRecorder ? "with" : "without", program));
}

void Ledger::addStay() const noexcept {
    char line[kLongestLine];
    add(line, std::snprintf(line, sizeof line, "stay %d %d %lld\n", static_cast<int>(::getpid()),
                            static_cast<int>(::getppid()), time()));
}

void Ledger::addEnd(pid_t process, int status) const noexcept {
    if (!WIFEXITED(status) && !WIFSIGNALED(status)) return;
    char line[kLongestLine];
    add(line, std::snprintf(line, sizeof line, "end %d %lld %s %d\n", static_cast<int>(process), time(),
                            WIFSIGNALED(status) ? "signal" : "exit",
                            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)));
}

/// In one call of the system: lines of several processes do not mix. The file is closed at once, as the
/// program may need all descriptors.
bool Ledger::add(const char* line, int length) const noexcept {
    if (!isOpen() || length <= 0 || length >= static_cast<int>(kLongestLine)) return false;
    const int saved = errno;
    bool isWritten = false;
    const int file = ::open(path_, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file >= 0) {
        isWritten = ::write(file, line, static_cast<std::size_t>(length)) == length;
        ::close(file);
    }
    errno = saved;
    return isWritten;
}

}  // namespace holos::tracing
