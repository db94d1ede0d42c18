/* SPDX-License-Identifier: BSD-3-Clause */
/* A library with all functions that the recorder stands in front of, which say that they were called; and,
 * with CALLER, one that is linked with it and calls them. WHICH: 1 or 2, with functions at other places;
 * those of the second one are chosen when it is loaded. */
#include <stdio.h>

enum {
#define FUNCTION(name) NumberOf_##name,
#include INTERPOSED
#undef FUNCTION
};

#ifndef CALLER

int calledLibrary;
int calledFunction;

__attribute__((aligned(4096 * WHICH))) const char otherPlace[4096 * WHICH] = {1};

#define FUNCTION(name)                    \
    LINKAGE long OWN(name)() {            \
        calledLibrary = WHICH;            \
        calledFunction = NumberOf_##name; \
        return 0;                         \
    }
#if WHICH == 1
#define LINKAGE
#define OWN(name) name
#include INTERPOSED
#else
/* Functions that are chosen when the library is loaded. */
#define LINKAGE static
#define OWN(name) own_##name
#include INTERPOSED
#undef FUNCTION
#define FUNCTION(name)                 \
    static void* choose_##name(void) { \
        return (void*)own_##name;      \
    }                                  \
    long name() __attribute__((ifunc("choose_" #name)));
#include INTERPOSED
#endif

#else

extern int calledLibrary;
extern int calledFunction;

#define FUNCTION(name) long name();
#include INTERPOSED
#undef FUNCTION

struct Function {
    const char* name;
    long (*call)();
};

/* The number of functions that went elsewhere than to the library that this one is linked with. */
int callAll(void) {
    static const struct Function functions[] = {
#define FUNCTION(name) {#name, name},
#include INTERPOSED
    };
    static long zeros[512];
    int wrong = 0;
    for (int i = 0; i < (int)(sizeof functions / sizeof *functions); ++i) {
        long* const z = zeros;
        calledLibrary = 0;
        functions[i].call(z, z, z, z, z, z, z, z, z, z, z, z, z, z, z, z);
        if (calledLibrary == WHICH && calledFunction == i) continue;
        printf("%s of library %d went to %d of %d\n", functions[i].name, WHICH, calledFunction,
               calledLibrary);
        ++wrong;
    }
    return wrong;
}

#endif
