// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory_resource>
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

}  // namespace holos::analyzer
