/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's side of interfaces that ask for a tool by a variable of the environment. */
#pragma once
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* A function of the library that the variable names; null where it names none. */
static void* toolFunction(const char* variable, const char* name) {
    const char* const path = getenv(variable);
    void* const library = path != NULL ? dlopen(path, RTLD_LAZY) : NULL;
    if (path != NULL && library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return library != NULL ? dlsym(library, name) : NULL;
}
