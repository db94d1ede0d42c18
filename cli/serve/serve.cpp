// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <pwd.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "algebra/files/experiment_file.h"
#include "analyzer/trace/anchor.h"
#include "base/error.h"
#include "base/host_name.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/show/show_formats.h"
#include "cli/terminal/terminal.h"
#include "report/far/answers.h"
#include "report/far/far_experiment.h"
#include "report/serve/api.h"
#include "report/serve/server.h"
#include "report/serve/views.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

namespace holos::cli {

namespace fs = std::filesystem;
using namespace serve;

namespace {

/// Experiments on another machine, named as for `scp`: `me@login1:run`.
struct OtherMachine {
    std::string host;
    std::vector<std::string> files;
};

/// Nothing where all of them are here. A file of this name that is here is meant itself. Throws
/// `holos::Error` for files of several machines.
std::optional<OtherMachine> otherMachineOf(const std::vector<std::filesystem::path>& files) {
    std::optional<OtherMachine> other;
    bool isHere = false;
    for (const std::filesystem::path& file : files) {
        const auto there = far::farFile(file.string());
        if (!there) {
            isHere = true;
            continue;
        }
        if (other && other->host != there->host)
            throw Error("on another machine than " + other->host + "; serve one machine at a time",
                        Place{.file = file.string()});
        if (!other) other = OtherMachine{there->host, {}};
        other->files.push_back(there->path);
    }
    if (other && isHere)
        throw Error("some experiments are here, others on " + other->host + "; serve one machine at a time");
    return other;
}

/// The command that serves them there, and leads this machine's port of that number to the same port there.
/// `program`: how holos is called there. `further`: its options.
std::vector<std::string> commandFor(const OtherMachine& other, std::uint16_t port, const std::string& program,
                                    const std::vector<std::string>& further) {
    const std::string number = std::to_string(port);
    std::vector<std::string> there{program, "serve", "--port", number};
    there.insert(there.end(), further.begin(), further.end());
    there.emplace_back("--");
    there.insert(there.end(), other.files.begin(), other.files.end());
    const std::string here = "127.0.0.1:" + number;
    // With a terminal, the command there ends when the connection does.
    return {"ssh",      "-tt",           "-o", "ExitOnForwardFailure=yes", "-L", here + ':' + here, "--",
            other.host, shellLine(there)};
}

/// What is said of the other end of a tunnel where there is only a socket here.
constexpr int kUsualPort = 8765;

constexpr double kUsualIdle = 30 * 60e9;

struct ServeOptions {
    std::vector<fs::path> files;
    std::size_t port = 0;
    fs::path socket;
    double idle = kUsualIdle;  ///< nanoseconds
    std::string program = "holos";
    bool forView = false;  ///< over ssh, on standard input and output
};

/// The trace that an experiment was made of, where it lies beside it.
fs::path traceBeside(const fs::path& fileOrFolder) {
    std::error_code none;
    const fs::path folder = fs::is_directory(fileOrFolder, none) ? fileOrFolder : fileOrFolder.parent_path();
    try {
        return analyzer::trace::findAnchor(folder.empty() ? "." : folder);
    } catch (const Error&) {
        return {};
    }
}

/// Of recordings that go on, what there is so far.
std::vector<Subject> subjectsOf(const std::vector<fs::path>& files) {
    std::vector<bool> goesOn;
    std::vector<fs::path> whole;
    for (const fs::path& file : files) {
        goesOn.push_back(archive::needsFinish(file));
        if (!goesOn.back()) whole.push_back(file);
    }
    std::vector<algebra::Experiment> experiments = algebra::readExperiments(whole);
    std::vector<Subject> subjects;
    auto next = experiments.begin();
    for (std::size_t at = 0; at < files.size(); ++at) {
        if (goesOn[at]) {
            subjects.push_back(recordedSoFar(files[at], [] {}));
            continue;
        }
        if (const std::string others = archive::whereFurtherJobsAre(files[at]); !others.empty())
            complain(others);
        subjects.push_back({.name = files[at].string(),
                            .experiment = std::make_shared<const algebra::Experiment>(std::move(*next++)),
                            .trace = traceBeside(files[at])});
    }
    return subjects;
}

std::vector<LiveRuns::Run> liveRunsOf(const std::vector<Subject>& subjects) {
    std::vector<LiveRuns::Run> runs;
    for (std::size_t at = 0; at < subjects.size(); ++at)
        if (!subjects[at].live.empty()) runs.push_back({at, subjects[at].name});
    return runs;
}

/// `user@host`, as another machine may know this one.
std::string thisMachine() {
    std::string host = hostName();
    if (host.empty()) host = "HOST";
    const passwd* user = ::getpwuid(::geteuid());
    return user != nullptr ? std::string(user->pw_name) + '@' + host : host;
}

/// A path that another program can be told, and that a socket can have.
fs::path socketOf(const ServeOptions& options) {
    if (options.socket.empty()) return {};
    fs::path whole = fs::absolute(options.socket);
    if (whole.string().size() >= sizeof(sockaddr_un::sun_path))
        throw Error("the path is too long for a socket", Place{.file = whole.string()});
    return whole;
}

void sayWhere(const Server& server, const fs::path& socket, const std::string& token) {
    const int port = socket.empty() ? server.port() : kUsualPort;
    const std::string here = socket.empty() ? fmt::format("127.0.0.1:{}", port) : socket.string();
    const std::string address = fmt::format("http://127.0.0.1:{}/#{}", port, token);
    const std::string tunnel = fmt::format("ssh -N -L {}:{} {}", port, here, thisMachine());
    if (socket.empty())
        print(fmt::format("{}\nFrom another machine, first: {}\n", address, tunnel));
    else
        print(fmt::format("{}\nFirst, on the machine with the web browser: {}\n", address, tunnel));
    std::fflush(stdout);
}

/// One that nobody listens on now.
std::uint16_t freePort() {
    return Server({}, newToken(), {}).port();
}

/// Becomes ssh, which has this command serve on the other machine: the address that it prints there leads
/// there from here, too.
[[noreturn]] void serveThere(const OtherMachine& other, const ServeOptions& options) {
    if (!options.socket.empty())
        throw Error(
            "a socket is made on the machine of the experiments; leave --socket out, ssh leads there");
    std::vector<std::string> further;
    if (options.idle != kUsualIdle) further = {"--idle", fmt::format("{:.0f}us", options.idle / 1e3)};
    const auto port = options.port == 0 ? freePort() : static_cast<std::uint16_t>(options.port);
    const std::vector<std::string> words = commandFor(other, port, options.program, further);
    ::execvp(words.front().c_str(), Arguments(words).data());
    throw Error("ssh cannot be started: " + std::generic_category().message(errno));
}

/// One experiment, to a browser that has started this over ssh.
void answerView(const std::vector<fs::path>& files) {
    if (files.size() != 1) throw UsageError("--for-view: expected one experiment");
    far::answerQuestions([&files] { return subjectsOf(files).front().experiment; }, stdin, stdout);
}

void serveFiles(const ServeOptions& options) {
    if (options.forView) return answerView(options.files);
    if (const auto other = otherMachineOf(options.files)) serveThere(*other, options);
    const fs::path socket = socketOf(options);
    const std::vector<Subject> subjects = subjectsOf(options.files);
    Api api(subjects, wordsObject);
    const std::string token = newToken();
    ServerLimits limits;
    limits.idle = std::chrono::nanoseconds(static_cast<std::int64_t>(options.idle));
    Server server({.port = static_cast<std::uint16_t>(options.port), .socket = socket}, token,
                  {.page = clientPage,
                   .answer = [&api](const Query& query) { return api.answer(query); },
                   .stream = "/api/events"},
                  limits);
    const LiveRuns live(liveRunsOf(subjects), {.isLookedAt = [&server] { return server.isListenedTo(); },
                                               .renew =
                                                   [&](std::size_t number, const Subject& subject) {
                                                       api.renew(number, subject);
                                                       server.tell(std::to_string(number));
                                                   }});
    sayWhere(server, socket, token);
    if (server.run() == Server::End::Idle)
        complain("ended: nobody has asked for anything for some time (--idle)");
}

}  // namespace

void addServe(Command& app) {
    auto options = std::make_shared<ServeOptions>();
    Command command = app.command(
        "serve",
        "Show experiments in a web browser, also on another machine: panes, summary, flame graph, timeline");
    command
        .option("file", options->files,
                "Experiments (.cubex, .cube), or their folders; also recordings that go on; HOST:PATH: on "
                "another machine, over ssh")
        .required()
        .ofFiles();
    const Option port = command.option("--port", options->port, "Listen on this port (0: one that is free)");
    port.showDefault().between(0, 65535);
    command
        .option("--socket FILE", options->socket,
                "Listen on a socket that only you may open, instead of a port that other users of this "
                "machine reach")
        .excludes(port)
        .onlyOnCommandLine();
    command.option("--idle TIME", options->idle, "End after this time without requests (default: 30min)")
        .duration();
    command.option("--there PROGRAM", options->program, "How holos is called on the other machine")
        .showDefault();
    command
        .flag("--for-view", options->forView,
              "Answer the browser of another machine instead: holos view HOST:PATH starts this over ssh")
        .onlyOnCommandLine();
    command.footer(
        "Prints an address, which holds a random token: who has it can see the experiments, until the\n"
        "command ends. Only this machine is listened to; from another one a tunnel of ssh leads here.\n"
        "Examples:\n"
        "  holos serve run\n"
        "  holos serve before/analysis.cubex after/analysis.cubex --idle 2h\n"
        "  holos serve run --socket ~/holos.socket\n"
        "  holos serve me@login1:runs/today --there /opt/holos/bin/holos");
    command.action([options] { serveFiles(*options); });
}

}  // namespace holos::cli
