// SPDX-License-Identifier: BSD-3-Clause
#include "cli/launch.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "metric-specs/error.h"

namespace holos::cli {
namespace {

volatile sig_atomic_t runningProgram = 0;

void passOn(int signal) {
    if (runningProgram > 0) ::kill(static_cast<pid_t>(runningProgram), signal);
}

struct Launcher {
    const char* rank;
    const char* size;
    std::array<const char*, 2> job;
};

constexpr std::array<Launcher, 3> kLaunchers{{
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"}},
    {"PMI_RANK", "PMI_SIZE", {"PMI_JOBID", "HYDI_CONTROL_FD"}},
    {"SLURM_PROCID", "SLURM_NTASKS", {"SLURM_JOB_ID", "SLURM_STEP_ID"}},
}};

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

void passOnSignals() {
    struct sigaction action {};
    action.sa_handler = passOn;
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) ::sigaction(signal, &action, nullptr);
    for (const int signal : {SIGINT, SIGQUIT}) ::signal(signal, SIG_IGN);
}

[[noreturn]] void becomeProgram(const std::filesystem::path& program, const std::vector<std::string>& command,
                                const std::vector<std::pair<std::string, std::string>>& environment,
                                int reportTo) {
    for (const int signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGINT, SIGQUIT}) ::signal(signal, SIG_DFL);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (const auto& one : command) arguments.push_back(const_cast<char*>(one.c_str()));
    arguments.push_back(nullptr);
    ::execv(program.c_str(), arguments.data());
    const int error = errno;
    if (::write(reportTo, &error, sizeof error) < 0) ::_exit(126);
    ::_exit(127);
}

std::string reasonOf(int startError) {
    if (startError == ENOEXEC) return "it is no program of this machine, nor a script that begins with #!";
    return std::strerror(startError);
}

}  // namespace

std::optional<LaunchedRank> launchedRank() {
    for (const auto& launcher : kLaunchers) {
        const std::string rank = variable(launcher.rank);
        if (rank.empty()) continue;
        LaunchedRank result{std::atol(rank.c_str()), std::atol(variable(launcher.size).c_str()), ""};
        for (const char* job : launcher.job) result.job += variable(job);
        return result;
    }
    return std::nullopt;
}

Ending runProgram(const std::filesystem::path& program, const std::vector<std::string>& command,
                  const std::vector<std::pair<std::string, std::string>>& environment) {
    int report[2];
    if (::pipe2(report, O_CLOEXEC) != 0)
        throw Error(std::string("cannot start a program: ") + std::strerror(errno));
    passOnSignals();
    const pid_t child = ::fork();
    if (child < 0) throw Error(std::string("cannot start a program: ") + std::strerror(errno));
    if (child == 0) becomeProgram(program, command, environment, report[1]);
    runningProgram = child;
    ::close(report[1]);
    int startError = 0;
    const bool failed = ::read(report[0], &startError, sizeof startError) == sizeof startError;
    ::close(report[0]);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    runningProgram = 0;
    if (failed) throw Error("cannot be run: " + reasonOf(startError), {.file = program.string()});
    if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
    return {WEXITSTATUS(status), 0};
}

void endLike(const Ending& ending) {
    std::fflush(nullptr);
    if (ending.signal != 0) {
        const rlimit noCore{0, 0};
        ::setrlimit(RLIMIT_CORE, &noCore);
        ::signal(ending.signal, SIG_DFL);
        ::raise(ending.signal);
    }
    constexpr int kSignalBase = 128;
    std::exit(ending.signal != 0 ? kSignalBase + ending.signal : ending.status);
}

}  // namespace holos::cli
