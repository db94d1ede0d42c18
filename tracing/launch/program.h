// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace holos::launch {

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

/// From here on, what this command makes its owner may read and write, whatever the umask; programs that it
/// runs get the umask that there was.
void keepOwnersRights() noexcept;

}  // namespace holos::launch
