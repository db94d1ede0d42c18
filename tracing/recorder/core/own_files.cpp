// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/own_files.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace holos::tracing::core {

int createOwnFile(const char* path, int flags) noexcept {
    constexpr mode_t kNeeded = S_IRUSR | S_IWUSR;
    const int file = ::open(path, flags | O_CREAT | O_CLOEXEC, 0644);
    struct stat facts {};
    if (file >= 0 && ::fstat(file, &facts) == 0 && (facts.st_mode & kNeeded) != kNeeded)
        ::fchmod(file, (facts.st_mode & ALLPERMS) | kNeeded);
    return file;
}

int createOwnFolder(const char* path) noexcept {
    if (::mkdir(path, 0755) != 0) return -1;
    struct stat facts {};
    if (::stat(path, &facts) == 0 && (facts.st_mode & S_IRWXU) != S_IRWXU)
        ::chmod(path, (facts.st_mode & ALLPERMS) | S_IRWXU);
    return 0;
}

}  // namespace holos::tracing::core
