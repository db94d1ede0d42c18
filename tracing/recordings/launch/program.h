// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace holos::launch {

/// How a program ended.
struct Ending {
    int status = 0;  ///< exit status, when no signal ended it
    int signal = 0;
};

/// Is told of the process that a command started.
using Started = std::function<void(pid_t process)>;

/// Is told of each process that a command waited for, with the status as `waitpid` gives it.
using Ended = std::function<void(pid_t process, int status)>;

/// Runs the command with `environment` added to this process's. Until it ends, SIGTERM, SIGHUP, SIGUSR1 and
/// SIGUSR2 are passed on to it, and those that the terminal sends to both are left to it. Throws `Error` when
/// it cannot be started. `ended`: is also told of processes that this one has adopted.
Ending runProgram(const std::filesystem::path& program, const std::vector<std::string>& command,
                  const std::vector<std::pair<std::string, std::string>>& environment,
                  const Ended& ended = {}, const Started& started = {});

/// From here on, what this command makes its owner may read and write, whatever the umask; programs that it
/// runs get the umask that there was.
void keepOwnersRights() noexcept;

}  // namespace holos::launch
