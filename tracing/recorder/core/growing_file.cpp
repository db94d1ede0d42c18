// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/growing_file.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "tracing/recorder/core/mapped_file.h"
#include "tracing/recorder/core/own_files.h"
#include "tracing/recorder/core/storage_guard.h"
#include "tracing/recorder/interpose/confinement.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23  // Linux 5.14
#endif

namespace holos::tracing::core {
namespace {

std::size_t pageBytes() noexcept {
    static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return bytes;
}

/// The kernel says "bad address" for all that went wrong. Errors of the disk are rarer than a full one.
int reasonAt(const char* path) noexcept {
    struct statfs facts {};
    constexpr std::uint64_t kPlenty = std::uint64_t{64} << 20;
    const bool hasRoom =
        ::statfs(path, &facts) == 0 && static_cast<std::uint64_t>(facts.f_bavail) * facts.f_bsize > kPlenty;
    return hasRoom ? EIO : ENOSPC;
}

/// Maps the pages at `from`, and those behind them, once more.
void* mapAgain(void* from, std::size_t bytes) noexcept {
    void* const memory = ::mremap(from, 0, bytes, MREMAP_MAYMOVE);
    return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

std::uint64_t largestFile() noexcept {
    rlimit limit{};
    return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur
                                                                                     : UINT64_MAX;
}

/// Its pages are counted against what the system has now, and not when they are written to.
int mapShared(std::size_t bytes, void** address) noexcept {
    const KeepErrno keep;
    if (!interpose::may(interpose::Need::Storage)) return EACCES;
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) return errno;
    *address = memory;
    return 0;
}

void unmapShared(void* address, std::size_t bytes) noexcept {
    const KeepErrno keep;
    forgetMapping(address);
    ::munmap(address, bytes);
}

KeepErrno::KeepErrno() noexcept : saved_(errno) {}
KeepErrno::~KeepErrno() {
    errno = saved_;
}

int GrowingFile::create(Kind kind, const char* path, std::size_t step) noexcept {
    const KeepErrno keep;
    kind_ = kind;
    step_ = step;
    std::snprintf(path_, sizeof path_, "%s", path);
    return kind == Kind::Mapped ? createFile() : createMemory();
}

int GrowingFile::createFile() noexcept {
    if (largestFile() < pageBytes()) return EFBIG;
    const int file = createOwnFile(path_, O_RDWR);
    if (file < 0) return errno;
    const int error = ::ftruncate(file, static_cast<off_t>(pageBytes())) != 0 ? errno : anchor(file);
    ::close(file);
    if (error != 0) return error;
    size_.store(pageBytes(), std::memory_order_release);
    return populate(anchors_[0].load(), pageBytes());
}

/// As large as ever needed: what is not written takes nothing.
int GrowingFile::createMemory() noexcept {
    const int file = ::memfd_create("holos", MFD_CLOEXEC);
    if (file < 0) return errno;
    const std::uint64_t size = std::min(largestFile(), kSpacing * kMostAnchors);
    const int error = ::ftruncate(file, static_cast<off_t>(size)) != 0 ? errno : anchor(file);
    ::close(file);
    if (error == 0) size_.store(size, std::memory_order_release);
    return error;
}

int GrowingFile::anchor(int file) noexcept {
    void* const memory = ::mmap(nullptr, pageBytes(), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) return errno;
    anchors_[0].store(memory, std::memory_order_release);
    return 0;
}

int GrowingFile::map(std::uint64_t offset, std::size_t bytes, void** address) noexcept {
    const KeepErrno keep;
    if (!interpose::may(interpose::Need::Storage)) return EACCES;
    if (const int error = growTo(offset + bytes); error != 0) return error;
    void* const from = anchorAt(offset / kSpacing);
    const std::size_t before = offset % kSpacing;
    void* const all = from != nullptr ? mapAgain(from, before + bytes) : nullptr;
    if (all == nullptr) return ENOMEM;
    if (before != 0) ::munmap(all, before);
    void* const memory = static_cast<char*>(all) + before;
    if (const int error = populate(memory, bytes); error != 0) {
        ::munmap(memory, bytes);
        return error;
    }
    if (kind_ == Kind::Mapped) guardMapping(memory, bytes);
    *address = memory;
    return 0;
}

int GrowingFile::growTo(std::uint64_t bytes) noexcept {
    if (size_.load(std::memory_order_acquire) >= bytes) return 0;
    const std::uint64_t most = largestFile();
    if (kind_ == Kind::Copied || bytes > most) return EFBIG;
    while (isGrowing_.exchange(true, std::memory_order_acquire)) ::sched_yield();
    int error = 0;
    if (size_.load(std::memory_order_relaxed) < bytes) {
        const std::uint64_t size = std::max(bytes, std::min(most, (bytes / step_ + 1) * step_));
        error = resize(size);
        if (error == 0) size_.store(size, std::memory_order_release);
    }
    isGrowing_.store(false, std::memory_order_release);
    return error;
}

/// Where its folder was moved, by its new name.
int GrowingFile::resize(std::uint64_t bytes) noexcept {
    if (::truncate(path_, static_cast<off_t>(bytes)) == 0) return 0;
    const int error = errno;
    if (error != ENOENT && error != ENOTDIR) return error;
    if (findMappedFile(anchors_[0].load(), path_, sizeof path_) != 0) return error;
    return ::truncate(path_, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
}

void* GrowingFile::anchorAt(std::size_t number) noexcept {
    if (number >= kMostAnchors) return nullptr;
    std::size_t known = number;
    while (anchors_[known].load(std::memory_order_acquire) == nullptr) --known;
    for (; known != number; ++known) {
        void* const all = mapAgain(anchors_[known].load(), kSpacing + pageBytes());
        if (all == nullptr) return nullptr;
        ::munmap(all, kSpacing);
        void* const next = static_cast<char*>(all) + kSpacing;
        void* none = nullptr;
        if (!anchors_[known + 1].compare_exchange_strong(none, next)) ::munmap(next, pageBytes());
    }
    return anchors_[number].load();
}

/// Old kernels cannot do so with memory, which comes with the first store then.
int GrowingFile::populate(void* address, std::size_t bytes) const noexcept {
    if (::madvise(address, bytes, MADV_POPULATE_WRITE) == 0) return 0;
    if (kind_ == Kind::Copied) return errno == EINVAL ? 0 : ENOMEM;
    if (errno == EFAULT) return reasonAt(path_);
    return errno == EINVAL ? ENOTSUP : errno;
}

}  // namespace holos::tracing::core
