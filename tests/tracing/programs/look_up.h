/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is linked against no MPI: it looks up each function as it calls it, in the library that the
 * first argument names; with the scope of its own, or the global one when the second argument is "global".
 *
 * Without LOOK_UP the program is linked as others are, and the arguments mean nothing. */
#pragma once
#include <mpi.h>
#include <stddef.h>

#ifdef LOOK_UP
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* library;

static void fail(const char* what, const char* name) {
    fprintf(stderr, "%s: %s\n", name, what);
    exit(1);
}

/* A lookup that succeeds leaves no error behind, whatever the recorder looked for meanwhile. */
static void* lookUp(const char* name) {
    errno = EDOM;
    void* const found = dlsym(library, name);
    if (found == NULL) fail(dlerror(), name);
    if (dlerror() != NULL) fail("found, with an error", name);
    if (errno != EDOM) fail("errno has changed", name);
    return found;
}

/* One that fails says what was not found. */
static void lookUpNothing(const char* name) {
    if (dlsym(library, name) != NULL) fail("found where it is not", name);
    const char* const error = dlerror();
    if (error == NULL || strstr(error, name) == NULL) fail("not found, without an error", name);
}

static void openLibrary(int count, char** arguments) {
    if (count < 2) fail("needs a library", arguments[0]);
    const int scope = count > 2 && strcmp(arguments[2], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL;
    library = dlopen(arguments[1], RTLD_NOW | scope);
    if (library == NULL) fail(dlerror(), arguments[1]);
    lookUpNothing("MPI_Nothing");
    lookUpNothing("mpi_nothing_");
    lookUpNothing("nothing");
}

#define LOOK_UP_AS(function) ((__typeof__(&function))lookUp(#function))
/* Open MPI's handles are addresses of data. */
#define ompi_mpi_comm_world (*(struct ompi_predefined_communicator_t*)lookUp("ompi_mpi_comm_world"))
#define ompi_mpi_int (*(struct ompi_predefined_datatype_t*)lookUp("ompi_mpi_int"))
#define ompi_mpi_op_sum (*(struct ompi_predefined_op_t*)lookUp("ompi_mpi_op_sum"))
#else
#define openLibrary(count, arguments) (void)(count), (void)(arguments)
#endif
