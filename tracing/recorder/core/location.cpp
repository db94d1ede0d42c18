// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/location.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "tracing/recorder/core/chunks.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/copying.h"
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/core/definition_log.h"
#include "tracing/recorder/core/held_signals.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/core/profiling.h"
#include "tracing/recorder/core/storage.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::core {

namespace {

std::uint64_t mostChunks = 0;  ///< of a location; 0: no limit
bool keepsNewest = false;
std::atomic<Location*> newest{nullptr};

/// Chunks of threads that the program starts begin with a unit, and become larger step by step: many do
/// little.
constexpr std::size_t kStep = 4;
constexpr std::uint64_t kShortChunks = [] {
    std::uint64_t chunks = 0;
    for (std::size_t bytes = kUnitBytes; bytes < kChunkBytes; bytes *= kStep) ++chunks;
    return chunks;
}();

std::size_t bytesOfNext(const Location& location) noexcept {
    std::size_t bytes = kChunkBytes;
    for (std::uint64_t i = location.chunks; location.growsSlowly && i < kShortChunks; ++i) bytes /= kStep;
    return storageIsCopied() && mostChunks == 0 ? std::min(bytes, largestCopiedChunk()) : bytes;
}

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

/// Short chunks come on top.
bool isFull(const Location& location) noexcept {
    return mostChunks != 0 && location.chunks >= mostChunks + (location.growsSlowly ? kShortChunks : 0);
}

/// Places that are used again follow each other in a ring.
void keepPlace(Location& location, const ChunkPlace& place) noexcept {
    void* const memory = heap::allocate(sizeof(KeptPlace));
    if (memory == nullptr) return;
    auto* const own = new (memory) KeptPlace{place};
    own->next = location.placed != nullptr ? std::exchange(location.placed->next, own) : own;
    location.placed = own;
}

int takeChunk(Location& location, bool overwrites, ChunkPlace& place, void** memory) noexcept {
    if (overwrites && location.placed != nullptr) {
        location.placed = location.placed->next;
        place = location.placed->place;
        return mapChunk(place, memory);
    }
    const int error = newChunk(bytesOfNext(location), place, memory);
    if (error == 0 && keepsNewest && mostChunks != 0) keepPlace(location, place);
    return error;
}

}  // namespace

void limitLocations() noexcept {
    constexpr std::uint64_t kFewest = 2;
    const Settings& wanted = settings();
    if (wanted.buffer != 0) mostChunks = std::max<std::uint64_t>(wanted.buffer / kChunkBytes, kFewest);
    keepsNewest = wanted.whenFull == WhenFull::KeepNewest;
}

bool Location::nextChunk() noexcept {
    if (isFull(*this) && !keepsNewest) return false;
    const HeldSignals held;
    Thread& thread = thisThread;
    const bool counting = thread.counters != nullptr;
    if (counting) moveCounters(thread, thread.location, nullptr);
    const bool isFirst = chunks == 0;
    const std::uint64_t begin = ticksNow();
    const bool good = mapNext();
    if (good) writeClockSyncInTime();
    if (good && !isFirst) {
        flushBegin = begin;
        flushEnd = ticksNow();
    }
    if (counting) moveCounters(thread, nullptr, thread.location);
    return good;
}

bool Location::mapNext() noexcept {
    close();
    if (!recordingIsOpen.load(std::memory_order_relaxed)) return false;
    const bool mayAsk = mayAskKernel();
    const bool overwrites = mayAsk && isFull(*this);
    if (mayAsk && !overwrites && diskIsLow()) return false;
    ChunkPlace place;
    void* memory = nullptr;
    if (!mayAsk) {
        if (!takeReadyChunk(place, &memory)) return false;
    } else if (const int error = takeChunk(*this, overwrites, place, &memory); error != 0) {
        fail(error);
        return false;
    }
    ++chunks;
    processor = kNoProcessor;
    chunk = static_cast<std::uint64_t*>(memory);
    chunkBytes = place.bytes;
    __atomic_store_n(&chunkOffset, place.offset, __ATOMIC_RELAXED);
    end = chunk + place.bytes / sizeof(std::uint64_t);
    *chunk = chunkHead(ref, place.bytes);
    next = chunk + 1;
    if (overwrites) {
        std::fill(next, end, 0);
        commit(next, header(RecordKind::Overwritten, ticksNow()), 1);
    }
    if (storageIsCopied()) beginCopy(*this, place.offset, overwrites);
    return true;
}

void Location::close() noexcept {
    if (chunk != nullptr) {
        if (storageIsCopied()) {
            endCopy(*this);
        } else {
            noteProof(ref, {chunkOffset, chunkBytes}, placed, proofOf(chunk, next));
            releaseChunk(chunk, chunkBytes);
        }
    }
    chunk = next = end = nullptr;
    behindPoll = nullptr;
    lockPairs = {};
    sections = {};
    __atomic_store_n(&polls, nullptr, __ATOMIC_RELEASE);
}

const std::uint64_t* settledEnd(const Location& location, const std::uint64_t* next) noexcept {
    const std::uint64_t* const polls = __atomic_load_n(&location.polls, __ATOMIC_ACQUIRE);
    const auto behind = polls != nullptr ? static_cast<std::size_t>(next - polls) : 0;
    const bool isLast = behind == kPollsWords || behind == 2 * kPollsWords || behind == kSectionsWords;
    return isLast ? polls : next;
}

Location* newestLocation() noexcept {
    return newest.load(std::memory_order_acquire);
}

Location* makeLocation(LocationKind kind, std::uint32_t master, std::uint32_t level, std::uint32_t number,
                       const char* name) noexcept {
    static std::atomic<std::uint32_t> nextRef{0};
    const HeldSignals held;
    void* memory = allocateLocation();
    if (memory == nullptr) return nullptr;
    auto* location = new (memory) Location;
    location->kind = kind;
    location->growsSlowly = kind == LocationKind::Thread;
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
    if (eventsAreAdded() && kind != LocationKind::Samples && !makeTable(*location)) return nullptr;
    location->older = newest.load(std::memory_order_relaxed);
    while (!newest.compare_exchange_weak(location->older, location, std::memory_order_release)) continue;
    return location;
}

}  // namespace holos::tracing::core
