// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

/// What tells a process from every other one: from those that had its number before, and from those that have
/// it in other process-id namespaces or on other machines. For the recorder and for who reads its files.
namespace holos::tracing {

struct ProcessIdentity {
    char boot[48] = {};              ///< of the running kernel; empty where it does not tell
    std::uint64_t pidNamespace = 0;  ///< 0 where the kernel does not tell
    std::uint64_t pid = 0;
    std::uint64_t startTime = 0;  ///< in the kernel's ticks since its own start; kept by exec; 0: not known
};

/// The calling process. Allocates nothing.
ProcessIdentity thisProcess() noexcept;

/// The namespace of process numbers of the calling process; 0 where the kernel does not tell. Allocates
/// nothing.
std::uint64_t ownPidNamespace() noexcept;

/// Of a process of this namespace; 0 where there is none. Allocates nothing.
std::uint64_t startTimeOf(std::uint64_t pid) noexcept;

/// What a process says of itself in the recording, in lines `WORD VALUE`, zero-terminated. Allocates nothing.
/// `isLocked`: as long as it lives, the kernel keeps the file locked that this is written to. Returns the
/// bytes; nothing is cut off in 512.
std::size_t describeThisProcess(char* text, std::size_t size, const char* run, long rank,
                                bool isLocked) noexcept;

}  // namespace holos::tracing

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
