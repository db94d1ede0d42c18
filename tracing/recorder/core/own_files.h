// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

/// Files and folders of the recording, which their owner may read and write whatever the program's umask
/// takes away: a program may set one by which it could not open its own files again.
namespace holos::tracing::core {

/// As open(2) with `O_CREAT` and `O_CLOEXEC`: a descriptor, or -1 with errno.
inline int createOwnFile(const char* path, int flags) noexcept {
    constexpr mode_t kNeeded = S_IRUSR | S_IWUSR;
    const int file = ::open(path, flags | O_CREAT | O_CLOEXEC, 0644);
    struct stat facts {};
    if (file >= 0 && ::fstat(file, &facts) == 0 && (facts.st_mode & kNeeded) != kNeeded)
        ::fchmod(file, (facts.st_mode & ALLPERMS) | kNeeded);
    return file;
}

/// As mkdir(2): 0, or -1 with errno.
inline int createOwnFolder(const char* path) noexcept {
    if (::mkdir(path, 0755) != 0) return -1;
    struct stat facts {};
    if (::stat(path, &facts) == 0 && (facts.st_mode & S_IRWXU) != S_IRWXU)
        ::chmod(path, (facts.st_mode & ALLPERMS) | S_IRWXU);
    return 0;
}

}  // namespace holos::tracing::core
