// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory_resource>
#include <mutex>
#include <thread>
#include <vector>

namespace holos::analyzer {

/// Where records are kept: in memory, or a file when the memory is limited (`RecordFile`). Not owned.
using Memory = std::pmr::memory_resource*;
/// Small lists are on the heap. Large ones have pages of their own, which the system has back as soon as a
/// list has grown out of them or is not needed any more.
Memory heap();
/// A larger place for so many bytes of the heap, or for none yet, which are moved there; large ones are not
/// copied.
void* growOnHeap(void* begin, std::size_t bytes, std::size_t wanted);
/// While there is one, the pages of large lists on the heap that are gone are used again for others. The
/// system clears every page that it hands out, which takes longer than writing records into it. Thread
/// safety: several may be there at the same time.
class PageReuse {
  public:
    PageReuse();
    /// The system gets back what is kept.
    ~PageReuse();
    PageReuse(const PageReuse&) = delete;
    PageReuse& operator=(const PageReuse&) = delete;

    /// Gives the system what is kept now: no large lists will be made for a while.
    static void giveBack();
};
/// Returns freed memory of the heap to the system (`malloc_trim`).
void trimHeap();

/// What grows with a run's synchronization. Moving one to another of the same memory costs nothing.
template <class T>
using Records = std::pmr::vector<T>;

/// One for each location, in the memory given.
template <class T>
std::vector<Records<T>> recordsByLocation(std::size_t locations, Memory memory) {
    std::vector<Records<T>> all;
    all.reserve(locations);
    for (std::size_t i = 0; i < locations; ++i) all.emplace_back(memory);
    return all;
}

/// Keeps large lists of records in a file without a name, mapped into memory. While the process has more
/// memory than the limit, its parts are taken out of memory; they come back from the file when they are used.
/// Small lists stay on the heap.
/// Thread safety: safe.
class RecordFile final : public std::pmr::memory_resource {
  public:
    /// `limit`: bytes; `folder`: on a disk, as what lies in memory itself would gain nothing. Throws
    /// `holos::Error` when no file can be made there; so does `allocate` when the disk is full.
    RecordFile(std::uint64_t limit, const std::filesystem::path& folder);
    ~RecordFile() override;
    RecordFile(const RecordFile&) = delete;
    RecordFile& operator=(const RecordFile&) = delete;

    /// The most that was in the file at a time, in bytes.
    std::uint64_t largest() const;
    /// How often its parts were taken out of memory.
    std::uint64_t evictions() const;
    /// Takes all its parts out of memory now, whatever the limit.
    void evict();

    /// Lists below are left on the heap.
    static constexpr std::size_t kSmallest = std::size_t{64} * 1024;

  private:
    struct Part {
        std::size_t bytes;
        std::uint64_t offset;
    };
    void* do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void* begin, std::size_t bytes, std::size_t alignment) override;
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
    void watch(const std::stop_token& stop);
    [[noreturn]] void fail(const char* doing, int error) const;

    std::uint64_t limit_;
    std::filesystem::path folder_;
    int file_;
    mutable std::mutex mutex_;
    std::condition_variable_any wake_;
    std::map<void*, Part> parts_;
    std::uint64_t end_ = 0;  ///< of the file
    std::uint64_t inFile_ = 0;
    std::uint64_t largest_ = 0;
    std::uint64_t evictions_ = 0;
    std::jthread watcher_;  ///< last: it ends before the rest goes
};

}  // namespace holos::analyzer
