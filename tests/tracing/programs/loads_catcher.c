/* SPDX-License-Identifier: BSD-3-Clause */
/* A C program that loads a library written in C++ (the argument) with a scope of its own, several times. */
#include <dlfcn.h>
#include <stddef.h>

int main(int argc, char** argv) {
    if (argc != 2) return 1;
    for (int i = 0; i < 3; ++i) {
        void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) return 2;
        int (*const leftFrames)(void) = (int (*)(void))dlsym(library, "leftFrames");
        if (leftFrames == NULL || leftFrames() != 3 || leftFrames() != 3) return 3;
        dlclose(library);
    }
    return 0;
}
