// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/location.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "tracing/core/counting.h"
#include "tracing/core/definition_log.h"
#include "tracing/core/files.h"
#include "tracing/core/process.h"

namespace holos::tracing::core {
namespace {

std::uint64_t mostChunks = 0;  ///< of a location; 0: no limit
bool keepsNewest = false;
std::atomic<Location*> newest{nullptr};

/// What many threads of a program need that starts one for each piece of work.
constexpr std::size_t kFirstBytesOfThread = 16 * 1024;

/// Many in a page, and never freed: who looks through all of them takes no lock.
void* allocateLocation() noexcept {
    constexpr std::size_t kBlock = 64;
    static constinit std::mutex mutex;
    static Location* block = nullptr;
    static std::size_t left = 0;
    const std::scoped_lock lock(mutex);
    if (left == 0) {
        block = static_cast<Location*>(allocate(kBlock * sizeof(Location)));
        if (block == nullptr) return nullptr;
        left = kBlock;
    }
    return block + --left;
}

bool isFull(const Location& location) noexcept {
    return mostChunks != 0 && location.chunks >= mostChunks;
}

}  // namespace

void limitLocations() noexcept {
    const char* const bytes = std::getenv("HOLOS_BUFFER");
    const char* const then = std::getenv("HOLOS_WHEN_FULL");
    constexpr std::uint64_t kFewest = 2;
    if (bytes != nullptr && *bytes != '\0')
        mostChunks = std::max<std::uint64_t>(std::strtoull(bytes, nullptr, 10) / kChunkBytes, kFewest);
    keepsNewest = then != nullptr && std::strcmp(then, "newest") == 0;
}

bool Location::nextChunk() noexcept {
    if (isFull(*this) && !keepsNewest) return false;
    Thread& thread = thisThread;
    const bool counting = thread.counters != nullptr;
    if (counting) moveCounters(thread, thread.location, nullptr);
    const bool isFirst = chunks == 0;
    const std::uint64_t begin = ticksNow();
    const bool good = mapNext();
    if (good && !isFirst) {
        flushBegin = begin;
        flushEnd = ticksNow();
    }
    if (counting) moveCounters(thread, nullptr, thread.location);
    return good;
}

bool Location::mapNext() noexcept {
    char path[PATH_MAX];
    std::snprintf(path, sizeof path, "%s/%u.events", directory(), ref);
    if (chunk != nullptr && end < chunk + kChunkWords) return extend(path);
    const bool overwrites = isFull(*this);
    close();
    if (!recordingIsOpen.load(std::memory_order_relaxed)) return false;
    const std::size_t usable = chunks == 0 ? firstBytes : kChunkBytes;
    void* memory = nullptr;
    const std::uint64_t place = overwrites ? chunks % mostChunks : chunks;
    if (const int error = mapChunk(path, place * kChunkBytes, kChunkBytes, usable, &memory); error != 0) {
        fail(error);
        return false;
    }
    ++chunks;
    processor = kNoProcessor;
    chunk = next = static_cast<std::uint64_t*>(memory);
    end = chunk + usable / sizeof(std::uint64_t);
    if (!overwrites) return true;
    std::fill(chunk, end, 0);
    commit(next, header(RecordKind::Overwritten, ticksNow()), 1);
    return true;
}

/// Only the first chunk is short.
bool Location::extend(const char* path) noexcept {
    if (!recordingIsOpen.load(std::memory_order_relaxed)) return false;
    if (const int error = extendChunk(path, 0, kChunkBytes, firstBytes, chunk); error != 0) {
        fail(error);
        return false;
    }
    end = chunk + kChunkWords;
    return true;
}

void Location::close() noexcept {
    if (chunk != nullptr) unmapChunk(chunk, kChunkBytes);
    chunk = next = end = nullptr;
}

Location* newestLocation() noexcept {
    return newest.load(std::memory_order_acquire);
}

Location* makeLocation(LocationKind kind, std::uint32_t master, std::uint32_t level, std::uint32_t number,
                       const char* name) noexcept {
    static std::atomic<std::uint32_t> nextRef{0};
    void* memory = allocateLocation();
    if (memory == nullptr) return nullptr;
    auto* location = new (memory) Location;
    if (kind == LocationKind::Thread) location->firstBytes = kFirstBytesOfThread;
    location->ref = nextRef.fetch_add(1, std::memory_order_relaxed);
    try {
        Definition(DefinitionKind::Location)
            .add(location->ref)
            .add(kind)
            .add(master)
            .add(level)
            .add(number)
            .addText(name)
            .write();
    } catch (...) {
        return nullptr;
    }
    location->older = newest.load(std::memory_order_relaxed);
    while (!newest.compare_exchange_weak(location->older, location, std::memory_order_release)) continue;
    return location;
}

}  // namespace holos::tracing::core
