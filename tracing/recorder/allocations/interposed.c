// SPDX-License-Identifier: BSD-3-Clause
// A library of its own, preloaded beside the recorder where accesses to memory are sampled. It stands in
// front of the functions that give memory to the program, and tells the recorder of blocks that come and go.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>

void* holos_next_allocator(const char* name);
void holos_allocated(const void* block, size_t bytes, const void* frame);
void holos_freed(const void* block);
void holos_kept(const void* block);
void holos_unmapped(const void* begin, size_t bytes);

#define HOLOS_EXPORT __attribute__((visibility("default")))
#ifdef __x86_64__  // as HOLOS_OWN_FRAME of the recorder
#define HOLOS_FRAME __builtin_frame_address(0)
#else
#define HOLOS_FRAME __builtin_dwarf_cfa()
#endif

enum { kLeastBytes = 4096 };  // as in allocations.h

// Every function that is needed, once the first one was called.
typedef struct {
    void* (*malloc)(size_t);
    void* (*calloc)(size_t, size_t);
    void* (*realloc)(void*, size_t);
    void (*free)(void*);
    int (*posix_memalign)(void**, size_t, size_t);
    void* (*aligned_alloc)(size_t, size_t);
    void* (*memalign)(size_t, size_t);
    void* (*mmap)(void*, size_t, int, int, int, off_t);
    int (*munmap)(void*, size_t);
    void* (*mremap)(void*, size_t, size_t, int, void*);
} Functions;
static Functions next;
static atomic_bool isKnown;
static __thread bool isLooking __attribute__((tls_model("initial-exec")));
// What allocators call themselves is part of what they were called for.
static __thread unsigned inside __attribute__((tls_model("initial-exec")));

// Null while they are looked for: whoever looks may need memory for that.
static const Functions* functions(void) {
    if (atomic_load_explicit(&isKnown, memory_order_acquire)) return &next;
    if (isLooking) return NULL;
    const int saved = errno;
    isLooking = true;
#define HOLOS_FIND(name) *(void**)&next.name = holos_next_allocator(#name)
    HOLOS_FIND(malloc);
    HOLOS_FIND(calloc);
    HOLOS_FIND(realloc);
    HOLOS_FIND(free);
    HOLOS_FIND(posix_memalign);
    HOLOS_FIND(aligned_alloc);
    HOLOS_FIND(memalign);
    HOLOS_FIND(mmap);
    HOLOS_FIND(munmap);
    HOLOS_FIND(mremap);
#undef HOLOS_FIND
    atomic_store_explicit(&isKnown, true, memory_order_release);
    isLooking = false;
    errno = saved;
    return &next;
}

// Whoever looks may also map memory, which the kernel alone can do then: `syscall` has to be looked for, too.
static long askKernel(long number, const long arguments[6]) {
#if defined(__x86_64__)
    register long fourth __asm__("r10") = arguments[3];
    register long fifth __asm__("r8") = arguments[4];
    register long sixth __asm__("r9") = arguments[5];
    long result = number;
    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]), "r"(fourth), "r"(fifth),
                       "r"(sixth)
                     : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long call __asm__("x8") = number;
    register long result __asm__("x0") = arguments[0];
    register long second __asm__("x1") = arguments[1];
    register long third __asm__("x2") = arguments[2];
    register long fourth __asm__("x3") = arguments[3];
    register long fifth __asm__("x4") = arguments[4];
    register long sixth __asm__("x5") = arguments[5];
    __asm__ volatile("svc 0"
                     : "+r"(result)
                     : "r"(call), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "memory");
#else
    (void)number, (void)arguments;
    long result = -ENOSYS;
#endif
    enum { kMostErrors = 4095 };
    if (result < 0 && result >= -kMostErrors) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

// Memory for those who look; it is never given back.
enum { kAlignment = 16, kEarlyBytes = 64 * 1024 };
static _Alignas(kAlignment) char early[kEarlyBytes];
static atomic_size_t earlyUsed;

static void* earlyBlock(size_t bytes) {
    const size_t rounded =
        (bytes + 2 * kAlignment - 1) / kAlignment * kAlignment;  // its size stands in front
    if (bytes > kEarlyBytes) return NULL;
    const size_t at = atomic_fetch_add(&earlyUsed, rounded);
    if (at + rounded > kEarlyBytes) return NULL;
    memcpy(&early[at], &bytes, sizeof bytes);
    return &early[at + kAlignment];
}

static bool isEarly(const void* block) {
    return (const char*)block >= early && (const char*)block < early + kEarlyBytes;
}

static size_t earlySize(const void* block) {
    size_t bytes = 0;
    memcpy(&bytes, (const char*)block - kAlignment, sizeof bytes);
    return bytes;
}

static void tell(const void* block, size_t bytes, const void* frame) {
    if (inside == 0 && bytes >= kLeastBytes) holos_allocated(block, bytes, frame);
}

