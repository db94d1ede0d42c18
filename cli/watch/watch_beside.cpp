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

/// `output.txt`, `output-2.txt`, …: a new file, whatever the folder holds.
Descriptor createOutput(const fs::path& directory, std::string& name) {
    constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC;
    constexpr int kMost = 10'000;
    for (int i = 1; i <= kMost; ++i) {
        name = i == 1 ? "output.txt" : "output-" + std::to_string(i) + ".txt";
        Descriptor file(::open((directory / name).c_str(), kNew, 0666));
        if (file) return file;
        if (errno != EEXIST) break;
    }
    throw Error(std::strerror(errno), {.file = (directory / name).string()});
}

/// What the child says before it takes the terminal, the folder and the name of a file in it with a zero
/// between; empty where it ended instead.
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
    const std::string said = readAll(fromChild);
    const std::string directory = said.c_str();
    const bool isWhole = said.size() > directory.size();
    const fs::path file = isWhole ? fs::path(directory) / said.substr(directory.size() + 1) : fs::path();
    const Descriptor output(file.empty() ? -1 : ::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    if (isWhole) show(directory);
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
    std::string name;
    const Descriptor file = createOutput(directory, name);
    const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    ::dup2(nothing.number(), STDIN_FILENO);
    ::dup2(file.number(), STDOUT_FILENO);
    ::dup2(file.number(), STDERR_FILENO);
    const std::string text = fs::absolute(directory).string() + '\0' + name;
    [[maybe_unused]] const ssize_t written = ::write(toParent_.number(), text.data(), text.size());
    toParent_ = Descriptor();
}

}  // namespace holos::cli
