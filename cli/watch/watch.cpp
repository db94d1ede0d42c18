// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cli/choice.h"
#include "cli/commands.h"
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
    switch (format) {
        case TextOrJson::Text:
            return watchText(watched);
        case TextOrJson::Json:
            return watchJson(watched);
    }
    return {};
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
    command.option("folder", options->directory, "Folder of a recording under way").required();
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

}  // namespace holos::cli
