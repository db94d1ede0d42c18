// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/attach/record_buffer.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.h"

namespace holos::attach {
namespace {

/// As much as the kernel gives everybody by default (`kernel.perf_event_mlock_kb`).
constexpr std::size_t kBytes = 512 * 1024;

std::size_t pageBytes() {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

RecordBuffer::RecordBuffer(int file) {
    void* const memory = ::mmap(nullptr, kBytes + pageBytes(), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        throw Error(std::string("the kernel gives no memory for samples: ") + std::strerror(errno) +
                    (errno == EPERM ? " (other programs use what kernel.perf_event_mlock_kb allows; 'ulimit "
                                      "-l' allows more)"
                                    : ""));
    page_ = static_cast<perf_event_mmap_page*>(memory);
}

RecordBuffer::~RecordBuffer() {
    if (page_ != nullptr) ::munmap(page_, kBytes + pageBytes());
}

RecordBuffer::RecordBuffer(RecordBuffer&& other) noexcept : page_(std::exchange(other.page_, nullptr)) {}

void RecordBuffer::take(const std::function<void(std::span<const unsigned char>)>& consume) {
    const auto* const ring = reinterpret_cast<const unsigned char*>(page_) + pageBytes();
    const std::uint64_t head = __atomic_load_n(&page_->data_head, __ATOMIC_ACQUIRE);
    recordsIn({ring, kBytes}, page_->data_tail, head, consume);
    __atomic_store_n(&page_->data_tail, head, __ATOMIC_RELEASE);
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
