// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
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

/// The hardware of hosts, as hwloc knows it.
struct Hardware : measurement::Hardware {
    /// Where a processor of the kernel is.
    struct Place {
        std::uint32_t socket = 0;    ///< in the machine
        std::uint32_t numaNode = 0;  ///< in the machine
        std::uint32_t core = 0;      ///< in its socket
        std::uint32_t unit = 0;      ///< in its core: which of its hardware threads
    };
    std::map<std::uint32_t, Place> places;  ///< by the kernel's numbers
};

/// Writes hwloc's description of this host to `recording` unless it is there, or another process is about to
/// do so. What cannot be found out or
/// written stays unknown. `HWLOC_XMLFILE` and `HWLOC_SYNTHETIC` put another machine into its place.
void saveHardware(const std::filesystem::path& recording);

/// By host. Descriptions that cannot be read are left out.
std::map<std::string, Hardware> savedHardware(const std::filesystem::path& recording);

/// One description of hwloc's, an XML file. Throws `Error` when it cannot be read.
Hardware readHardware(const std::filesystem::path& file);

}  // namespace holos::archive
