// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "tests/support/command.h"

namespace holos::testing {

/// Debian's mpi4py belongs to Debian's Python, whatever other there is.
inline constexpr const char* kPython = "/usr/bin/python3";

/// Whether there is such an interpreter, whose functions are recorded: from 3.11 on.
inline bool isPythonKnown(const std::string& python) {
    return runCommand({python, "-c", "(lambda: 0).__code__.co_qualname"}).exitCode == 0;
}

/// The family of the MPI that mpi4py was built for; empty where there is no mpi4py.
inline std::string familyOfMpi4py() {
    const auto version = runCommand({kPython, "-c",
                                     "import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; "
                                     "print(MPI.Get_library_version())"});
    if (version.exitCode != 0) return {};
    return version.output.find("Open MPI") != std::string::npos ? "openmpi" : "mpich";
}

}  // namespace holos::testing
