/* SPDX-License-Identifier: BSD-3-Clause */
/* Two libraries with the same function, of which the first asks the second one; LOADED: a third one, loaded
 * later. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

#ifdef FIRST
typedef int Answer(void);

static int answerOfNext(const char* name, Answer* own) {
    Answer* const next = (Answer*)dlsym(RTLD_NEXT, name);
    return next == NULL || next == own ? 1000 : next();
}

int answer(void) {
    return 1 + answerOfNext("answer", &answer);
}
int MPI_Answer(void) {
    return 1 + answerOfNext("MPI_Answer", &MPI_Answer);
}
#else
int answer(void) {
    return 41;
}
int MPI_Answer(void) {
    return 51;
}
#endif

#ifdef LOADED
int onlyHere(void) {
    return 7;
}
/* The symbols of a library with a scope of its own are found by itself alone. */
int findsItself(void) {
    return dlsym(RTLD_DEFAULT, "onlyHere") == (void*)&onlyHere;
}
#endif
