// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/proof_of_life.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tracing/recorder/core/environment.h"
#include "tracing/recorder/core/growing_file.h"
#include "tracing/recordings/format/process_identity.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::core {
namespace {

/// Locks the file without keeping a descriptor: a mapping keeps the open file, and with it the lock. Nothing
/// ever touches the mapping, and children of a fork do not get it.
void lockUntilTheEnd(const char* file) noexcept {
    constexpr std::size_t kPage = 4096;
    const int number = createOwnFile(file, O_RDWR);
    if (number < 0) return;
    if (takeWriteLock(number)) {
        void* const keeper = ::mmap(nullptr, kPage, PROT_NONE, MAP_SHARED, number, 0);
        if (keeper != MAP_FAILED && ::madvise(keeper, kPage, MADV_DONTFORK) != 0) ::munmap(keeper, kPage);
    }
    ::close(number);
}

bool proveLife(const char* folder) noexcept {
    char file[PATH_MAX];
    const int length = std::snprintf(file, sizeof file, "%s/alive", folder);
    if (length < 0 || length >= static_cast<int>(sizeof file)) return false;
    lockUntilTheEnd(file);
    const int number = createOwnFile(file, O_RDWR);
    if (number < 0) return false;
    char text[512];
    // There are file systems without locks, and some where a mapping does not keep the file that was opened.
    const std::size_t bytes = describeThisProcess(text, sizeof text, std::getenv(kRunVariable),
                                                  launcherRank(), hasWriteLock(number));
    const bool written = ::write(number, text, bytes) == static_cast<ssize_t>(bytes);
    ::close(number);
    return written;
}

/// Hidden, and no other process's, also of those with the same number in another namespace.
bool makeHiddenFolder(const char* recording, char* folder, std::size_t size) noexcept {
    std::uint64_t random = 0;
    if (::getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random)
        random = reinterpret_cast<std::uintptr_t>(&random) ^ static_cast<std::uint64_t>(::getpid());
    const int length =
        std::snprintf(folder, size, "%s/.%016llx", recording, static_cast<unsigned long long>(random));
    return length > 0 && length < static_cast<int>(size) && createOwnFolder(folder) == 0;
}

void removeFolder(const char* folder) noexcept {
    char file[PATH_MAX];
    const int length = std::snprintf(file, sizeof file, "%s/alive", folder);
    if (length > 0 && length < static_cast<int>(sizeof file)) ::unlink(file);
    ::rmdir(folder);
}

bool nameOf(int program, const char* recording, char* folder, std::size_t size) noexcept {
    char host[HOST_NAME_MAX + 1] = {};
    ::gethostname(host, sizeof host - 1);
    const int length =
        std::snprintf(folder, size, "%s/%s.%d.%d", recording, host, static_cast<int>(::getpid()), program);
    return length > 0 && length < static_cast<int>(size);
}

/// Of the programs that the process ran before, which have all numbers from 0 on: found in steps that double,
/// and then by halves, as there may be very many.
int programsBefore(const char* recording, char* folder, std::size_t size) noexcept {
    constexpr int kMost = 1 << 24;
    const auto isThere = [&](int program) {
        return nameOf(program, recording, folder, size) && ::access(folder, F_OK) == 0;
    };
    int known = -1;
    int step = 1;
    for (; step < kMost && isThere(known + step); step *= 2) known += step;
    for (step /= 2; step > 0; step /= 2)
        if (isThere(known + step)) known += step;
    return known + 1;
}

/// A process can replace its program by another (exec), which then records beside it under the next number.
bool giveItsName(const char* hidden, const char* recording, char* folder, std::size_t size) noexcept {
    constexpr int kTries = 1000;  // others of the same number, as of another namespace, may come in between
    const int first = programsBefore(recording, folder, size);
    for (int n = first; n < first + kTries && nameOf(n, recording, folder, size); ++n) {
        if (::rename(hidden, folder) == 0)
            return true;  // fails where the folder is there, which is never empty
        if (errno != EEXIST && errno != ENOTEMPTY) return false;
    }
    return false;
}

}  // namespace

bool makeProcessFolder(const char* recording, char* folder, std::size_t size) noexcept {
    constexpr std::size_t kLongestName = 16;
    char hidden[PATH_MAX - kLongestName];
    if (!makeHiddenFolder(recording, hidden, sizeof hidden)) return false;
    if (proveLife(hidden) && giveItsName(hidden, recording, folder, size)) return true;
    removeFolder(hidden);
    return false;
}

}  // namespace holos::tracing::core
