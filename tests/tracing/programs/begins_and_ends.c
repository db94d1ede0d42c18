/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs before `main`, after it, and when a library comes and goes: regions in functions that the loader
   and the C library call. With LIBRARY it is that library. */
#include <holos/holos.h>

#ifdef LIBRARY
#define OWN "library"
#else
#define OWN "program"
#endif

static void __attribute__((constructor)) begin(void) {
    HOLOS_REGION_BEGIN(region, OWN " begins");
    HOLOS_REGION_END(region);
}

static void __attribute__((destructor)) end(void) {
    HOLOS_REGION_BEGIN(region, OWN " ends");
    HOLOS_REGION_END(region);
}

#ifndef LIBRARY
#include <dlfcn.h>
#include <stdlib.h>

static void registered(void) {
    HOLOS_REGION_BEGIN(region, "registered");
    HOLOS_REGION_END(region);
}

static void load(void) {
    void* const library = dlopen("libbegins_and_ends.so", RTLD_NOW);
    if (library == NULL || dlclose(library) != 0) abort();
}

static void leave(void) {
    exit(0);
}

int main(void) {
    atexit(registered);
    load();
    leave();
}
#endif
