// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/chunks.h"

#include <atomic>
#include <cerrno>
#include <mutex>

#include "tracing/recorder/core/growing_file.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/storage.h"
#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recordings/format/record.h"

namespace holos::tracing::core {
namespace {

std::uint64_t takeBytes(std::size_t bytes) noexcept {
    static std::atomic<std::uint64_t> end{0};
    const std::uint64_t begin = end.fetch_add(bytes, std::memory_order_relaxed);
    noteEventBytes(begin + bytes);
    return begin;
}

/// A mapping as large as most chunks, of which each unit is a chunk of its own.
struct Shared {
    char* memory = nullptr;
    std::uint64_t offset = 0;
    std::size_t given = 0;  ///< bytes of it
    std::size_t inUse = 0;  ///< bytes of those
    Shared* older = nullptr;

    bool has(const void* address) const noexcept {
        return address >= memory && address < memory + kChunkBytes;
    }
};

/// The mappings that are in use; units are taken from the newest. The lock is taken when a thread begins and
/// when it ends, and never by a thread of the recorder: the end of the program may wait for those while it
/// has interrupted whoever has the lock.
class UnitChunks {
  public:
    int take(ChunkPlace& place, void** memory) noexcept {
        const std::scoped_lock lock(mutex_);
        if (newest_ == nullptr || newest_->given == kChunkBytes)
            if (const int error = add(); error != 0) return error;
        place = {newest_->offset + newest_->given, kUnitBytes};
        *memory = newest_->memory + newest_->given;
        newest_->given += kUnitBytes;
        newest_->inUse += kUnitBytes;
        return 0;
    }

    /// False when the memory is of none of them.
    bool release(const void* memory) noexcept {
        const std::scoped_lock lock(mutex_);
        for (Shared** at = &newest_; *at != nullptr; at = &(*at)->older) {
            Shared& one = **at;
            if (!one.has(memory)) continue;
            one.inUse -= kUnitBytes;
            if (one.inUse == 0 && one.given == kChunkBytes) {
                *at = one.older;
                unmapShared(one.memory, kChunkBytes);
                heap::release(&one);
            }
            return true;
        }
        return false;
    }

  private:
    int add() noexcept {
        void* const block = heap::allocate(sizeof(Shared));
        if (block == nullptr) return ENOMEM;
        auto* const made = new (block) Shared{nullptr, takeBytes(kChunkBytes), 0, 0, newest_};
        void* memory = nullptr;
        if (const int error = mapChunk({made->offset, kChunkBytes}, &memory); error != 0) {
            heap::release(made);
            return error;
        }
        made->memory = static_cast<char*>(memory);
        newest_ = made;
        return 0;
    }

    std::mutex mutex_;
    Shared* newest_ = nullptr;
};

constinit UnitChunks unitChunks;

}  // namespace

int newChunk(std::size_t bytes, ChunkPlace& place, void** memory) noexcept {
    if (bytes == kUnitBytes && !storageIsCopied()) return unitChunks.take(place, memory);
    place = {takeBytes(bytes), bytes};
    return mapChunk(place, memory);
}

int mapChunk(const ChunkPlace& place, void** memory) noexcept {
    return storageIsCopied() ? mapShared(place.bytes, memory)
                             : storage.events.map(place.offset, place.bytes, memory);
}

/// Who may not give it back keeps it.
void releaseChunk(void* memory, std::size_t bytes) noexcept {
    if (!interpose::may(interpose::Need::Storage)) return;
    if (bytes == kUnitBytes && !storageIsCopied() && unitChunks.release(memory)) return;
    unmapShared(memory, bytes);
}

}  // namespace holos::tracing::core