HOLOS_EXPORT void* malloc(size_t bytes) {
    const Functions* const to = functions();
    if (to == NULL) return earlyBlock(bytes);
    ++inside;
    void* const block = to->malloc(bytes);
    --inside;
    tell(block, bytes, HOLOS_FRAME);
    return block;
}

HOLOS_EXPORT void* calloc(size_t count, size_t bytes) {
    const Functions* const to = functions();
    if (to == NULL) return earlyBlock(count * bytes);  // which is zero
    ++inside;
    void* const block = to->calloc(count, bytes);
    --inside;
    tell(block, count * bytes, HOLOS_FRAME);
    return block;
}

HOLOS_EXPORT void free(void* block) {
    if (isEarly(block)) return;
    const Functions* const to = functions();
    if (to == NULL) return;
    if (inside == 0) holos_freed(block);
    ++inside;
    to->free(block);
    --inside;
}

static void* reallocated(void* block, size_t bytes, const void* frame) {
    const Functions* const to = functions();
    if (to == NULL || isEarly(block)) {
        void* const moved = to == NULL ? earlyBlock(bytes) : to->malloc(bytes);
        const size_t before = block == NULL ? 0 : earlySize(block);
        if (moved != NULL && block != NULL) memcpy(moved, block, before < bytes ? before : bytes);
        return moved;
    }
    if (inside == 0) holos_freed(block);
    ++inside;
    void* const moved = to->realloc(block, bytes);
    --inside;
    if (inside == 0 && moved == NULL && bytes != 0) holos_kept(block);
    tell(moved, bytes, frame);
    return moved;
}

HOLOS_EXPORT void* realloc(void* block, size_t bytes) {
    return reallocated(block, bytes, HOLOS_FRAME);
}

HOLOS_EXPORT void* reallocarray(void* block, size_t count, size_t bytes) {
    size_t all = 0;
    if (__builtin_mul_overflow(count, bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return reallocated(block, all, HOLOS_FRAME);
}

HOLOS_EXPORT int posix_memalign(void** block, size_t alignment, size_t bytes) {
    const Functions* const to = functions();
    if (to == NULL) return ENOMEM;
    ++inside;
    const int error = to->posix_memalign(block, alignment, bytes);
    --inside;
    if (error == 0) tell(*block, bytes, HOLOS_FRAME);
    return error;
}

HOLOS_EXPORT void* aligned_alloc(size_t alignment, size_t bytes) {
    const Functions* const to = functions();
    if (to == NULL) return NULL;
    ++inside;
    void* const block = to->aligned_alloc(alignment, bytes);
    --inside;
    tell(block, bytes, HOLOS_FRAME);
    return block;
}

HOLOS_EXPORT void* memalign(size_t alignment, size_t bytes) {
    const Functions* const to = functions();
    if (to == NULL) return NULL;
    ++inside;
    void* const block = to->memalign(alignment, bytes);
    --inside;
    tell(block, bytes, HOLOS_FRAME);
    return block;
}

static void* mapped(void* where, size_t bytes, int protection, int flags, int file, off_t offset,
                    const void* frame) {
    const Functions* const to = functions();
    if (to == NULL) {
        const long arguments[6] = {(long)where, (long)bytes, protection, flags, file, offset};
        return (void*)askKernel(SYS_mmap, arguments);
    }
    void* const begin = to->mmap(where, bytes, protection, flags, file, offset);
    if (begin != MAP_FAILED && (protection & PROT_EXEC) == 0) tell(begin, bytes, frame);
    return begin;
}

HOLOS_EXPORT void* mmap(void* where, size_t bytes, int protection, int flags, int file, off_t offset) {
    return mapped(where, bytes, protection, flags, file, offset, HOLOS_FRAME);
}

HOLOS_EXPORT void* mmap64(void* where, size_t bytes, int protection, int flags, int file, off64_t offset) {
    return mapped(where, bytes, protection, flags, file, offset, HOLOS_FRAME);
}

HOLOS_EXPORT int munmap(void* begin, size_t bytes) {
    const Functions* const to = functions();
    if (to == NULL) {
        const long arguments[6] = {(long)begin, (long)bytes};
        return (int)askKernel(SYS_munmap, arguments);
    }
    if (inside == 0) holos_unmapped(begin, bytes);
    return to->munmap(begin, bytes);
}

HOLOS_EXPORT void* mremap(void* begin, size_t before, size_t bytes, int flags, ...) {
    const Functions* const to = functions();
    void* where = NULL;
    if ((flags & MREMAP_FIXED) != 0) {
        va_list rest;
        va_start(rest, flags);
        where = va_arg(rest, void*);
        va_end(rest);
    }
    if (to == NULL) {
        const long arguments[6] = {(long)begin, (long)before, (long)bytes, flags, (long)where};
        return (void*)askKernel(SYS_mremap, arguments);
    }
    if (inside == 0) holos_unmapped(begin, before);
    void* const moved = to->mremap(begin, before, bytes, flags, where);
    if (moved != MAP_FAILED) tell(moved, bytes, HOLOS_FRAME);
    return moved;
}
