// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/recorder/core/events.h"

/// The regions of OpenMP constructs, by the place in the program where they stand.
namespace holos::tracing::openmp {

enum class Construct : std::uint8_t {
    Parallel,
    Teams,
    ImplicitBarrier,
    Barrier,
    Loop,
    Distribute,
    Sections,
    Single,
    Workshare,
    Master,
    Critical,
    CriticalBlock,
    Atomic,
    Ordered,
    OrderedBlock,
    Taskwait,
    Taskgroup,
    Task,
    TaskCreate,
    LoopBarrier,  ///< the implicit barriers of these constructs, with their addresses
    SectionsBarrier,
    SingleBarrier,
    Count
};

/// The region of a construct whose call into the runtime returns to `returnAddress`. File and line are found
/// after the run. Fast and lock-free after the first time; 0 when the recorder defines nothing, or the filter
/// excludes the construct.
RegionRef regionAt(Construct construct, const void* returnAddress) noexcept;

/// A routine of OpenMP's interface for locks.
enum class LockRoutine : std::uint8_t {
    Init,
    Destroy,
    Set,
    Unset,
    Test,
    InitNest,
    DestroyNest,
    SetNest,
    UnsetNest,
    TestNest,
    Count
};
/// 0 where the filter excludes it.
RegionRef regionOf(LockRoutine routine) noexcept;

}  // namespace holos::tracing::openmp
