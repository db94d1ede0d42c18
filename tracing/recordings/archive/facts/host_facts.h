// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "tracing/recordings/measurement/measurement.h"

namespace holos::archive {

/// This machine: processor model, logical processors, memory in bytes, operating system.
measurement::Host thisHost();

/// The variables of the environment that shape a parallel program's run (`OMP_…`, `OMPI_…`, `SLURM_…`, …).
std::map<std::string, std::string> thisEnvironment();

/// Identifies the running kernel, and with it the clock; empty where there is no such thing.
std::string bootId();

}  // namespace holos::archive
