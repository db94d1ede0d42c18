// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <string>
#include <vector>

/// What the kernel tells of running processes in /proc.
namespace holos::attach {

/// The threads that a process has now; none where it has ended.
std::vector<pid_t> threadsOf(pid_t process);

/// The process and all that descend from it and still live, parents before their children.
std::vector<pid_t> withDescendants(pid_t process);

struct ProgramFacts {
    std::string executable;
    std::vector<std::string> arguments;
    std::int64_t rank = -1;  ///< that a launcher of MPI gave it; -1: none that can be seen
};
/// The program that a process runs; empty where that cannot be seen.
ProgramFacts programOf(pid_t process);
/// The rank in the text of an environment, such as /proc/PID/environ, by `tracing::core::kRankVariables`.
std::int64_t rankIn(const std::string& environment);

/// A file with code in the memory of a process. `begin`: where the first part of it that is loaded lies.
struct LoadedPart {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::string path;  ///< `[vdso]` for the code that the kernel gives every process
};
/// By address; none where the process has ended or may not be looked at.
std::vector<LoadedPart> codeOf(pid_t process);
/// The parts that a text such as /proc/PID/maps names.
std::vector<LoadedPart> codeIn(const std::string& maps);

}  // namespace holos::attach
