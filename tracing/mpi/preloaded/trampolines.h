/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "mpi_index.h"
#include "tracing/mpi/adapter_interface.h"

/* The targets of the trampolines; null until the first call of any of them, and where no adapter fits.
 *
 * A trampoline hands on its arguments as it got them: all parameters of MPI's functions are integers or
 * addresses, which every calling convention we run on passes in the same places as `long`. */
#define HOLOS_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((
    visibility("hidden"))) extern HolosMpiFunction* holosMpiTargets[kHolosMpiBindings][kHolosMpiFunctions];

/* Fills the targets, and returns the one asked for by code at `caller`. Never null. */
__attribute__((visibility("hidden"))) HolosMpiFunction* holosMpiResolve(enum HolosMpiBinding binding,
                                                                        int function, const void* caller);

#ifdef __cplusplus
}
#endif

static inline HolosMpiFunction* holosMpiTarget(enum HolosMpiBinding binding, int function,
                                               const void* caller) {
    HolosMpiFunction* target = __atomic_load_n(&holosMpiTargets[binding][function], __ATOMIC_ACQUIRE);
    return __builtin_expect(target != 0, 1) ? target : holosMpiResolve(binding, function, caller);
}

#define HOLOS_TARGET(binding, function) \
    holosMpiTarget(kHolosMpi##binding, function, __builtin_return_address(0))
