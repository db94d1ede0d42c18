// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/command.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace holos::testing {
namespace {

std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char character : word)
        text += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return text + "'";
}

/// Where processes outnumber processors, those that wait must make room; and a container's user may be root.
constexpr const char* kEnvironment =
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1 "
    "OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2 HOLOS_STORAGE=mapped ";

}  // namespace

CommandResult runCommand(const std::vector<std::string>& words) {
    std::string line = std::string(kEnvironment) + "timeout 900";
    for (const auto& word : words) line += " " + quoted(word);
    line += " 2>&1 </dev/null";
    std::FILE* pipe = popen(line.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot run " + line);
    CommandResult result{};
    std::array<char, 4096> buffer{};
    for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        result.output.append(buffer.data(), got);
    const int status = pclose(pipe);
    result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

std::vector<std::string> launcher(unsigned ranks, const std::string& family) {
    std::string program = family.empty() ? "mpirun" : "mpirun." + family;
    CommandResult version = runCommand({program, "--version"});
    if (version.exitCode != 0 && !family.empty()) version = runCommand({program = "mpirun", "--version"});
    const bool isOpenMpi = version.output.find("Open MPI") != std::string::npos ||
                           version.output.find("OpenRTE") != std::string::npos;
    if (version.exitCode != 0 || (!family.empty() && isOpenMpi != (family == "openmpi"))) return {};
    if (!isOpenMpi) return {program, "-n", std::to_string(ranks)};
    return {program, "--oversubscribe", "-n", std::to_string(ranks)};
}

std::vector<std::string> operator+(std::vector<std::string> first, const std::vector<std::string>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

}  // namespace holos::testing
