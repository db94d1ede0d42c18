// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/execution.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <set>
#include <string_view>

#include "algebra/files/experiment_file.h"
#include "algebra/operators/history/metric_names.h"
#include "base/error.h"
#include "base/input_file.h"
#include "base/json.h"
#include "base/process.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/folder/ownership.h"
#include "tracing/recordings/launch/installation.h"
#include "tracing/recordings/launch/program.h"

namespace holos::campaign {
namespace {

std::string replaced(std::string text, std::string_view mark, const std::string& by) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
        text.replace(at, mark.size(), by);
    return text;
}

std::filesystem::path besideRun(const std::filesystem::path& folder, const Run& run, const char* ending) {
    return folder / (run.name + ending);
}

}  // namespace

std::filesystem::path outputOf(const std::filesystem::path& folder, const Run& run) {
    return besideRun(folder, run, ".txt");
}
std::filesystem::path statusOf(const std::filesystem::path& folder, const Run& run) {
    return besideRun(folder, run, ".status");
}
std::filesystem::path refusedOf(const std::filesystem::path& folder, const Run& run) {
    return besideRun(folder, run, ".refused.json");
}
std::filesystem::path scriptOf(const std::filesystem::path& folder, const Run& run) {
    return besideRun(folder, run, ".sh");
}

std::vector<std::string> recordCommand(const std::string& holos, const std::filesystem::path& folder,
                                       const Run& run, const std::vector<std::string>& command) {
    std::vector<std::string> words{holos, "record"};
    if (run.isProfile) words.emplace_back("--profile");
    if (run.isMultiplexed) words.emplace_back("--multiplex");
    for (const std::string& word : {std::string("-o"), (folder / run.name).string(), std::string("--refused"),
                                    refusedOf(folder, run).string(), std::string("--counters"),
                                    fmt::format("{}", fmt::join(run.events, ",")), std::string("--")})
        words.push_back(word);
    words.insert(words.end(), command.begin(), command.end());
    return words;
}

std::string readTemplate(const std::filesystem::path& file) {
    constexpr std::uint64_t kLargest = 1U << 20;
    return readText(file, kLargest, "a template of a batch script");
}

std::string fillTemplate(const std::string& text, const std::filesystem::path& folder, const Run& run,
                         const std::vector<std::string>& record) {
    if (text.find("@RECORD@") == std::string::npos)
        throw Error("has no @RECORD@, where the recorded run goes",
                    {.file = (folder / kTemplateFile).string()});
    const std::string output = shellWord(outputOf(folder, run).string());
    const std::string status = shellWord(statusOf(folder, run).string());
    std::string script = replaced(text, "@NAME@", run.name);
    script = replaced(std::move(script), "@EVENTS@", fmt::format("{}", fmt::join(run.events, ",")));
    script = replaced(std::move(script), "@OUTPUT@", output);
    return replaced(std::move(script), "@RECORD@",
                    fmt::format("{} > {} 2>&1; echo $? > {}", shellLine(record), output, status));
}

using launch::Ending;

namespace fs = std::filesystem;

