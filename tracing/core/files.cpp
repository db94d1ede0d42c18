// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  // Linux 5.14
#endif

namespace holos::tracing::core {
namespace {

/// Restores errno at the end of a function.
class KeepErrno {
  public:
    KeepErrno() noexcept : saved_(errno) {}
    ~KeepErrno() { errno = saved_; }
    KeepErrno(const KeepErrno&) = delete;
    KeepErrno& operator=(const KeepErrno&) = delete;

  private:
    int saved_;
};

/// Closes a file at the end of a function.
class OpenFile {
  public:
    OpenFile(const char* path, int flags) noexcept : number_(::open(path, flags | O_CLOEXEC, 0644)) {}
    ~OpenFile() {
        if (number_ >= 0) ::close(number_);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    int number() const noexcept { return number_; }

  private:
    int number_;
};

/// Beyond the process's limit the kernel would send a signal that ends the program.
bool exceedsLimit(std::uint64_t size) noexcept {
    rlimit limit{};
    return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && size > limit.rlim_cur;
}

/// Writes zeros, for file systems that cannot reserve space.
int writeZeros(int file, std::uint64_t offset, std::size_t bytes) noexcept {
    static const char zeros[16384] = {};
    while (bytes > 0) {
        const ssize_t done = ::pwrite(file, zeros, std::min(bytes, sizeof zeros), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return done < 0 ? errno : ENOSPC;
        offset += static_cast<std::uint64_t>(done);
        bytes -= static_cast<std::size_t>(done);
    }
    return 0;
}

int reserveSpace(int file, std::uint64_t offset, std::size_t bytes) noexcept {
    for (;;) {
        if (::fallocate(file, 0, static_cast<off_t>(offset), static_cast<off_t>(bytes)) == 0) return 0;
        if (errno == EINTR) continue;
        return errno == EOPNOTSUPP || errno == ENOSYS ? writeZeros(file, offset, bytes) : errno;
    }
}

/// So that stores meet memory that is there.
int populate(void* memory, std::size_t bytes) noexcept {
    return ::madvise(memory, bytes, MADV_POPULATE_WRITE) != 0 && errno == EFAULT ? EIO : 0;
}

}  // namespace

int mapChunk(const char* path, std::uint64_t offset, std::size_t bytes, std::size_t usable,
             void** address) noexcept {
    const KeepErrno keep;
    if (exceedsLimit(offset + usable)) return EFBIG;
    const OpenFile file(path, O_RDWR | O_CREAT);
    if (file.number() < 0) return errno;
    if (const int error = reserveSpace(file.number(), offset, usable); error != 0) return error;
    void* memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), static_cast<off_t>(offset));
    if (memory == MAP_FAILED) return errno;
    if (const int error = populate(memory, usable); error != 0) {
        ::munmap(memory, bytes);
        return error;
    }
    *address = memory;
    return 0;
}

int extendChunk(const char* path, std::uint64_t offset, std::size_t bytes, std::size_t usable,
                void* address) noexcept {
    const KeepErrno keep;
    if (exceedsLimit(offset + bytes)) return EFBIG;
    const OpenFile file(path, O_RDWR);
    if (file.number() < 0) return errno;
    if (const int error = reserveSpace(file.number(), offset + usable, bytes - usable); error != 0)
        return error;
    return populate(static_cast<char*>(address) + usable, bytes - usable);
}

void unmapChunk(void* address, std::size_t bytes) noexcept {
    const KeepErrno keep;
    ::munmap(address, bytes);
}

int appendToFile(const char* path, const void* data, std::size_t bytes) noexcept {
    const KeepErrno keep;
    const OpenFile file(path, O_WRONLY | O_CREAT | O_APPEND);
    if (file.number() < 0) return errno;
    const off_t size = ::lseek(file.number(), 0, SEEK_END);
    if (size < 0) return errno;
    if (exceedsLimit(static_cast<std::uint64_t>(size) + bytes)) return EFBIG;
    ssize_t done = 0;
    do done = ::write(file.number(), data, bytes);
    while (done < 0 && errno == EINTR);
    if (done < 0) return errno;
    return static_cast<std::size_t>(done) == bytes ? 0 : ENOSPC;
}

}  // namespace holos::tracing::core
