// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/ledger.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "tracing/core/clock.h"
#include "tracing/core/process_identity.h"

namespace holos::tracing {
namespace {

constexpr std::size_t kLongestLine = 1024;

long long timeNow() noexcept {
    return nanoseconds(CLOCK_MONOTONIC_RAW);
}

}  // namespace

void Ledger::open(const char* recording) noexcept {
    const int saved = errno;
    const ProcessIdentity self = thisProcess();
    const int length = std::snprintf(path_, sizeof path_, "%s/%s.%s", recording, kLedgerName, self.boot);
    if (length < 0 || length >= static_cast<int>(sizeof path_)) path_[0] = '\0';
    errno = saved;
}

void Ledger::addStart(int kind, const char* program) const noexcept {
    char line[kLongestLine];
    char word[16];
    std::snprintf(word, sizeof word, "%d", kind);
    const char* const what = kind == static_cast<int>(StartKind::Recorded)   ? "recorded"
                             : kind == static_cast<int>(StartKind::Launcher) ? "launcher"
                                                                             : word;
    add(line, std::snprintf(line, sizeof line, "start %d %d %lld %s %.900s\n", static_cast<int>(::getpid()),
                            static_cast<int>(::getppid()), timeNow(), what, program));
}

void Ledger::addFork() const noexcept {
    char line[kLongestLine];
    add(line, std::snprintf(line, sizeof line, "fork %d %d %lld\n", static_cast<int>(::getpid()),
                            static_cast<int>(::getppid()), timeNow()));
}

void Ledger::addEnd(pid_t process, int status) const noexcept {
    if (!WIFEXITED(status) && !WIFSIGNALED(status)) return;
    char line[kLongestLine];
    add(line, std::snprintf(line, sizeof line, "end %d %lld %s %d\n", static_cast<int>(process), timeNow(),
                            WIFSIGNALED(status) ? "signal" : "exit",
                            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)));
}

/// In one call of the system: lines of several processes do not mix. The file is closed at once, as the
/// program may need all descriptors.
void Ledger::add(const char* line, int length) const noexcept {
    if (!isOpen() || length <= 0 || length >= static_cast<int>(kLongestLine)) return;
    const int saved = errno;
    const int file = ::open(path_, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (file >= 0) {
        [[maybe_unused]] const ssize_t written = ::write(file, line, static_cast<std::size_t>(length));
        ::close(file);
    }
    errno = saved;
}

}  // namespace holos::tracing
