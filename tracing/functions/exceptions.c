// SPDX-License-Identifier: BSD-3-Clause
// A library of its own, preloaded beside the recorder, whose C++ runtime has such a function as well, inside.
// It tells the recorder that an exception is caught here, so that the calls below have ended: functions that
// clang compiled do not say so themselves.
#include <dlfcn.h>
#include <stddef.h>

__attribute__((weak)) void holos_unwound(const void* frame);

__attribute__((visibility("default"))) void* __cxa_begin_catch(void* exception) {
    typedef void* Function(void*);
    static Function* next = NULL;  // every thread finds the same
    Function* function = __atomic_load_n(&next, __ATOMIC_RELAXED);
    if (function == NULL) {
        function = (Function*)dlsym(RTLD_NEXT, "__cxa_begin_catch");
        __atomic_store_n(&next, function, __ATOMIC_RELAXED);
    }
#ifdef __x86_64__  // as HOLOS_OWN_FRAME of the recorder
    const void* const frame = __builtin_frame_address(0);
#else
    const void* const frame = __builtin_dwarf_cfa();
#endif
    if (holos_unwound != NULL) holos_unwound(frame);
    return function(exception);
}
