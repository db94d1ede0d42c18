// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/attach/record_buffer.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.h"

namespace holos::attach {
namespace {

/// Together as much as the kernel gives everybody by default (`kernel.perf_event_mlock_kb`).
constexpr std::size_t kBytes = 512 * 1024;
constexpr std::size_t kBytesBesideOwn = 128 * 1024;
constexpr std::size_t kOwnBytes = 256 * 1024;

std::size_t pageBytes() {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void* mapped(int file, std::size_t bytes, std::size_t offset) {
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset));
    if (memory == MAP_FAILED)
        throw Error(std::string("the kernel gives no memory for samples: ") + std::strerror(errno) +
                    (errno == EPERM ? " (other programs use what kernel.perf_event_mlock_kb allows; 'ulimit "
                                      "-l' allows more)"
                                    : ""));
    return memory;
}

}  // namespace

RecordBuffer::RecordBuffer(int file, bool hasOwnRecords) {
    const std::size_t bytes = pageBytes() + (hasOwnRecords ? kBytesBesideOwn : kBytes);
    page_ = static_cast<perf_event_mmap_page*>(mapped(file, bytes, 0));
    if (!hasOwnRecords) return;
    page_->aux_offset = bytes;
    page_->aux_size = kOwnBytes;
    try {
        own_ = static_cast<unsigned char*>(mapped(file, kOwnBytes, bytes));
    } catch (...) {
        ::munmap(page_, bytes);
        throw;
    }
}

std::size_t RecordBuffer::ringBytes() const {
    return own_ != nullptr ? kBytesBesideOwn : kBytes;
}

RecordBuffer::~RecordBuffer() {
    if (page_ == nullptr) return;
    const std::size_t bytes = pageBytes() + ringBytes();
    if (own_ != nullptr) ::munmap(own_, kOwnBytes);
    ::munmap(page_, bytes);
}

RecordBuffer::RecordBuffer(RecordBuffer&& other) noexcept
    : page_(std::exchange(other.page_, nullptr)), own_(std::exchange(other.own_, nullptr)) {}

void RecordBuffer::take(const std::function<void(std::span<const unsigned char>)>& consume) {
    const auto* const ring = reinterpret_cast<const unsigned char*>(page_) + pageBytes();
    const std::uint64_t head = __atomic_load_n(&page_->data_head, __ATOMIC_ACQUIRE);
    recordsIn({ring, ringBytes()}, page_->data_tail, head, consume);
    __atomic_store_n(&page_->data_tail, head, __ATOMIC_RELEASE);
}

void RecordBuffer::takeOwn(std::uint64_t from, std::uint64_t bytes,
                           const std::function<void(std::span<const unsigned char>)>& consume) {
    if (own_ == nullptr) return;
    std::atomic_thread_fence(std::memory_order_acquire);
    consume(bytesOf({own_, kOwnBytes}, from, bytes));
    __atomic_store_n(&page_->aux_tail, from + bytes, __ATOMIC_RELEASE);
}

std::vector<unsigned char> bytesOf(std::span<const unsigned char> ring, std::uint64_t from,
                                   std::uint64_t bytes) {
    const std::uint64_t there = std::min<std::uint64_t>(bytes, ring.size());
    std::vector<unsigned char> copy;
    copy.reserve(there);
    for (std::uint64_t at = from + (bytes - there); copy.size() < there;) {
        const std::size_t begin = at % ring.size();
        const std::size_t part = std::min(ring.size() - begin, static_cast<std::size_t>(there) - copy.size());
        const auto piece = ring.subspan(begin, part);
        copy.insert(copy.end(), piece.begin(), piece.end());
        at += part;
    }
    return copy;
}

std::size_t recordsIn(std::span<const unsigned char> ring, std::size_t from, std::size_t to,
                      const std::function<void(std::span<const unsigned char>)>& consume) {
    std::vector<unsigned char> record;
    while (to - from >= sizeof(perf_event_header)) {
        perf_event_header header{};  // aligned to eight bytes, and so never at the seam
        std::memcpy(&header, &ring[from % ring.size()], sizeof header);
        if (header.size < sizeof header || header.size > to - from) break;
        const std::size_t at = from % ring.size();
        const std::size_t first = std::min<std::size_t>(header.size, ring.size() - at);
        record.assign(ring.begin() + static_cast<std::ptrdiff_t>(at),
                      ring.begin() + static_cast<std::ptrdiff_t>(at + first));
        record.insert(record.end(), ring.begin(),
                      ring.begin() + static_cast<std::ptrdiff_t>(header.size - first));
        consume(record);
        from += header.size;
    }
    return from;
}

}  // namespace holos::attach
