// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace holos::testing {

struct CommandResult {
    int exitCode;        ///< 124 when it ran too long
    std::string output;  ///< standard output and standard error
};

/// Runs a program with these arguments and waits for it; a quarter of an hour counts as for ever. Parallel
/// regions get two threads; recordings lie in mapped files, so that a killed program leaves all, on any disk.
CommandResult runCommand(const std::vector<std::string>& words);

/// The words of `mpirun` for so many ranks on a machine that may have fewer processors, up to the program's.
/// Empty where there is no MPI launcher. `family`: `openmpi` or `mpich` where it must be that of one MPI.
std::vector<std::string> launcher(unsigned ranks, const std::string& family = {});

/// Lists of words, one after the other.
std::vector<std::string> operator+(std::vector<std::string> first, const std::vector<std::string>& second);

}  // namespace holos::testing
