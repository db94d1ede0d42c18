/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads the first library very often, and then the second one, which lies in the same place. */
#include <dlfcn.h>
#include <stdio.h>

static void callOf(const char* path) {
    void* const library = dlopen(path, RTLD_NOW);
    void (*const call)(void) = library != NULL ? (void (*)(void))dlsym(library, "call") : NULL;
    if (call != NULL) call();
    if (library != NULL) dlclose(library);
}

int main(int count, char** words) {
    if (count < 3) return 1;
    for (int i = 0; i < 600; ++i) callOf(words[1]);
    callOf(words[2]);
    return 0;
}
