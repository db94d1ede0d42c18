// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace holos::cli {

/// The file that `name` runs: the path itself, or the first one in PATH. Throws `Error` when there is none,
/// or when the recorder cannot be loaded into it: statically linked, set-uid, or of another architecture.
std::filesystem::path findProgram(const std::string& name);

/// The folder of this installation, or build tree.
std::filesystem::path topFolder();

/// Where it has its libraries.
std::filesystem::path libraryFolder();

/// How a program ended.
struct Ending {
    int status = 0;  ///< exit status, when no signal ended it
    int signal = 0;
};

/// Runs the command with `environment` added to this process's. Until it ends, SIGTERM, SIGHUP, SIGUSR1 and
/// SIGUSR2 are passed on to it, and those that the terminal sends to both are left to it. Throws `Error` when
/// it cannot be started.
Ending runProgram(const std::filesystem::path& program, const std::vector<std::string>& command,
                  const std::vector<std::pair<std::string, std::string>>& environment);

/// Ends this process as the program ended: with its status, or by its signal.
[[noreturn]] void endLike(const Ending& ending);

}  // namespace holos::cli
