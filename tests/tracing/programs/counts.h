/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs are built a second time with LARGE_COUNTS, a header that has each function of MPI 4 for large
 * counts called instead of the usual one. These types fit both. */
#pragma once
#include <mpi.h>

#ifdef LARGE_COUNTS
typedef MPI_Count Count; /* of elements */
typedef MPI_Aint Place;  /* of elements in a buffer */
typedef MPI_Count Bytes; /* in a type */
#include LARGE_COUNTS
#else
typedef int Count;
typedef int Place;
typedef MPI_Aint Bytes;
#endif
