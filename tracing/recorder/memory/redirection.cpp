// SPDX-License-Identifier: BSD-3-Clause
// Every call of the C library's allocator in the recorder's libraries, those of the C++ runtime inside them
// included, comes here (the linker's --wrap). What the C library itself allocated and hands out is given back
// to it.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tracing/recorder/memory/heap.h"

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" {
void __real_free(void* block);
void* __real_realloc(void* block, std::size_t bytes);

void* __wrap_malloc(std::size_t bytes) noexcept;
void* __wrap_calloc(std::size_t count, std::size_t bytes) noexcept;
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept;
int __wrap_posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept;
void* __wrap_realloc(void* block, std::size_t bytes) noexcept;
void __wrap_free(void* block) noexcept;
char* __wrap_strdup(const char* text) noexcept;
}

namespace {

namespace heap = holos::tracing::heap;

void* orNoMemory(void* block) noexcept {
    if (block == nullptr) errno = ENOMEM;
    return block;
}

}  // namespace

void* __wrap_malloc(std::size_t bytes) noexcept {
    return orNoMemory(heap::allocate(bytes));
}

void* __wrap_calloc(std::size_t count, std::size_t bytes) noexcept {
    std::size_t all = 0;
    void* const block = __builtin_mul_overflow(count, bytes, &all) ? nullptr : heap::allocate(all);
    if (block != nullptr) std::memset(block, 0, all);
    return orNoMemory(block);
}

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    return orNoMemory(heap::allocateAligned(alignment, bytes));
}

/// What gcc's C++ library calls from version 14 on where it called `aligned_alloc` before.
int __wrap_posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
    void* const made = heap::allocateAligned(alignment, bytes);
    if (made == nullptr) return ENOMEM;
    *block = made;
    return 0;
}

void* __wrap_realloc(void* block, std::size_t bytes) noexcept {
    if (block != nullptr && !heap::owns(block)) return __real_realloc(block, bytes);
    void* const larger = orNoMemory(heap::allocate(bytes));
    if (larger == nullptr || block == nullptr) return larger;
    std::memcpy(larger, block, std::min(bytes, heap::sizeOf(block)));
    heap::release(block);
    return larger;
}

void __wrap_free(void* block) noexcept {
    if (block == nullptr) return;
    if (heap::owns(block))
        heap::release(block);
    else
        __real_free(block);
}

char* __wrap_strdup(const char* text) noexcept {
    const std::size_t bytes = std::strlen(text) + 1;
    void* const copy = __wrap_malloc(bytes);
    return copy != nullptr ? static_cast<char*>(std::memcpy(copy, text, bytes)) : nullptr;
}
// NOLINTEND(bugprone-reserved-identifier)
