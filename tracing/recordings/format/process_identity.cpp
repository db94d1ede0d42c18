// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/format/process_identity.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace holos::tracing {
namespace {

/// The start of a short file, zero-terminated; empty where it cannot be read.
template <std::size_t kSize>
void readShort(const char* path, char (&text)[kSize]) noexcept {
    text[0] = '\0';
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t length = ::read(file, text, kSize - 1);
    ::close(file);
    text[length > 0 ? length : 0] = '\0';
}

/// The 22nd field of /proc/PID/stat; 0 for a process that has ended and was not waited for. The second field,
/// the program's name, may contain blanks and parentheses.
std::uint64_t startTimeIn(const char* stat) noexcept {
    constexpr int kFieldsBehindTheName = 20;
    const char* at = std::strrchr(stat, ')');
    if (at == nullptr || std::strncmp(at, ") Z", 3) == 0 || std::strncmp(at, ") X", 3) == 0) return 0;
    for (int i = 0; at != nullptr && i < kFieldsBehindTheName; ++i) at = std::strchr(at + 1, ' ');
    return at != nullptr ? std::strtoull(at, nullptr, 10) : 0;
}

std::uint64_t startTimeFrom(const char* path) noexcept {
    char stat[1024];
    readShort(path, stat);
    return startTimeIn(stat);
}

}  // namespace

std::uint64_t ownPidNamespace() noexcept {
    struct stat facts {};
    return ::stat("/proc/self/ns/pid", &facts) == 0 ? facts.st_ino : 0;
}

ProcessIdentity thisProcess() noexcept {
    ProcessIdentity self;
    readShort("/proc/sys/kernel/random/boot_id", self.boot);
    self.boot[std::strcspn(self.boot, "\n")] = '\0';
    self.pidNamespace = ownPidNamespace();
    self.pid = static_cast<std::uint64_t>(::getpid());
    self.startTime = startTimeFrom("/proc/self/stat");
    return self;
}

std::uint64_t startTimeOf(std::uint64_t pid) noexcept {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%llu/stat", static_cast<unsigned long long>(pid));
    return startTimeFrom(path);
}

std::size_t describeThisProcess(char* text, std::size_t size, const char* run, long rank,
                                bool isLocked) noexcept {
    const ProcessIdentity self = thisProcess();
    char host[HOST_NAME_MAX + 1] = {};
    ::gethostname(host, sizeof host - 1);
    const int length = std::snprintf(
        text, size,
        "run %.64s\nhost %s\nboot %s\nnamespace %llu\nprocess %llu\nstart %llu\nrank %ld\nlocked %d\n",
        run != nullptr ? run : "", host, self.boot, static_cast<unsigned long long>(self.pidNamespace),
        static_cast<unsigned long long>(self.pid), static_cast<unsigned long long>(self.startTime), rank,
        isLocked ? 1 : 0);
    return length > 0 ? std::min(static_cast<std::size_t>(length), size - 1) : 0;
}

}  // namespace holos::tracing
