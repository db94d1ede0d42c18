// SPDX-License-Identifier: BSD-3-Clause
#include "cli/watch/watch_beside.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "cli/command.h"
#include "cli/end_like.h"
#include "cli/terminal/terminal.h"
#include "cli/watch/watch_screen.h"

namespace holos::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOutput = "output.txt";

/// What the child says before it takes the terminal; empty where it ended instead.
std::string readAll(int descriptor) {
    std::string text;
    std::array<char, PATH_MAX> bytes;
    for (ssize_t got = 0; (got = ::read(descriptor, bytes.data(), bytes.size())) != 0;)
        if (got > 0)
            text.append(bytes.data(), static_cast<std::size_t>(got));
        else if (errno != EINTR)
            break;
    return text;
}

/// A picture that cannot be made is no reason to end like that: the program goes on.
void show(const fs::path& directory) try {
    WatchedRun watched(directory);
    watchOnScreen(watched, std::chrono::seconds(1));
} catch (const Error& error) {
    complain(error.what());
}

[[noreturn]] void watchChild(pid_t child, int fromChild) {
    const std::string directory = readAll(fromChild);
    const Descriptor output(
        directory.empty() ? -1 : ::open((fs::path(directory) / kOutput).c_str(), O_RDONLY | O_CLOEXEC));
    if (!directory.empty()) show(directory);
    int status = 0;
    if (output && ::waitpid(child, &status, WNOHANG) == 0)
        complain("the program goes on; its output is shown when it has ended");
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (output) print(readAll(output.number()));
    endLike({WIFEXITED(status) ? WEXITSTATUS(status) : 0, WIFSIGNALED(status) ? WTERMSIG(status) : 0});
}

}  // namespace

WatchBeside::WatchBeside() {
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0)
        throw UsageError(
            "--watch: there is no terminal; 'holos watch' can be started beside, on any machine");
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(std::strerror(errno));
    Descriptor fromChild(ends[0]);
    toParent_ = Descriptor(ends[1]);
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child < 0) throw Error(std::strerror(errno));
    if (child == 0) return;
    toParent_ = Descriptor();
    watchChild(child, fromChild.number());
}

void WatchBeside::recordsTo(const fs::path& directory) {
    const fs::path path = directory / kOutput;
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644));
    if (!file) throw Error(std::strerror(errno), {.file = path.string()});
    const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    ::dup2(nothing.number(), STDIN_FILENO);
    ::dup2(file.number(), STDOUT_FILENO);
    ::dup2(file.number(), STDERR_FILENO);
    const std::string text = fs::absolute(directory).string();
    [[maybe_unused]] const ssize_t written = ::write(toParent_.number(), text.data(), text.size());
    toParent_ = Descriptor();
}

}  // namespace holos::cli
