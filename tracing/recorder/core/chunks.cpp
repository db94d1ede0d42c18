// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/chunks.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "tracing/recorder/core/definition_log.h"
#include "tracing/recorder/core/growing_file.h"
#include "tracing/recorder/core/location.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/storage.h"
#include "tracing/recorder/core/thread.h"
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

namespace {

/// Takes nothing from any heap.
void write(std::uint32_t location, const ChunkPlace& place, const ChunkProof& proof) noexcept {
    unsigned char entry[64];
    std::size_t bytes = sizeof(std::uint32_t);
    const auto add = [&](auto value) {
        std::memcpy(entry + bytes, &value, sizeof value);
        bytes += sizeof value;
    };
    add(DefinitionKind::Chunk);
    add(location);
    add(place.offset);
    add(static_cast<std::uint32_t>(place.bytes));
    add(proof.words);
    add(proof.sum);
    writeEntry(entry, bytes);
}

void writeKept(const Location& location) noexcept {
    const KeptPlace* const first = location.placed;
    for (const KeptPlace* one = first; one != nullptr;) {
        if (one->proof.words != 0) write(location.ref, one->place, one->proof);
        one = one->next != first ? one->next : nullptr;
    }
}

/// The records of a chunk that is in use.
struct Written {
    ChunkPlace place;
    const std::uint64_t* chunk;
    const std::uint64_t* end;
};

/// Up to those that may still change. No place where the thread has just taken another chunk.
Written writtenTo(const Location& location) noexcept {
    const std::uint64_t offset = __atomic_load_n(&location.chunkOffset, __ATOMIC_ACQUIRE);
    const std::uint64_t* const chunk = __atomic_load_n(&location.chunk, __ATOMIC_ACQUIRE);
    const std::uint64_t* const next = __atomic_load_n(&location.next, __ATOMIC_ACQUIRE);
    const std::size_t bytes = __atomic_load_n(&location.chunkBytes, __ATOMIC_ACQUIRE);
    const bool isThere = chunk != nullptr && next > chunk && next <= chunk + bytes / sizeof *chunk &&
                         __atomic_load_n(&location.chunkOffset, __ATOMIC_ACQUIRE) == offset;
    if (!isThere) return {{}, nullptr, nullptr};
    return {{offset, bytes}, chunk, settledEnd(location, next)};
}

/// The calling thread has its chunk, unless a signal handler ends the program in the middle of a change of
/// chunks.
bool isSafelyOwn(const Location& location) noexcept {
    return &location == thisThread.location && (thisThread.state & Thread::kBusy) == 0;
}

/// Others are mapped once more: their threads may give back the memory meanwhile.
void proveOpen(const Location& location) noexcept {
    Written written = writtenTo(location);
    const auto words = static_cast<std::size_t>(written.end - written.chunk);
    if (words <= 1) return;
    if (isSafelyOwn(location))
        return noteProof(location.ref, written.place, location.placed, proofOf(written.chunk, written.end));
    const std::size_t used = (words * sizeof(std::uint64_t) + kUnitBytes - 1) / kUnitBytes * kUnitBytes;
    void* memory = nullptr;
    if (const int error = mapChunk({written.place.offset, used}, &memory); error != 0) {
        if (error == EIO || error == ENOSPC) noteLateFailure(error);
        return;
    }
    const auto* const chunk = static_cast<const std::uint64_t*>(memory);
    noteProof(location.ref, written.place, location.placed, proofOf(chunk, chunk + words));
    unmapShared(memory, used);
}

}  // namespace

ChunkProof proofOf(const std::uint64_t* chunk, const std::uint64_t* end) noexcept {
    const auto words = static_cast<std::size_t>(end - chunk - 1);
    return {static_cast<std::uint32_t>(words), sumOfSomeWords(chunk + 1, words)};
}

void noteProof(std::uint32_t location, const ChunkPlace& place, KeptPlace* kept,
               const ChunkProof& proof) noexcept {
    if (kept != nullptr && kept->place.offset == place.offset)
        kept->proof = proof;
    else if (proof.words != 0)
        write(location, place, proof);
}

void writeLastProofs() noexcept {
    for (const Location* one = newestLocation(); one != nullptr; one = one->older) {
        if (!storageIsCopied()) proveOpen(*one);
        writeKept(*one);
    }
}

/// Up to an entry that a thread has begun and not finished.
void proveDefinitions(std::size_t most) noexcept {
    const WrittenLog log = writtenDefinitions();
    std::size_t end = 0;
    while (end < std::min(log.bytes, most)) {
        const std::uint32_t length =
            __atomic_load_n(reinterpret_cast<const std::uint32_t*>(log.begin + end), __ATOMIC_ACQUIRE);
        if (length == 0 || (length & kUnfinished) != 0) break;
        end += entryBytes(length);
    }
    status().definitionSum = sumOfBytes(log.begin, end);
    __atomic_store_n(&status().definitionBytes, end, __ATOMIC_RELEASE);
}

}  // namespace holos::tracing::core
