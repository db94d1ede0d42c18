// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/program.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/process.h"
#include "tracing/recordings/archive/process/loading.h"

namespace holos::launch {
namespace {

namespace fs = std::filesystem;

/// The program that a script's first line names; empty where there is no such line.
std::string interpreterOf(const fs::path& script) {
    std::ifstream file(script, std::ios::binary);
    std::string line;
    if (file.get() != '#' || file.get() != '!' || !std::getline(file, line)) return "";
    const std::size_t begin = line.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : line.substr(begin, line.find_first_of(" \t", begin) - begin);
}

void checkScript(const fs::path& path) {
    std::string interpreter = interpreterOf(path);
    if (interpreter.empty() || fs::exists(interpreter)) return;
    const bool isOfWindows = interpreter.back() == '\r';
    if (isOfWindows) interpreter.pop_back();
    throw Error("its first line asks for " + interpreter +
                    (isOfWindows ? " and ends with a carriage return, as on Windows: remove that"
                                 : ", which does not exist"),
                {.file = path.string()});
}

/// `mpirun.openmpi`, too.
bool isLauncher(const fs::path& program) {
    const std::string name = program.filename().string();
    constexpr const char* kLaunchers[] = {"mpirun", "mpiexec", "orterun", "prun", "prterun", "srun"};
    return std::ranges::find(kLaunchers, name.substr(0, name.find('.'))) != std::end(kLaunchers);
}

void checkLoadable(const fs::path& path) {
    if (!archive::isMachineCode(path)) return checkScript(path);
    if (const std::string reason = archive::whyNotLoaded(path); !reason.empty())
        throw Error(reason, {.file = path.string()});
}

}  // namespace

fs::path findProgram(const std::string& name) {
    const fs::path path = archive::programOf(name, "");
    if (path.empty())
        throw Error(name + ": no such program in PATH (for one in this folder, write ./" + name + ')');
    if (!fs::exists(path)) throw Error("no such program", {.file = name});
    if (fs::is_directory(path)) throw Error("is a folder, not a program", {.file = name});
    if (!archive::isExecutableFile(path))
        throw Error("is not executable (chmod +x makes it so)", {.file = name});
    checkLoadable(path);
    return path;
}

void checkLaunchedPrograms(std::span<const std::string> command) {
    if (!isLauncher(command.front())) return;
    for (const std::string& word : command.subspan(1)) {
        const fs::path path = archive::programOf(word, "");
        if (!archive::isExecutableFile(path)) continue;
        if (const std::string reason = archive::whyItFailsWithRecorder(path); !reason.empty())
            throw Error(reason, {.file = path.string()});
    }
}

namespace {

constexpr std::array kPassedOn{SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
constexpr std::array kLeftToTheProgram{SIGINT, SIGQUIT};

/// While one exists, signals are for the program that runs. Before and after, and in the program itself, they
/// do what they did when this command was started.
class SignalsOfTheProgram {
  public:
    SignalsOfTheProgram() {
        struct sigaction pass {};
        pass.sa_handler = [](int number) {
            if (program_ > 0) ::kill(static_cast<pid_t>(program_), number);
        };
        pass.sa_flags = SA_RESTART;
        struct sigaction ignore {};
        ignore.sa_handler = SIG_IGN;
        auto before = before_.begin();
        for (const int signal : kPassedOn) ::sigaction(signal, &pass, &*before++);
        for (const int signal : kLeftToTheProgram) ::sigaction(signal, &ignore, &*before++);
    }
    ~SignalsOfTheProgram() { restore(); }
    SignalsOfTheProgram(SignalsOfTheProgram&&) = delete;

    void restore() const noexcept {
        auto before = before_.begin();
        for (const int signal : kPassedOn) ::sigaction(signal, &*before++, nullptr);
        for (const int signal : kLeftToTheProgram) ::sigaction(signal, &*before++, nullptr);
    }

    /// Who gets what is passed on, until there is another one.
    static void areFor(pid_t program) noexcept { program_ = program; }

  private:
    static inline volatile sig_atomic_t program_ = 0;  ///< for the handler; 0: none

    std::array<struct sigaction, kPassedOn.size() + kLeftToTheProgram.size()> before_{};
};

/// When it is asked for first, this process no longer takes away what the owner of a file may do.
mode_t umaskBefore() noexcept {
    static const mode_t before = [] {
        const mode_t mask = ::umask(0);
        ::umask(mask & ~static_cast<mode_t>(S_IRWXU));
        return mask;
    }();
    return before;
}

[[noreturn]] void becomeProgram(const std::filesystem::path& program, const std::vector<std::string>& command,
                                const std::vector<std::pair<std::string, std::string>>& environment,
                                const SignalsOfTheProgram& signals, int reportTo) {
    signals.restore();
    ::umask(umaskBefore());
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::execv(program.c_str(), Arguments(command).data());
    const int error = errno;
    if (::write(reportTo, &error, sizeof error) < 0) ::_exit(126);
    ::_exit(127);
}

/// Waits for the child. Ends of other processes are noted meanwhile, else these would keep their numbers.
int waitFor(pid_t child, const Ended& tell) {
    for (;;) {
        int status = 0;
        const pid_t ended = ::waitpid(-1, &status, 0);
        if (ended > 0 && tell) tell(ended, status);
        if (ended == child || (ended < 0 && errno != EINTR)) return status;
    }
}

std::string reasonOf(int startError) {
    if (startError == ENOEXEC) return "it is no program of this machine, nor a script that begins with #!";
    return std::strerror(startError);
}

}  // namespace

void keepOwnersRights() noexcept {
    umaskBefore();
}

Ending runProgram(const std::filesystem::path& program, const std::vector<std::string>& command,
                  const std::vector<std::pair<std::string, std::string>>& environment, const Ended& ended,
                  const Started& started) {
    int report[2];
    if (::pipe2(report, O_CLOEXEC) != 0)
        throw Error(std::string("cannot start a program: ") + std::strerror(errno));
    const SignalsOfTheProgram signals;
    const pid_t child = ::fork();
    if (child < 0) throw Error(std::string("cannot start a program: ") + std::strerror(errno));
    if (child == 0) becomeProgram(program, command, environment, signals, report[1]);
    SignalsOfTheProgram::areFor(child);
    if (started) started(child);
    ::close(report[1]);
    int startError = 0;
    const bool failed = ::read(report[0], &startError, sizeof startError) == sizeof startError;
    ::close(report[0]);
    const int status = waitFor(child, ended);
    SignalsOfTheProgram::areFor(0);
    if (failed) throw Error("cannot be run: " + reasonOf(startError), {.file = program.string()});
    if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
    return {WEXITSTATUS(status), 0};
}

}  // namespace holos::launch
