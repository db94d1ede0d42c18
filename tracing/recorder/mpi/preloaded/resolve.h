// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/mpi/preloaded/trampolines.h"

namespace holos::tracing::mpi {

/// Whether the targets of a binding are filled for good.
bool isResolved(HolosMpiBinding binding) noexcept;
/// Whether this thread is just filling targets: what MPI does meanwhile is not the program's doing.
bool isResolving() noexcept;

/// Fills the targets of a binding with the MPI library in `handle`, or the one in the global scope where
/// there is one. Whether they are filled; other threads that do the same are waited for, but not for ever:
/// one that loads a library may call this, and the loading of the adapter wait for that.
bool resolveBehind(void* handle, HolosMpiBinding binding);

/// Whether `address` is the MPI library's function that the target is a wrapper for. The binding is resolved.
bool isCalledByWrapper(HolosMpiBinding binding, int function, const void* address) noexcept;

}  // namespace holos::tracing::mpi
