// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace holos::launch {

/// The file that `name` runs: the path itself, or the first one in PATH. Throws `Error` when there is none,
/// or when the recorder cannot be loaded into it: statically linked, set-uid, or of another architecture.
std::filesystem::path findProgram(const std::string& name);

/// Throws `Error` where a launcher such as mpirun is to start a program that would not run with the recorder,
/// as its C library is not the recorder's. Others run, and are not recorded.
void checkLaunchedPrograms(std::span<const std::string> command);

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
