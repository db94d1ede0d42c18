// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

struct perf_event_mmap_page;

namespace holos::attach {

/// What the kernel writes of the events of one processor: a ring of pages that it shares with us.
class RecordBuffer {
  public:
    /// Of an event's file. `hasOwnRecords`: with a second ring, in which the processor writes records of its
    /// own. Throws `Error` where the kernel gives no such memory, with what would help.
    explicit RecordBuffer(int file, bool hasOwnRecords = false);
    ~RecordBuffer();
    RecordBuffer(RecordBuffer&& other) noexcept;

    /// Hands over all complete records that are there, each with its header, and makes their room free.
    void take(const std::function<void(std::span<const unsigned char>)>& consume);

    /// Hands over what the processor wrote from a position on, which only grows, and makes its room free.
    void takeOwn(std::uint64_t from, std::uint64_t bytes,
                 const std::function<void(std::span<const unsigned char>)>& consume);

  private:
    std::size_t ringBytes() const;

    perf_event_mmap_page* page_ = nullptr;
    unsigned char* own_ = nullptr;  ///< null: no second ring
};

/// Some bytes of a ring from a position on, which only grows; those that are newest where it has fewer.
std::vector<unsigned char> bytesOf(std::span<const unsigned char> ring, std::uint64_t from,
                                   std::uint64_t bytes);

/// The records of a ring of a power of two bytes between two positions that only grow; each begins with its
/// header. Stops before one that cannot be a record. Returns the position behind the last one.
std::size_t recordsIn(std::span<const unsigned char> ring, std::size_t from, std::size_t to,
                      const std::function<void(std::span<const unsigned char>)>& consume);

}  // namespace holos::attach
