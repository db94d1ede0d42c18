/* SPDX-License-Identifier: BSD-3-Clause */
/* As plain_calls.c: types of data, packing, operations. */
#include "calls.h"
#include "counts.h"

static char text[MPI_MAX_OBJECT_NAME];
static int n, flag, a[64], b[64];
static void* pointer;

/* The made type is asked what it is, and given back. */
static void ask(MPI_Datatype type) {
    Bytes begin, extent;
    MPI_Count from, all;
    Count size;
    CALL(MPI_Type_size, type, &size);
    CALL(MPI_Type_size_x, type, &all);
    CALL(MPI_Type_get_extent, type, &begin, &extent);
    CALL(MPI_Type_get_extent_x, type, &from, &all);
    CALL(MPI_Type_get_true_extent, type, &begin, &extent);
    CALL(MPI_Type_get_true_extent_x, type, &from, &all);
    CALL(MPI_Type_free, &type);
}

static void contents(MPI_Datatype type) {
    MPI_Aint addresses[1];
    MPI_Datatype types[1];
#ifdef LARGE_COUNTS
    MPI_Count ints, places, counts, parts, large[4];
    CALL(MPI_Type_get_envelope, type, &ints, &places, &counts, &parts, &n);
    CALL(MPI_Type_get_contents, type, ints, places, counts, parts, a, addresses, large, types);
#else
    int ints, places, parts;
    CALL(MPI_Type_get_envelope, type, &ints, &places, &parts, &n);
    CALL(MPI_Type_get_contents, type, ints, places, parts, a, addresses, types);
#endif
}

static void types(void) {
    const Count two[2] = {1, 2}, from[2] = {0, 4}, four = 4, zero = 0;
    const Bytes far[2] = {0, 16};
    const MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE};
    const int block = MPI_DISTRIBUTE_BLOCK, usual = MPI_DISTRIBUTE_DFLT_DARG, one = 1;
    MPI_Datatype type;
    CALL(MPI_Type_contiguous, 3, MPI_INT, &type), contents(type), ask(type);
    CALL(MPI_Type_vector, 2, 1, 3, MPI_INT, &type), ask(type);
    CALL(MPI_Type_create_hvector, 2, 1, 16, MPI_INT, &type), ask(type);
    CALL(MPI_Type_indexed, 2, two, from, MPI_INT, &type), ask(type);
    CALL(MPI_Type_create_hindexed, 2, two, far, MPI_INT, &type), ask(type);
    CALL(MPI_Type_create_indexed_block, 2, 1, from, MPI_INT, &type), ask(type);
    CALL(MPI_Type_create_hindexed_block, 2, 1, far, MPI_INT, &type), ask(type);
    CALL(MPI_Type_create_struct, 2, two, far, parts, &type), ask(type);
    CALL(MPI_Type_create_resized, MPI_INT, 0, 8, &type), ask(type);
    CALL(MPI_Type_create_subarray, 1, &four, two, &zero, MPI_ORDER_C, MPI_INT, &type), ask(type);
    CALL(MPI_Type_create_darray, 1, 0, 1, &four, &block, &usual, &one, MPI_ORDER_C, MPI_INT, &type),
        ask(type);
    CALL(MPI_Type_dup, MPI_INT, &type), ask(type);
    CALL(MPI_Type_create_f90_integer, 4, &type);
    CALL(MPI_Type_create_f90_real, 6, 30, &type);
    CALL(MPI_Type_create_f90_complex, 6, 30, &type);
    CALL(MPI_Type_match_size, MPI_TYPECLASS_INTEGER, 4, &type);
}

static void namesOfTypes(void) {
    MPI_Datatype type;
    int key;
    CALL(MPI_Type_dup, MPI_INT, &type);
    CALL(MPI_Type_commit, &type);
    CALL(MPI_Type_set_name, type, "own");
    CALL(MPI_Type_get_name, type, text, &n);
    CALL(MPI_Type_create_keyval, MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    CALL(MPI_Type_set_attr, type, key, a);
    CALL(MPI_Type_get_attr, type, key, &pointer, &flag);
    CALL(MPI_Type_delete_attr, type, key);
    CALL(MPI_Type_free_keyval, &key);
    CALL(MPI_Type_free, &type);
}

static void packing(void) {
    Count size, place = 0;
    Bytes bytes, at = 0;
    MPI_Aint address;
    CALL(MPI_Get_address, a, &address);
    CALL(MPI_Pack_size, 2, MPI_INT, MPI_COMM_WORLD, &size);
    CALL(MPI_Pack, a, 2, MPI_INT, b, sizeof b, &place, MPI_COMM_WORLD);
    place = 0;
    CALL(MPI_Unpack, b, sizeof b, &place, a, 2, MPI_INT, MPI_COMM_WORLD);
    CALL(MPI_Pack_external_size, "external32", 2, MPI_INT, &bytes);
    CALL(MPI_Pack_external, "external32", a, 2, MPI_INT, b, sizeof b, &at);
    at = 0;
    CALL(MPI_Unpack_external, "external32", b, sizeof b, &at, a, 2, MPI_INT);
}

static void add(void* in, void* to, Count* count, MPI_Datatype* type) {
    (void)in, (void)to, (void)count, (void)type;
}

static void operations(void) {
    MPI_Op op;
    CALL(MPI_Op_create, add, 1, &op);
    CALL(MPI_Op_commutative, op, &flag);
    CALL(MPI_Reduce_local, a, b, 2, MPI_INT, op);
    CALL(MPI_Op_free, &op);
}

/* MPI 3.0 removed them; the header of Open MPI does not declare them any more. */
static void removed(void) {
#ifndef OPEN_MPI
    MPI_Aint places[2] = {0, 16}, place;
    int two[2] = {1, 2};
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE}, type;
    CALL(MPI_Address, a, &place);
    CALL(MPI_Type_hvector, 2, 1, 16, MPI_INT, &type);
    CALL(MPI_Type_free, &type);
    CALL(MPI_Type_hindexed, 2, two, places, MPI_INT, &type);
    CALL(MPI_Type_free, &type);
    CALL(MPI_Type_struct, 2, two, places, parts, &type);
    CALL(MPI_Type_extent, type, &place);
    CALL(MPI_Type_lb, type, &place);
    CALL(MPI_Type_ub, type, &place);
    CALL(MPI_Type_free, &type);
#endif
}

int main(int argc, char** argv) {
    beginCalls(argv[1]);
    CALL(MPI_Init, &argc, &argv);
    types();
    namesOfTypes();
    packing();
    operations();
    removed();
    CALL(MPI_Finalize);
    return fclose(calls);
}
