/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HOLOS_HOLOS_H
#define HOLOS_HOLOS_H

/// Marks regions of a C program that `holos record` shall show:
///
///     HOLOS_REGION_BEGIN(solver, "solver");
///     ...
///     HOLOS_REGION_END(solver);
///
/// Nothing has to be linked: the recorder is found at run time, and without it every call returns at once.
/// Regions of a thread must nest. All functions may be called from any thread; none fails or sets errno.

#include <dlfcn.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A region's number in the recording; 0 while it is not known.
typedef unsigned int holos_region;

/// What the recorder offers, in the version `HOLOS_INTERFACE_VERSION` of this struct.
typedef struct holos_interface {
    /// Equal definitions get the same number; 0 when nothing is recorded. Takes a lock: keep the result.
    holos_region (*define)(const char* name, const char* file, unsigned line);
    void (*enter)(holos_region region);
    void (*leave)(holos_region region);
} holos_interface;

#define HOLOS_INTERFACE_VERSION 1

/// The recorder that runs this program, or null.
static inline const holos_interface* holos_find(void) {
    static const holos_interface* found = NULL;
    static int searched = 0;
    if (!__atomic_load_n(&searched, __ATOMIC_ACQUIRE)) {
        const holos_interface* (*get)(unsigned) = NULL;
        *(void**)(&get) = dlsym(NULL, "holos_get_interface"); /* NULL is RTLD_DEFAULT */
        __atomic_store_n(&found, get != NULL ? get(HOLOS_INTERFACE_VERSION) : (const holos_interface*)NULL,
                         __ATOMIC_RELAXED);
        __atomic_store_n(&searched, 1, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&found, __ATOMIC_RELAXED);
}

/// Enters the region, which is defined at the first call through `*region` (initially 0).
static inline void holos_region_begin(holos_region* region, const char* name, const char* file,
                                      unsigned line) {
    const holos_interface* recorder = holos_find();
    holos_region number;
    if (recorder == NULL) return;
    number = __atomic_load_n(region, __ATOMIC_RELAXED);
    if (number == 0) {
        number = recorder->define(name, file, line);
        __atomic_store_n(region, number, __ATOMIC_RELAXED);
    }
    recorder->enter(number);
}

static inline void holos_region_end(const holos_region* region) {
    const holos_interface* recorder = holos_find();
    if (recorder != NULL) recorder->leave(__atomic_load_n(region, __ATOMIC_RELAXED));
}

#ifdef __cplusplus
}
#endif

/// Begins the region `name` (a text); `handle` is a name for `HOLOS_REGION_END` in the same scope.
#define HOLOS_REGION_BEGIN(handle, name) \
    static holos_region handle = 0;      \
    holos_region_begin(&handle, name, __FILE__, __LINE__)
#define HOLOS_REGION_END(handle) holos_region_end(&handle)

#endif
