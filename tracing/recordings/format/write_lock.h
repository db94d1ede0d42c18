// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <unistd.h>

/// Locks that only a process can take that may write the file: others that may merely read it cannot pretend
/// anything. They belong to the open file, as those of flock(2) do: to all descriptors and mappings of it.
namespace holos::tracing::core {

inline struct flock wholeFile(short type) noexcept {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

/// False where another open file has the lock, or the file system has no locks.
inline bool takeWriteLock(int file) noexcept {
    struct flock lock = wholeFile(F_WRLCK);
    return ::fcntl(file, F_OFD_SETLK, &lock) == 0;
}

/// Whether another open file of the same file has the lock. Locks for reading, which everybody can take who
/// may read the file, do not count.
inline bool hasWriteLock(int file) noexcept {
    struct flock lock = wholeFile(F_RDLCK);
    return ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
}

}  // namespace holos::tracing::core
