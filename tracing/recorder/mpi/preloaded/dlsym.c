/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that look up MPI's functions themselves: `dlsym` of the preloaded library.
 *
 * Other names pass straight through, in a jump: the real one asks its return address which library is
 * calling, as what RTLD_NEXT and RTLD_DEFAULT mean depends on that. So do requests with these two; the global
 * scope has the trampolines in front anyway, and libraries that wrap MPI find the real one by RTLD_NEXT. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#include "tracing/recorder/mpi/preloaded/lookups.h"

/* Where a call at the end of a function is a jump whenever an optimiser sees it. Elsewhere the linker's own
 * `dlsym` stays in place. */
#if defined(__x86_64__) || defined(__aarch64__)

#ifdef __has_attribute
#if __has_attribute(musttail)
#define JUMP __attribute__((musttail)) return
#endif
#endif
#ifndef JUMP
#define JUMP return
#endif

typedef void* Lookup(void* handle, const char* name);

static Lookup* real;

/* The next `dlsym` behind this library: the C library's, or another preloaded one's. Ready before any
 * constructor has run. All threads find the same. */
static Lookup* __attribute__((noinline)) findReal(void) {
    static const char versions[][12] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
    Lookup* found = NULL;
    for (size_t i = 0; found == NULL && i < sizeof versions / sizeof *versions; ++i)
        *(void**)&found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    void* const next = found != NULL ? found(RTLD_NEXT, "dlsym") : NULL;
    if (next != NULL) *(void**)&found = next;
    __atomic_store_n(&real, found, __ATOMIC_RELAXED);
    return found;
}

static int mayBeOfMpi(const void* handle, const char* name) {
    if (handle == RTLD_NEXT || handle == RTLD_DEFAULT) return 0;
    return (name[0] == 'M' && name[1] == 'P' && name[2] == 'I') ||
           (name[0] == 'm' && name[1] == 'p' && name[2] == 'i');
}

__attribute__((visibility("default"))) void* dlsym(void* handle, const char* name) {
    Lookup* lookUp = __atomic_load_n(&real, __ATOMIC_RELAXED);
    if (__builtin_expect(lookUp == NULL, 0)) lookUp = findReal();
    if (__builtin_expect(lookUp == NULL, 0)) return NULL;
    if (mayBeOfMpi(handle, name)) return holosMpiLookedUp(handle, name, lookUp(handle, name));
    JUMP lookUp(handle, name);
}

#endif