namespace {

constexpr int kSignalBase = 128;

/// Standard output and error of the command are appended to `output`; it reads no input.
Ending runQuietly(const std::vector<std::string>& command, const fs::path& output) {
    std::vector<std::string> words{"sh", "-c", "output=$1; shift; exec \"$@\" </dev/null >>\"$output\" 2>&1",
                                   "sh", output.string()};
    words.insert(words.end(), command.begin(), command.end());
    return launch::runProgram("/bin/sh", words, {});
}

bool wasInterrupted(const Ending& ending) {
    for (const int signal : {SIGINT, SIGTERM})
        if (ending.signal == signal || ending.status == kSignalBase + signal) return true;
    return false;
}

/// Nothing for a success.
std::string failureText(const Ending& ending) {
    if (ending.signal != 0)
        return fmt::format("ended by signal {} ({})", ending.signal, strsignal(ending.signal));
    return ending.status == 0 ? "" : fmt::format("ended with exit status {}", ending.status);
}

/// Events that `holos record` said it could not count.
Refused refusedIn(const fs::path& folder, const Run& run) {
    const fs::path file = refusedOf(folder, run);
    if (!fs::exists(file)) return {};
    try {
        return readJson(file).get<Refused>();
    } catch (const nlohmann::json::exception&) {
        throw Error("is no list of counters and reasons", {.file = file.string()});
    }
}

Measurement countedIn(const fs::path& analysis, const Measurement& events) {
    const algebra::Experiment experiment = algebra::readExperiment(analysis);
    std::set<std::string> names;
    for (const algebra::MetricId id : experiment.metrics.ids())
        names.insert(algebra::eventName(experiment.metrics[id]));
    Measurement counted;
    std::ranges::copy_if(events, std::back_inserter(counted),
                         [&](const std::string& event) { return names.contains(event); });
    return counted;
}

Outcome failed(std::string reason, const fs::path& folder, const Run& run) {
    return {Outcome::Kind::Failed, std::move(reason), {}, refusedIn(folder, run), 0.0};
}

/// Of a run whose experiment is there.
Outcome outcomeOf(const fs::path& folder, const Run& run) {
    Outcome outcome;
    outcome.counted = countedIn(analysisOf(folder, run), run.events);
    for (const std::string& event : run.events)
        if (std::ranges::find(outcome.counted, event) == outcome.counted.end())
            outcome.refused[event] =
                run.name + " has no values of it: its threads could not count, or entered no region";
    return outcome;
}

Outcome analyze(const fs::path& folder, const Run& run) {
    if (run.isProfile) return outcomeOf(folder, run);
    const Ending ending = runQuietly({launch::thisProgram(), "analyze", "--spec",
                                      (folder / kSpecificationFile).string(), (folder / run.name).string()},
                                     outputOf(folder, run));
    if (wasInterrupted(ending)) return {Outcome::Kind::Interrupted, {}, {}, {}, 0.0};
    if (const std::string why = failureText(ending); !why.empty())
        return failed("its analysis " + why, folder, run);
    return outcomeOf(folder, run);
}

}  // namespace

Outcome execute(const fs::path& folder, const Run& run, const std::vector<std::string>& command) {
    const auto begin = std::chrono::steady_clock::now();
    const fs::path output = outputOf(folder, run);
    const Ending ending = runQuietly(recordCommand(launch::thisProgram(), folder, run, command), output);
    if (wasInterrupted(ending)) return {Outcome::Kind::Interrupted, {}, {}, {}, 0.0};
    if (const std::string why = failureText(ending); !why.empty()) return failed(why, folder, run);
    Outcome outcome = analyze(folder, run);
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return outcome;
}

std::optional<Outcome> collect(const fs::path& folder, const Run& run) {
    std::ifstream in(statusOf(folder, run));
    Ending ending;
    if (!(in >> ending.status)) return std::nullopt;
    if (ending.status != 0) return failed(failureText(ending), folder, run);
    return analyze(folder, run);
}

fs::path analysisOf(const fs::path& folder, const Run& run) {
    return folder / run.name / (run.isProfile ? archive::kProfileFile : "analysis.cubex");
}

void deleteTrace(const fs::path& folder, const Run& run) {
    std::vector<fs::path> jobs = archive::foldersOfFurtherJobs(folder / run.name);
    jobs.push_back(folder / run.name);
    for (const fs::path& job : jobs) {
        const auto ours = archive::inTheWay(job).ofHolos;
        for (const char* name : {"traces.otf2", "traces.def", "traces/"})
            if (std::ranges::find(ours, name) != ours.end()) fs::remove_all(job / name);
    }
}

std::string saidOfFurtherJobs(const fs::path& folder, const std::vector<Run>& runs) {
    std::size_t most = 0;
    for (const Run& run : runs)
        most = std::max(most, archive::foldersOfFurtherJobs(folder / run.name).size());
    if (most == 0) return {};
    std::vector<std::string> ofSecond;
    for (const Run& run : runs)
        ofSecond.push_back(shellWord(
            (archive::folderOfJob(folder / run.name, 2) / analysisOf({}, run).filename()).string()));
    return fmt::format(
        "each run had {} MPI jobs, and the result is of the first; the second has its own with holos merge "
        "{} -o job-2.cubex{}",
        most + 1, fmt::join(ofSecond, " "), most > 1 ? ", and so on" : "");
}

}  // namespace holos::campaign
