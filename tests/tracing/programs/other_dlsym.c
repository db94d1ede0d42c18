/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that stands in front of `dlsym` as well. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

typedef void* LookUp(void* handle, const char* name);

void* dlsym(void* handle, const char* name) {
    static const char* const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
    LookUp* next = NULL;
    size_t i;
    if (strcmp(name, "onlyOfOther") == 0) return (void*)&dlsym;
    for (i = 0; next == NULL && i < 3; ++i) next = (LookUp*)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    return next(handle, name);
}
