/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "mpi_index.h"
#include "tracing/recorder/mpi/adapter_interface.h"

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

/* The first call goes another way, apart from the usual one, which so has nothing to keep and is a jump
 * alone. Always compiled with -O2, which makes a jump of the other way, too: the return address is the
 * program's. */
#define HOLOS_TRAMPOLINE(symbol, binding, function, parameters, arguments)                     \
    static __attribute__((noinline, cold)) long resolve_##symbol parameters {                  \
        HolosMpiFunction* const target =                                                       \
            holosMpiResolve(kHolosMpi##binding, function, __builtin_return_address(0));        \
        return ((long(*) parameters)target)arguments;                                          \
    }                                                                                          \
    HOLOS_EXPORT long symbol parameters {                                                      \
        HolosMpiFunction* const target =                                                       \
            __atomic_load_n(&holosMpiTargets[kHolosMpi##binding][function], __ATOMIC_ACQUIRE); \
        return __builtin_expect(target != 0, 1) ? ((long(*) parameters)target)arguments        \
                                                : resolve_##symbol arguments;                  \
    }
