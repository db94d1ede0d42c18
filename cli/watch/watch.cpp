// SPDX-License-Identifier: BSD-3-Clause
#include "cli/watch/watch.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/error.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "cli/watch/watch_formats.h"
#include "cli/watch/watch_screen.h"
#include "report/serve/server.h"
#include "tracing/recordings/launch/waiting.h"

namespace holos::cli {
namespace {

struct WatchCommand {
    std::string directory;
    bool once = false;
    double interval = 1e9;  ///< nanoseconds
    TextOrJson format = TextOrJson::Text;
    std::optional<std::size_t> port;  ///< on which pictures are asked for; 0: any that is free

    std::chrono::milliseconds pause() const {
        return std::chrono::milliseconds(static_cast<std::int64_t>(interval * 1e-6));
    }
};

bool isOver(const watch::Picture& picture) {
    return picture.isFinished ||
           (!picture.processes.empty() &&
            std::all_of(picture.processes.begin(), picture.processes.end(), [](const auto& one) {
                return one.life == watch::Life::Ended || one.life == watch::Life::Crashed;
            }));
}

std::string pictureText(WatchedRun& watched, TextOrJson format) {
    return inFormat(
        format, [&] { return watchText(watched); }, [&] { return watchJson(watched); });
}

/// Two looks, so that there is an interval to speak of.
void watchOnce(const WatchCommand& options, const launch::Interruption& interruption) {
    WatchedRun watched(options.directory);
    if (!isOver(watched.run.look())) {
        if (!interruption.sleep(options.pause())) return;
        watched.run.look();
    }
    print(pictureText(watched, options.format));
}

/// One picture for each interval, until nobody is left to look at.
void printAll(const WatchCommand& options, const launch::Interruption& interruption) {
    WatchedRun watched(options.directory);
    for (bool isFirst = true;; isFirst = false) {
        const watch::Picture& picture = watched.run.look();
        const bool isApart = !isFirst && options.format == TextOrJson::Text;
        print((isApart ? "\n" : "") + pictureText(watched, options.format));
        if (isOver(picture) || !interruption.sleep(options.pause())) return;
    }
}

/// A picture for each request.
void serveMetrics(const WatchCommand& options) {
    WatchedRun watched(options.directory);
    std::mutex mutex;
    const std::string token = serve::newToken();
    const auto page = [](const std::string&) { return std::optional<serve::Answer>(); };
    const auto answer = [&](const serve::Query& query) -> serve::Answer {
        if (query.path != "/metrics") return {.status = 404, .type = "text/plain", .body = "only /metrics\n"};
        const std::lock_guard lock(mutex);
        return {.type = "text/plain; version=0.0.4", .body = watchMetrics(watched.run.look())};
    };
    serve::Server server({.port = static_cast<std::uint16_t>(*options.port), .socket = {}}, token,
                         {page, answer});
    print("http://127.0.0.1:" + std::to_string(server.port()) + "/metrics\nAuthorization: Bearer " + token +
          "\n");
    std::fflush(stdout);
    if (server.run() == serve::Server::End::Idle) complain("ended: nobody has asked for half an hour");
}

void watchRun(const WatchCommand& options) {
    if (options.port) return serveMetrics(options);
    const bool hasTerminal = ::isatty(STDOUT_FILENO) != 0 && ::isatty(STDIN_FILENO) != 0;
    if (!options.once && options.format == TextOrJson::Text && hasTerminal) {
        WatchedRun watched(options.directory);
        return watchOnScreen(watched, options.pause());
    }
    const launch::Interruption interruption;
    if (options.once)
        watchOnce(options, interruption);
    else
        printAll(options, interruption);
}

}  // namespace

void addWatch(Command& app) {
    const auto options = std::make_shared<WatchCommand>();
    Command command = app.command("watch", "Show what a program does while it is recorded, and why it hangs");
    command.option("folder", options->directory, "Folder of a recording under way").required().ofFiles();
    const Option once = command.flag(
        "--once", options->once, "Print one picture: what each process does, where it is, for whom it waits");
    command.option("--interval TIME", options->interval, "Time between two pictures, such as 500ms or 10s")
        .duration()
        .showDefault("1s");
    const Option format =
        addFormat(command, options->format, "How to print pictures; json never uses the terminal's screen");
    command
        .option("--serve PORT", options->port,
                "Serve the numbers to Prometheus on this port (0: one that is free); requests need a token")
        .between(0, 65535)
        .excludes(once)
        .excludes(format);
    command.footer(
        "Nothing of the recording is changed, and the program does not notice. Without --once and --format "
        "json,\n"
        "pictures follow each other on the terminal's screen (h: help on its keys, q: quit), or as text "
        "where\n"
        "standard output is no terminal.\n"
        "Examples:\n"
        "  holos watch run\n"
        "  holos watch run --once\n"
        "  holos watch run --format json --interval 10s >> run.jsonl\n"
        "  holos watch run --serve 9400");
    command.action([options] { watchRun(*options); });
}

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
