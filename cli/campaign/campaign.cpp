// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <algorithm>
#include <array>
#include <cctype>
#include <csignal>
#include <functional>
#include <memory>
#include <set>
#include <string_view>

#include "algebra/insight/scaling/study.h"
#include "base/output_file.h"
#include "base/printable.h"
#include "base/process.h"
#include "base/text.h"
#include "campaign/campaign.h"
#include "campaign/execution.h"
#include "campaign/result.h"
#include "campaign/state.h"
#include "cli/command.h"
#include "cli/scaling/scaling_formats.h"
#include "cli/terminal/terminal.h"
#include "cli/write_result.h"
#include "report/tables/summary.h"

namespace holos::cli {

namespace fs = std::filesystem;

using namespace campaign;

namespace {

/// What stands for the size in the command of a study over sizes, and in its template.
constexpr const char* kSizeWord = "@SIZE@";

constexpr std::size_t kMostPaths = 5;

std::string variationText(const Variation& each) {
    const auto value = [&each](double number) { return tables::valueText(number, each.unit); };
    return fmt::format("{} varies by {:.0f} % over {} runs (mean {}, standard deviation {})", each.metric,
                       100.0 * each.relative(), each.totals.size(), value(each.mean), value(each.deviation));
}

std::string warningOf(const Doubt& doubt) {
    const std::string text = "warning: " + variationText(doubt.variation);
    if (doubt.isTime) return text + ": counters of different runs were counted under different conditions";
    if (doubt.invalid.empty()) return text;
    return text +
           fmt::format("; metrics derived from it are not reliable: {}", fmt::join(doubt.invalid, ", "));
}

std::string warningOf(const SetEffect& effect) {
    const auto value = [&effect](double number) { return tables::valueText(number, effect.unit); };
    return fmt::format(
        "warning: {} depends on what else is measured: {} beside {}, {} beside {}; values of these runs do "
        "not belong together",
        effect.metric, value(effect.lowMean), fmt::join(effect.low, " "), value(effect.highMean),
        fmt::join(effect.high, " "));
}

/// What is not known as well as was asked for, although it was measured as often as allowed.
void tellUncertain(const std::vector<Variation>& variations, const Request& request,
                   const specs::Specification& specification) {
    const auto events = specification.events();
    for (const Variation& each : variations)
        if (request.within > 0 && each.knownWithin() > request.within &&
            std::ranges::find(events, each.metric) != events.end())
            complain(fmt::format("warning: {} is known within {:.2g} % only, after {} runs", each.metric,
                                 100.0 * each.knownWithin(), each.totals.size()));
}

void tellMultiplexed(const std::vector<MultiplexedTotal>& totals) {
    constexpr double kPercent = 100.0;
    for (const MultiplexedTotal& each : totals)
        if (each.isFurtherOffThanStated())
            complain(
                fmt::format("warning: {} multiplexed is {:+.2g} % off runs that count it all of the time, "
                            "and was said to be known within {:.2g} %",
                            each.event, kPercent * each.difference(), kPercent * *each.error));
}

void warnOfCallTrees(const std::vector<PartialCallPath>& paths, const State& state) {
    const std::vector<Run> finished = ordinaryRuns(state);
    for (std::size_t i = 0; i < std::min(paths.size(), kMostPaths); ++i) {
        std::vector<std::string> runs;
        for (const std::size_t at : paths[i].inputs) runs.push_back(finished[at].name);
        complain(
            fmt::format("warning: the call path {} is only in {}", paths[i].path, fmt::join(runs, ", ")));
    }
    if (paths.size() > kMostPaths)
        complain(fmt::format("warning: {} more call paths are not in all runs", paths.size() - kMostPaths));
}

/// Merges what the finished runs of a campaign measured, writes how much it varied from run to run, and says
/// where that is too much, or where the runs did not do the same. Throws Error when no run finished.
void writeCampaignResult(const Command& command, const fs::path& folder, const State& state,
                         const specs::Specification& specification) {
    Result result = unite(folder, state, specification);
    const algebra::Inputs inputs = result.inputs();
    const algebra::Provenance provenance = provenanceOf(command, result.files, inputs);
    if (inputs.size() > 1) {
        writeFile(folder / kVariationFile, tableOf(result.variations), Links::Refused);
        for (const Doubt& doubt : result.doubts) complain(warningOf(doubt));
        for (const SetEffect& effect : result.setEffects) complain(warningOf(effect));
        tellUncertain(result.variations, state.request, specification);
        warnOfCallTrees(result.partialPaths, state);
        writeResult(deviations(inputs), provenance, folder / kDeviationFile, Links::Refused);
    }
    if (!result.multiplexed.empty()) {
        const fs::path file = folder / kMultiplexingFile;
        writeFile(file, tableOf(result.multiplexed), Links::Refused);
        print(printable(file.string() + ": " + counted(result.multiplexed.size(), "event")) + "\n");
        tellMultiplexed(result.multiplexed);
    }
    if (const std::string others = saidOfFurtherJobs(folder, ordinaryRuns(state)); !others.empty())
        complain(others);
    writeResult(std::move(result.merged), provenance, folder / kResultFile, Links::Refused);
}

constexpr std::array<std::string_view, 4> kNumberOfProcesses{"-n", "-np", "--np", "--ntasks"};

bool isNumber(const std::string& word) {
    return !word.empty() &&
           std::ranges::all_of(word, [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

/// How often it was found.
std::size_t replaceAll(std::string& word, const std::string& by) {
    const std::string_view what = kSizeWord;
    std::size_t count = 0;
    for (std::size_t at = word.find(what); at != std::string::npos; at = word.find(what, at + by.size())) {
        word.replace(at, what.size(), by);
        ++count;
    }
    return count;
}

std::vector<std::string> commandOfSize(const std::vector<std::string>& command, const std::string& size,
                                       bool isSaidElsewhere) {
    if (!isNumber(size) || size.front() == '0')
        throw UsageError("--sizes: expected whole numbers from 1 on, not '" + size + "'");
    std::vector<std::string> words = command;
    std::size_t found = 0;
    for (std::string& word : words) found += replaceAll(word, size);
    if (found != 0) return words;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        const bool isOption = std::ranges::find(kNumberOfProcesses, words[i]) != kNumberOfProcesses.end();
        if (!isOption || !isNumber(words[i + 1])) continue;
        words[i + 1] = size;
        return words;
    }
    if (isSaidElsewhere) return words;
    throw UsageError(
        "--sizes: write @SIZE@ in the command where the number belongs, as in mpirun -n @SIZE@ ./app");
}

/// A text with the number in place of each `@SIZE@`.
std::string withSize(std::string text, const std::string& size) {
    replaceAll(text, size);
    return text;
}

/// Each size and its command: with the number in place of `@SIZE@`; where it has none, of the number behind
/// the launcher's -n, -np, --np or --ntasks; where there is neither, as it is if `isSaidElsewhere`. Throws
/// `UsageError` where it is not, where a size is no number from 1 on, and where it is given twice.
std::vector<std::pair<std::string, std::vector<std::string>>> commandsOfSizes(
    const std::vector<std::string>& command, const std::vector<std::string>& sizes, bool isSaidElsewhere) {
    std::vector<std::pair<std::string, std::vector<std::string>>> commands;
    std::set<std::string> known;
    for (const std::string& size : sizes) {
        if (!known.insert(size).second) throw UsageError("--sizes: " + size + " is given twice");
        commands.emplace_back(size, commandOfSize(command, size, isSaidElsewhere));
    }
    return commands;
}

using namespace campaign;
using algebra::scaling::folderOfSize;
using algebra::scaling::foldersOfSizes;
using algebra::scaling::sizeOfFolder;

struct Options {
    explicit Options(const Command& own) : app(own) {}

    Command app;
    std::string specification = "auto";
    Request request;
    std::vector<std::string> wanted;
    fs::path folder;
    fs::path scriptTemplate;
    fs::path collect;
    double within = 0.0;
    bool dryRun = false;
    bool deleteTraces = false;
    bool force = false;
    bool onlyProfiles = false;
    bool onlyTraces = false;
    std::vector<std::string> sizes;
    std::string size;  ///< of a campaign that is part of a study over sizes; else empty
    std::vector<std::string> command;
};

std::string durationText(double seconds) {
    constexpr double kMinute = 60.0, kHour = 3600.0;
    if (seconds >= 2.0 * kHour) return fmt::format("{:.1f} h", seconds / kHour);
    if (seconds >= 2.0 * kMinute) return fmt::format("{:.0f} min", seconds / kMinute);
    return fmt::format("{:.0f} s", seconds);
}

std::string planText(const Campaign& campaign) {
    const Plan& plan = campaign.plan();
    const std::size_t repetitions = campaign.state().request.repetitions;
    std::string text = fmt::format("{}: {}", campaign.specification().title(),
                                   counted(plan.measurements.size() * repetitions, "run"));
    if (repetitions > 1)
        text += fmt::format(" ({}, {} times each)", counted(plan.measurements.size(), "measurement"),
                            repetitions);
    if (campaign.state().request.comparesMultiplexed && plan.measurements.size() > 1)
        text += ", and one of all events at once";
    if (const std::size_t before = campaign.state().finished.size(); before > 0)
        text += fmt::format(", {} finished before", before);
    text += '\n';
    for (const Measurement& each : plan.measurements) text += fmt::format("  {}\n", fmt::join(each, " "));
    for (const auto& [event, why] : plan.refused)
        text += fmt::format("  without {}: {}\n", event, printable(why));
    for (const specs::Uncovered& each : plan.uncovered)
        text += fmt::format("  not measured: {}: {}\n", each.metric, each.why);
    return text;
}

/// The commands of a run, as a user would give them.
std::string commandsText(const Campaign& campaign, const Run& run) {
    const fs::path& folder = campaign.folder();
    const std::string record = shellLine(recordCommand("holos", folder, run, campaign.state().command)) +
                               " > " + shellLine({outputOf(folder, run).string()}) + " 2>&1\n";
    if (run.isProfile) return record;
    return record +
           shellLine({"holos", "analyze", "--spec", (folder / kSpecificationFile).string(),
                      (folder / run.name).string()}) +
           '\n';
}

void dryRun(const Campaign& campaign) {
    print(planText(campaign));
    for (const Run& run : campaign.remaining()) print(commandsText(campaign, run));
}

void announce(const Campaign& campaign, std::size_t left) {
    const double seconds = secondsFor(left, campaign.state());
    complain(fmt::format("run {} of {}{}", campaign.done() + 1, campaign.done() + left,
                         seconds > 0.0 ? ", " + durationText(seconds) + " left" : ""));
}

/// Ends this command where the run was interrupted.
void take(Campaign& campaign, const Run& run, const Outcome& outcome) {
    if (outcome.kind == Outcome::Kind::Interrupted) {
        complain("interrupted; the same command goes on with " + run.name);
        endLike({0, SIGINT});
    }
    if (outcome.kind == Outcome::Kind::Failed)
        complain(run.name + ' ' + outcome.reason + "; its output is in " +
                 outputOf(campaign.folder(), run).string());
    for (const auto& [event, why] : outcome.refused) complain(event + " is refused: " + why);
    campaign.keep(run, outcome);
}

/// The result of all that is there; exit code 1 when it is not all.
void conclude(const Options& options, const Campaign& campaign) {
    writeCampaignResult(options.app, campaign.folder(), campaign.state(), campaign.specification());
    const std::size_t missing = campaign.missing();
    if (missing == 0) return;
    complain(fmt::format("{} run{} missing; the result has what the others measured", missing,
                         missing == 1 ? " is" : "s are"));
    throw Exit{1};
}

void runCampaign(const Options& options, Campaign& campaign) {
    campaign.prepareRuns();
    print(planText(campaign));
    for (std::vector<Run> todo = campaign.remaining(); !todo.empty(); todo = campaign.remaining()) {
        announce(campaign, todo.size());
        take(campaign, todo.front(), campaign.execute(todo.front()));
    }
    conclude(options, campaign);
}

void writeScripts(Campaign& campaign) {
    for (const Run& run : campaign.remaining()) {
        campaign.writeScript(run);
        print(scriptOf(campaign.folder(), run).string() + '\n');
    }
}

void sayHowToCollect(const fs::path& folder) {
    print("Submit the scripts that did not run yet; when they have ended:\n  " +
          shellLine({"holos", "campaign", "--collect", folder.string()}) + '\n');
}

/// One script per run that is to be done, and none of those that wait already.
void submit(const Options& options, Campaign& campaign) {
    const std::string text = readTemplate(options.scriptTemplate);
    campaign.prepareScripts(options.size.empty() ? text : withSize(text, options.size));
    print(planText(campaign));
    writeScripts(campaign);
    if (options.size.empty() && !campaign.state().scripted.empty()) sayHowToCollect(campaign.folder());
}

void collect(const Options& options, Campaign& campaign) {
    const std::vector<Run> waiting = campaign.state().scripted;
    for (const Run& run : waiting)
        if (const auto outcome = campaign.collect(run)) take(campaign, run, *outcome);
    for (const Run& run : campaign.state().scripted)
        complain(run.name + " has not ended: " + scriptOf(campaign.folder(), run).string());
    if (!campaign.hasFailedNow()) writeScripts(campaign);
    if (!campaign.state().scripted.empty()) sayHowToCollect(campaign.folder());
    conclude(options, campaign);
}

Campaign campaignOf(const Options& options) {
    const bool onlyCollects = !options.collect.empty();
    Request request = options.request;
    request.wanted = Chosen<std::string>::orAll(options.wanted);
    constexpr double kPercent = 100.0;
    request.within = options.within / kPercent;
    return Campaign({.folder = options.folder,
                     .specification = options.specification,
                     .request = std::move(request),
                     .command = options.command,
                     .replaces = options.force,
                     .changesNothing = options.dryRun,
                     .isElsewhere = onlyCollects || !options.scriptTemplate.empty(),
                     .onlyCollects = onlyCollects,
                     .keepsTraces = !options.deleteTraces,
                     .tell = complain});
}

/// What holos scaling says of the campaigns of all sizes, once two of them have experiments with waits.
void printStudy(const std::vector<fs::path>& folders) {
    std::vector<fs::path> experiments;
    std::vector<double> sizes;
    std::set<double> different;
    for (const fs::path& folder : folders) {
        const auto state = loadState(folder);
        if (!state) continue;
        const double size = sizeOfFolder(folder).value_or(1);
        for (const FinishedRun& each : state->finished)
            if (!each.run.isProfile && !each.run.isMultiplexed) {
                experiments.push_back(analysisOf(folder, each.run));
                sizes.push_back(size);
                different.insert(size);
            }
    }
    if (different.size() > 1) print('\n' + usualScalingText(experiments, sizes));
}

/// One campaign for each size, in a folder of its own, and the study over all of them.
void startSizes(const Options& options, const std::function<void(const Options&)>& startOne) {
    const bool writesScripts = !options.scriptTemplate.empty();
    const bool saysTemplate =
        writesScripts && readTemplate(options.scriptTemplate).find(kSizeWord) != std::string::npos;
    // All that is wrong with them is said before the first one runs.
    const auto commands = commandsOfSizes(options.command, options.sizes, saysTemplate);
    std::vector<fs::path> folders;
    for (const auto& [size, command] : commands) {
        Options one = options;
        one.folder = folderOfSize(options.folder, size);
        one.command = command;
        one.size = size;
        print(fmt::format("Size {}: {}\n", size, printable(shellLine(command))));
        startOne(one);
        folders.push_back(one.folder);
    }
    if (options.dryRun) return;
    writesScripts ? sayHowToCollect(options.folder) : printStudy(folders);
}

/// The exit code.
int collectSize(Options options, const fs::path& folder) try {
    options.folder = options.collect = folder;
    print(printable(folder.filename().string()) + '\n');
    Campaign campaign = campaignOf(options);
    collect(options, campaign);
    return 0;
} catch (const Exit& exit) {
    return exit.code;
} catch (const Error& error) {
    complain(error.what());
    return 1;
}

/// What is there of all sizes, even where some is missing; exit code 1 then.
void collectSizes(const Options& options, const std::vector<fs::path>& folders) {
    int code = 0;
    for (const fs::path& folder : folders) code = std::max(code, collectSize(options, folder));
    printStudy(folders);
    if (code != 0) throw Exit{code};
}

void start(const Options& options) {
    const bool onlyCollects = !options.collect.empty();
    if (onlyCollects && !options.command.empty())
        throw UsageError("--collect: takes no command, because the campaign knows it");
    if (options.folder.empty()) throw UsageError::missing("--output");
    if (!onlyCollects && options.command.empty()) throw UsageError::missing("command");
    const auto startOne = [](const Options& one) {
        Campaign campaign = campaignOf(one);
        if (!one.collect.empty())
            collect(one, campaign);
        else if (one.dryRun)
            dryRun(campaign);
        else if (!one.scriptTemplate.empty())
            submit(one, campaign);
        else
            runCampaign(one, campaign);
    };
    if (!options.sizes.empty()) return startSizes(options, startOne);
    if (onlyCollects && !loadState(options.folder))
        if (const auto folders = foldersOfSizes(options.folder); !folders.empty())
            return collectSizes(options, folders);
    startOne(options);
}

void addPlanOptions(Command& command, Options& options) {
    command.option("--spec SPEC", options.specification,
                   "Platform name or file (default: the file for this processor, or linux-software)");
    const Option want =
        command
            .option("--want A,B", options.wanted,
                    "Metrics or events to measure; NAME/ is NAME and everything below it (default: all)")
            .separatedBy(',');
    command
        .option("--sets A,B", options.request.sets,
                "Record these measurement sets as the specification has them, instead of planning the fewest "
                "runs")
        .separatedBy(',')
        .excludes(want);
    command
        .option("--registers N", options.request.registers,
                "Plan for N hardware counters, instead of the specification's number")
        .between(1, 64);
    command.option("--repeat N", options.request.repetitions, "How many times to make each measurement")
        .between(1, 1000);
    command
        .option(
            "--within PERCENT", options.within,
            "Repeat a measurement until its totals are known within this percentage, with 95 % confidence")
        .between(0.0, 100.0);
    command.flag("--compare-multiplexed", options.request.comparesMultiplexed,
                 "Count all events at once in one more run, and say how far its estimates are off "
                 "(DIR/multiplexing.csv)");
    command
        .option("--most N", options.request.most,
                "With --within: the largest number of runs of one measurement")
        .between(2, 1000)
        .showDefault();
}

}  // namespace

void addCampaign(Command& app) {
    Command command =
        app.command("campaign", "Measure all counters of a specification, in as many runs as that takes");
    const auto options = std::make_shared<Options>(command);
    addPlanOptions(command, *options);
    const Option output =
        command.option("-o,--output DIR", options->folder, "Folder of the campaign").onlyOnCommandLine();
    command.flag("--dry-run", options->dryRun, "Print the plan and the commands, and do nothing");
    command
        .flag("--force", options->force, "Replace the campaign that the folder has, instead of continuing it")
        .onlyOnCommandLine();
    const Option profiles = command.flag("--profile", options->onlyProfiles,
                                         "Make a profile of each run and no trace (default: all runs but the "
                                         "first one, whose trace has the wait states)");
    command.flag("--trace", options->onlyTraces, "Record and analyze a trace of each run").excludes(profiles);
    command.flag("--delete-traces", options->deleteTraces, "Delete each run's trace once it is analyzed")
        .onlyOnCommandLine();
    command
        .option("--template FILE", options->scriptTemplate,
                "Write one batch script per run from this template, instead of running")
        .onlyOnCommandLine();
    const Option collect =
        command.option("--collect DIR", options->collect, "Analyze and merge what the scripts recorded")
            .excludes(output);
    command
        .option("--sizes 1,2,4,8", options->sizes,
                "Do all of it for each of these sizes, with traces, in DIR/size-N, and print what holos "
                "scaling says of them; @SIZE@ in the command and the template is the number, or, without it, "
                "the number after -n is replaced")
        .separatedBy(',')
        .excludes(collect);
    command.option("command", options->command, "The program and its arguments, after --");
    command.endWithArguments();
    command.footer(
        "Result: DIR/campaign.cubex, and DIR/deviation.cubex with the variation from run to run. An\n"
        "interrupted campaign goes on where it stopped when the same command is given again.\n"
        "Examples:\n"
        "  holos campaign -o study -- mpirun -n 4 ./solver\n"
        "  holos campaign --spec linux-software --want PAGE_FAULTS/ --repeat 3 -o study -- ./solver\n"
        "  holos campaign --repeat 3 --within 2 -o study -- ./solver\n"
        "  holos campaign --sizes 1,2,4,8 --repeat 3 -o study -- mpirun -n @SIZE@ ./solver\n"
        "  holos campaign --template slurm.sh -o study -- srun ./solver\n"
        "  holos campaign --collect study");
    command.action([options] {
        if (!options->collect.empty()) options->folder = options->collect;
        if (options->onlyProfiles) options->request.recording = Recording::Profiles;
        if (options->onlyTraces || (!options->sizes.empty() && !options->onlyProfiles))
            options->request.recording = Recording::Traces;
        start(*options);
    });
}

}  // namespace holos::cli
