// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace holos::archive {

/// This machine: processor model, logical processors, memory in bytes, operating system.
nlohmann::json describeHost();

/// The variables of the environment that shape a parallel program's run (`OMP_…`, `OMPI_…`, `SLURM_…`, …).
nlohmann::json describeEnvironment();

/// Identifies the running kernel, and with it the clock; empty where there is no such thing.
std::string bootId();

}  // namespace holos::archive
