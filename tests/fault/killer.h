// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace holos::testing {

enum class Fate {
    Killed,
    Ended,      ///< before it came so far
    NotAllowed  ///< this machine does not let processes trace others
};

/// Runs a command and kills it (SIGKILL) just before the first of its system calls at which `kills`, which is
/// asked at each, says so. What it started is not traced, and has ended on return, as have all other children
/// of the calling process. Its output goes to the file.
Fate traceCommand(const std::vector<std::string>& words, const std::filesystem::path& output,
                  const std::function<bool(bool changesFiles)>& kills);

/// Runs a command and kills it (SIGKILL) just before the nth of its system calls, from 1, that change files
/// or have them written to the disk. As `traceCommand`.
Fate killAtSystemCall(const std::vector<std::string>& words, std::size_t n,
                      const std::filesystem::path& output);

}  // namespace holos::testing
