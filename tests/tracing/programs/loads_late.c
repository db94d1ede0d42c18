/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads two libraries (the arguments) with scopes of their own, one after the other and both, again and
 * again. Each must call the functions of the library that it is linked with. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>

static void* load(const char* file) {
    void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) printf("%s\n", dlerror());
    return library;
}

static int callsOwn(void* library) {
    int (*const callAll)(void) = library != NULL ? (int (*)(void))dlsym(library, "callAll") : NULL;
    return callAll != NULL && callAll() == 0;
}

static int isGone(const char* file) {
    return dlopen(file, RTLD_NOW | RTLD_NOLOAD) == NULL;
}

/* Some programs only look whether there is such a function. */
static void callWhereThereIsNone(void) {
    const char* const names[] = {"omp_set_lock", "omp_unset_lock", "GOMP_barrier", "MPI_Barrier"};
    for (int i = 0; i < 4; ++i) {
        void (*const function)(void*) = (void (*)(void*))dlsym(RTLD_DEFAULT, names[i]);
        long zero = 0;
        if (function != NULL) function(&zero);
    }
}

int main(int argc, char** argv) {
    if (argc != 3) return 1;
    callWhereThereIsNone();
    for (int i = 0; i < 4; ++i) {
        void* const library = load(argv[1 + i % 2]);
        if (!callsOwn(library)) return 2;
        dlclose(library);
        if (!isGone(argv[1 + i % 2])) return 3;
    }
    void* const first = load(argv[1]);
    void* const second = load(argv[2]);
    return callsOwn(first) && callsOwn(second) && callsOwn(first) ? 0 : 4;
}
