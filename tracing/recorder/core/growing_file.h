// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>

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

/// Bytes that a file of the process may have (`RLIMIT_FSIZE`): beyond, the kernel would send a signal that
/// ends the program.
std::uint64_t largestFile() noexcept;

/// Memory of no file, as large as whole pages, that is there when this returns 0; else an errno.
int mapShared(std::size_t bytes, void** address) noexcept;
void unmapShared(void* address, std::size_t bytes) noexcept;

/// A file of the recording, written as memory. It has a descriptor only while `create` runs: later parts are
/// mapped by what is mapped already (`mremap` with an old size of 0), and the file grows by its name, also by
/// a new one (`growing_file.cpp`). So the
/// program finds its descriptors as without the recorder, can close them all, may have none left, and may
/// forbid itself to open files. All functions return 0 or an errno, and leave errno alone.
///
/// Thread safety: safe but for `create`, also in a signal handler that interrupts none of them.
class GrowingFile {
  public:
    /// Where what is written goes: to the file, or to memory that somebody copies to the file.
    enum class Kind : std::uint8_t { Mapped, Copied };

    /// ENOTSUP where the kernel cannot tell that a disk is full but by a signal (before Linux 5.14).
    int create(Kind kind, const char* path, std::size_t step) noexcept;

    /// Maps bytes of the file, whole pages, which then exist on the disk: later stores find room.
    int map(std::uint64_t offset, std::size_t bytes, void** address) noexcept;

  private:
    static constexpr std::uint64_t kSpacing = std::uint64_t{1} << 25;  // between anchors
    static constexpr std::size_t kMostAnchors = 32768;

    int createFile() noexcept;
    int createMemory() noexcept;
    int anchor(int file) noexcept;
    int growTo(std::uint64_t bytes) noexcept;
    int resize(std::uint64_t bytes) noexcept;
    void* anchorAt(std::size_t number) noexcept;
    int populate(void* address, std::size_t bytes) const noexcept;

    Kind kind_ = Kind::Mapped;
    std::size_t step_ = 0;
    char path_[PATH_MAX] = {};
    std::atomic<std::uint64_t> size_{0};
    std::atomic<bool> isGrowing_{false};
    /// The first page of each `kSpacing` bytes, as far as they were needed: from there others are mapped.
    std::array<std::atomic<void*>, kMostAnchors> anchors_{};
};

// A store to a mapped file can fail although there was room: the disk has an error, the file server is gone,
// somebody cut the file. The kernel then sends SIGBUS, which ends a program. The guard's handler puts memory
// in place of the file there, with what can still be read of it, and stops the recording: the store is done
// again, and the program goes on. Every other SIGBUS is the program's: its own handler gets it, or what the
// system does by default happens.
//
// Not where a thread has blocked the signal, where the program ignores it, or set a handler by a system call
// of its own.

/// Called once, before anything is mapped.
void guardStorage() noexcept;

/// A part of a file that is stored to is there from now on, or no longer. Thread safety: safe.
void guardMapping(void* begin, std::size_t bytes) noexcept;
void forgetMapping(void* begin) noexcept;

}  // namespace holos::tracing::core
