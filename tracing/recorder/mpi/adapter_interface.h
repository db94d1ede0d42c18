// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What the preloaded library and an adapter for one MPI have in common. Also read as C.
///
/// The preloaded library exports every MPI function as a trampoline: a jump through a table of targets. The
/// adapter, which is compiled against one MPI, fills the table with its wrappers.

#ifdef __cplusplus
extern "C" {
#endif

typedef void HolosMpiFunction(void);

/// Through which interface a function is called: C, `mpif.h` and `use mpi`, or `use mpi_f08`.
enum HolosMpiBinding { kHolosMpiC, kHolosMpiMpif, kHolosMpiF08, kHolosMpiBindings };

/// Finds a symbol in the MPI libraries that the program loaded; null when they have none. Of data it is what
/// these mean by the name: a program that was linked with them has some itself, in front of theirs.
typedef void* HolosMpiFind(const char* symbol, int isData);

/// The one symbol that an adapter exports, as `holosMpiAdapter`. Called once for each binding whose functions
/// the program loaded, first for C, one call at a time. `targets` come as MPI's own functions, or those of a
/// tool that stands in front of it, null where there are none, and go as the wrappers that the adapter has;
/// `called` get the functions which those wrappers call, null where there is no wrapper. Returns 1; returns 0
/// and writes nothing when `interfaceHash` is not that of the table and the headers it was made from. Before,
/// it is called with `kHolosMpiBindings`, and does nothing but compare.
typedef int HolosMpiAdapter(unsigned interfaceHash, enum HolosMpiBinding binding, HolosMpiFind* find,
                            HolosMpiFunction** targets, HolosMpiFunction** called);

#ifdef __cplusplus
}
#endif
