// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

namespace holos::cli {
namespace {

struct ViewOptions {
    std::vector<std::string> files;
    std::string watched;
    std::string screenshot;
    std::string size;
    std::string metric;
    std::string mode;
    std::string reference;
    std::string state;
    std::string detail;
    std::string peakFlops;
    std::string peakBandwidth;
    std::vector<std::string> sources;
    std::string colors;
    std::string theme;
    std::string program;
    bool expandHottest = false;
    bool sideBySide = false;
};

/// Of a folder of a run with several MPI jobs all experiments are shown; what is not shown is said.
std::vector<std::string> withFurtherJobs(const std::vector<std::string>& files) {
    namespace fs = std::filesystem;
    std::vector<std::string> all;
    for (const std::string& file : files) {
        all.push_back(file);
        std::error_code none;
        const auto jobs =
            fs::is_directory(file, none) ? archive::foldersOfFurtherJobs(file) : std::vector<fs::path>();
        std::size_t shown = 0;
        for (const fs::path& job : jobs) {
            const auto isThere = [&](const char* name) { return fs::exists(job / name, none); };
            if (!isThere("analysis.cubex") && !isThere(archive::kProfileFile)) continue;
            all.push_back(job.string());
            ++shown;
        }
        const std::string others = archive::whereFurtherJobsAre(file);
        if (!others.empty() &&
            (shown < jobs.size() || shown == 0 || !archive::missingFurtherJobs(file).empty()))
            complain(others + (shown == 0 ? "" : "; shown are those with an analysis"));
    }
    return all;
}

std::vector<std::string> commandLine(const ViewOptions& options, const std::string& program) {
    std::vector<std::string> words{program};
    const auto add = [&words](const char* name, const std::string& value) {
        if (!value.empty()) words.push_back(std::string(name) + "=" + value);
    };
    add("--watch", options.watched);
    add("--screenshot", options.screenshot);
    add("--size", options.size);
    add("--select", options.metric);
    add("--mode", options.mode);
    add("--state", options.state);
    add("--reference", options.reference);
    add("--detail", options.detail);
    add("--peak-flops", options.peakFlops);
    add("--peak-bandwidth", options.peakBandwidth);
    for (const std::string& mapping : options.sources) add("--source-map", mapping);
    add("--colors", options.colors);
    add("--theme", options.theme);
    if (options.sideBySide) words.emplace_back("--side-by-side");
    if (options.expandHottest) words.emplace_back("--expand-hottest");
    words.emplace_back("--");
    const std::vector<std::string> files = withFurtherJobs(options.files);
    words.insert(words.end(), files.begin(), files.end());
    return words;
}

/// Becomes the browser, which is a program of its own beside this one, so that `holos` needs no Qt.
[[noreturn]] void startBrowser(const ViewOptions& options) {
    const auto program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "holos-view";
    const std::vector<std::string> words = commandLine(options, program.string());
    if (!std::filesystem::exists(program))
        throw Error("the browser is not installed: expected it at " + program.string() +
                    " (it is built with HOLOS_GUI=ON and needs Qt 6)");
    if (!options.program.empty()) ::setenv("HOLOS_VIEW_THERE", options.program.c_str(), 1);
    ::execv(program.c_str(), Arguments(words).data());
    throw Error("the browser does not start: " + program.string() + ": " +
                std::generic_category().message(errno));
}

}  // namespace

void addView(Command& app) {
    auto options = std::make_shared<ViewOptions>();
    Command command = app.command("view", "Browse experiments: metrics, call paths, system");
    command
        .option("file", options->files,
                "Experiments (.cubex), or their folders; HOST:PATH: on another machine, over ssh")
        .ofFiles();
    command.option(
        "--watch DIR", options->watched,
        "Show a program while it is recorded to this folder: what it does, and the analysis of what has been "
        "recorded so far, again and again");
    command.option("--screenshot", options->screenshot, "Write a picture of the browser; needs no display")
        .onlyOnCommandLine();
    command.option("--size", options->size, "Size of the window or the picture, such as 1280x800");
    command.option("--select", options->metric, "Select this metric (unique or displayed name)");
    command.option("--state", options->state, "Show the view of a link that File > Copy link made");
    command.flag("--expand-hottest", options->expandHottest,
                 "Open the trees along the path with the largest values");
    command.flag("--side-by-side", options->sideBySide, "Show the first two experiments with one selection");
    command
        .option("--mode", options->mode,
                "What values are shown as: absolute numbers, or percentages of a root, a selection and so on")
        .oneOf({"absolute", "percent", "root", "metric", "selection", "peers", "distribution", "external"});
    command.option("--reference", options->reference,
                   "The experiment whose values are 100 percent in --mode external");
    command.option("--detail", options->detail, "Open a view below the panes")
        .oneOf({"summary", "source", "instructions", "timeline", "events", "iterations", "communication",
                "roofline", "experiments", "scaling"});
    command.option("--peak-flops RATE", options->peakFlops,
                   "Floating-point operations per second that a node can do, for the roofline");
    command.option("--peak-bandwidth RATE", options->peakBandwidth,
                   "Bytes per second that the memory of a node can deliver, for the roofline");
    command.option("--source-map FROM=TO", options->sources,
                   "Look in folder TO for source files that were recorded in folder FROM; may be repeated");
    command.option("--colors", options->colors, "Colour scale of values").oneOf({"fire", "ocean", "grey"});
    command.option("--theme", options->theme, "Colours of the window").oneOf({"system", "light", "dark"});
    command.option("--there PROGRAM", options->program,
                   "How holos is called on the other machine (default: holos)");
    command.footer(
        "Examples:\n"
        "  holos view run/analysis.cubex --select mpi_latesender --expand-hottest --screenshot late.png\n"
        "  holos view me@login1:runs/today\n"
        "  holos view --watch run");
    command.action([options] { startBrowser(*options); });
}

}  // namespace holos::cli
