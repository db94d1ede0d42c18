// SPDX-License-Identifier: BSD-3-Clause
// A library of its own, preloaded beside the recorder, whose C++ runtime has such a function as well, inside.
// It tells the recorder that an exception is caught here, so that the calls below have ended: functions that
// clang compiled do not say so themselves.
#include <stddef.h>
#include <stdlib.h>

void holos_caught(const void* frame);
void* holos_next_begin_catch(const void* caller);

__attribute__((visibility("default"))) void* __cxa_begin_catch(void* exception) {
    typedef void* Function(void*);
    Function* const next = (Function*)holos_next_begin_catch(__builtin_return_address(0));
#ifdef __x86_64__  // as HOLOS_OWN_FRAME of the recorder
    const void* const frame = __builtin_frame_address(0);
#else
    const void* const frame = __builtin_dwarf_cfa();
#endif
    holos_caught(frame);
    if (next == NULL) abort();  // without a C++ runtime nobody can have thrown
    return next(exception);
}
