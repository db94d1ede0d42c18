// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

struct perf_event_mmap_page;

namespace holos::attach {

/// What the kernel writes of the events of one processor: a ring of pages that it shares with us.
class RecordBuffer {
  public:
    /// Of an event's file. Throws `Error` where the kernel gives no such memory, with what would help.
    explicit RecordBuffer(int file);
    ~RecordBuffer();
    RecordBuffer(RecordBuffer&& other) noexcept;
    RecordBuffer(const RecordBuffer&) = delete;
    RecordBuffer& operator=(const RecordBuffer&) = delete;

    /// Hands over all complete records that are there, each with its header, and makes their room free.
    void take(const std::function<void(std::span<const unsigned char>)>& consume);

  private:
    perf_event_mmap_page* page_ = nullptr;
};

/// The records of a ring of a power of two bytes between two positions that only grow; each begins with its
/// header. Stops before one that cannot be a record. Returns the position behind the last one.
std::size_t recordsIn(std::span<const unsigned char> ring, std::size_t from, std::size_t to,
                      const std::function<void(std::span<const unsigned char>)>& consume);

}  // namespace holos::attach
