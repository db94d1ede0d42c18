// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "algebra/model/experiment.h"
#include "base/function_name.h"

namespace holos::algebra {

/// Names of regions that are no functions of a program: what the analysis or a recorder puts into call paths.
inline constexpr std::string_view kFlushRegionName = "TRACE BUFFER FLUSH";
inline constexpr std::string_view kOffRegionName = "MEASUREMENT OFF";
/// The thread could run there, and had no processor.
inline constexpr std::string_view kShortageRegionName = "WAITING FOR A PROCESSOR";

/// Where a call stands: `src/solver.c:120`, or `lib/libsolve.so+0x1a2b` where no line is known. Empty where
/// nothing is.
std::string calledAt(const CallPath& call);
/// `calledAt` without folders, as people read it.
std::string callSiteText(const CallPath& call);
/// A region's name with where it is called: `MPI_Send @solver.c:120`. Names of OpenMP's constructs have their
/// place already; it is added only where their caller has them from several places.
std::string callText(const std::string& name, const CallPath& call);
std::string callText(const Experiment& experiment, CallPathId path);
/// A call path as the texts of its calls, from the root downwards: `main/solve @main.c:10/MPI_Send
/// @solver.c:120`.
std::string callPathText(const Experiment& experiment, CallPathId path);
/// A call path's text with names of regions for reading.
std::string callPathText(const Experiment& experiment, CallPathId path, const ShortNames& names);
/// The call path of this text; nothing where the experiment has none. The places of OpenMP's constructs may
/// be left out of it.
std::optional<CallPathId> callPathNamed(const Experiment& experiment, std::string_view text);

/// The names of all regions, for reading.
ShortNames shortNamesOf(const Experiment& experiment);

}  // namespace holos::algebra
