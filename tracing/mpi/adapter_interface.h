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

/// Finds the MPI library's own function behind a wrapper; null when it has none.
typedef HolosMpiFunction* HolosMpiOriginal(enum HolosMpiBinding binding, int function);

/// The one symbol that an adapter exports, as `holosMpiAdapter`. Writes the wrappers it has into
/// `targets[binding][function]` and returns 1; returns 0 and writes nothing when `tableHash` is not that of
/// the table it was generated from.
typedef int HolosMpiAdapter(unsigned tableHash, HolosMpiOriginal* original,
                            HolosMpiFunction** const* targets);

#ifdef __cplusplus
}
#endif
