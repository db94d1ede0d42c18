// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/location.h"

#include <climits>
#include <cstdio>
#include <new>

#include "tracing/core/counting.h"
#include "tracing/core/definition_log.h"
#include "tracing/core/files.h"
#include "tracing/core/process.h"

namespace holos::tracing::core {

bool Location::nextChunk() noexcept {
    Thread& thread = thisThread;
    const bool counting = thread.counters != nullptr;
    if (counting) moveCounters(thread, thread.location, nullptr);
    const bool good = mapNext();
    if (counting) moveCounters(thread, nullptr, thread.location);
    return good;
}

bool Location::mapNext() noexcept {
    close();
    if (!recordingIsOpen.load(std::memory_order_relaxed)) return false;
    char path[PATH_MAX];
    std::snprintf(path, sizeof path, "%s/%u.events", directory(), ref);
    void* memory = nullptr;
    if (const int error = mapChunk(path, fileBytes, kChunkBytes, &memory); error != 0) {
        fail(error);
        return false;
    }
    fileBytes += kChunkBytes;
    chunk = next = static_cast<std::uint64_t*>(memory);
    end = chunk + kChunkWords;
    return true;
}

void Location::close() noexcept {
    if (chunk != nullptr) unmapChunk(chunk, kChunkBytes);
    chunk = next = end = nullptr;
}

Location* makeLocation(LocationKind kind, std::uint32_t master, std::uint32_t level, std::uint32_t number,
                       const char* name) noexcept {
    static std::atomic<std::uint32_t> nextRef{0};
    void* memory = allocate(sizeof(Location));
    if (memory == nullptr) return nullptr;
    auto* location = new (memory) Location;
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
    return location;
}

}  // namespace holos::tracing::core
