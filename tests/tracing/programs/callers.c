/* SPDX-License-Identifier: BSD-3-Clause */
/* What a lookup finds depends on who looks. The argument names a library to load; ends with 0 when each found
 * what was its to find. */
#include <dlfcn.h>
#include <stddef.h>

int answer(void);
int MPI_Answer(void);

int main(int argc, char** argv) {
    if (argc == 1) return dlsym(RTLD_DEFAULT, "onlyOfOther") == NULL;
    if (answer() != 42) return 2;
    if (MPI_Answer() != 52) return 3;
    void* const library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return 4;
    int (*const findsItself)(void) = (int (*)(void))dlsym(library, "findsItself");
    if (findsItself == NULL) return 5;
    if (!findsItself()) return 6;
    if (dlsym(library, "MPI_Answer") == NULL || dlerror() != NULL) return 7;
    if (dlsym(library, "MPI_Nothing") != NULL || dlerror() == NULL) return 8;
    return 0;
}
