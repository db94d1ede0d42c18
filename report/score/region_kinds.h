// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::score {

/// What a region is to whoever wants a smaller trace. The names are those of `scorep-score`.
enum class RegionKind : std::uint8_t {
    User,    ///< a function or user region that leads to none of the kinds below
    Common,  ///< one that leads to MPI, OpenMP or threads: without it, their callers are less exact
    Mpi,     ///< but for files
    OpenMp,
    Threads,      ///< functions of POSIX threads
    Files,        ///< of MPI and others
    System,       ///< functions of the C library that put a thread to sleep
    Measurement,  ///< what the recorder or the analysis says of itself
    NotRecorded   ///< a function that is known from stacks of calls only: it has no events of its own
};
inline constexpr std::size_t kRegionKinds = 9;

/// `USR`, `COM`, `MPI`, …
const char* nameOf(RegionKind kind);
/// A few words for people.
const char* meaningOf(RegionKind kind);

/// By RegionId.
std::vector<RegionKind> kindsOf(const algebra::Experiment& experiment);

/// Whether a filter leaves all of it out: functions that a compiler instrumented, regions of the user, locks
/// and some constructs of OpenMP, mutexes, and functions of MPI that ask or describe something.
bool canBeFiltered(RegionKind kind, std::string_view name);

/// Whether it is a call that may find nothing, which programs make again and again (`MPI_Test`, `MPI_Iprobe`,
/// `omp_test_lock` and their like).
bool isPoll(std::string_view name);

/// The name that a filter knows it by: of a construct of OpenMP without its place.
std::string_view nameForFilter(RegionKind kind, std::string_view name);

}  // namespace holos::score
