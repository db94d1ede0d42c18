// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <csignal>
#include <memory>

#include "base/counted.h"
#include "base/input_file.h"
#include "base/output_file.h"
#include "base/shell.h"
#include "campaign/execution.h"
#include "campaign/folder.h"
#include "campaign/schedule.h"
#include "campaign/script.h"
#include "cli/campaign_result.h"
#include "cli/commands.h"
#include "cli/end_like.h"
#include "cli/terminal.h"
#include "metric-specs/error.h"
#include "metric-specs/library.h"
#include "tracing/counters/selection.h"
#include "tracing/launch/find_program.h"
#include "tracing/launch/installation.h"

namespace holos::cli {

using namespace campaign;
namespace fs = std::filesystem;

namespace {

constexpr const char* kEverywhere = "linux-software";  // what every machine can count

struct Options {
    explicit Options(const Command& own) : app(own) {}

    Command app;
    std::string specification = "auto";
    Request request;
    fs::path folder;
    fs::path scriptTemplate;
    fs::path collect;
    bool dryRun = false;
    bool deleteTraces = false;
    bool force = false;
    std::vector<std::string> command;
};

std::optional<std::string> whyNotCountedHere(const std::vector<std::string>& events) {
    try {
        counters::Selection(events).open();
        return std::nullopt;
    } catch (const Error& error) {
        return error.what();
    }
}

/// Batch systems run the program elsewhere; there the recorder tells what it cannot count.
std::optional<std::string> unknownHere(const std::vector<std::string>&) {
    return std::nullopt;
}

std::string durationText(double seconds) {
    constexpr double kMinute = 60.0, kHour = 3600.0;
    if (seconds >= 2.0 * kHour) return fmt::format("{:.1f} h", seconds / kHour);
    if (seconds >= 2.0 * kMinute) return fmt::format("{:.0f} min", seconds / kMinute);
    return fmt::format("{:.0f} s", seconds);
}

std::string readTemplate(const fs::path& file) {
    constexpr std::uint64_t kLargest = 1U << 20;
    return readText(file, kLargest, "a template of a batch script");
}

/// A campaign in its folder: planned, continued and brought to its result.
class Campaign {
  public:
    explicit Campaign(const Options& options) : options_(options), folder_(fs::absolute(options.folder)) {
        if (!options.dryRun && fs::is_directory(folder_)) lock_.emplace(folder_);
        if (auto earlier = options.force ? std::nullopt : loadState(folder_)) {
            state_ = std::move(*earlier);
            isNew_ = false;
            if (!options.command.empty() && state_.command != options.command)
                throw Error("is a campaign of another command (" + shellLine(state_.command) +
                                "); give another folder with -o, or --force to replace it",
                            {.file = folder_.string()});
        } else if (!options.collect.empty()) {
            throw Error("is no folder of a campaign", {.file = folder_.string()});
        } else {
            state_.command = options.command;
            launch::findProgram(state_.command.front());
        }
        if (options.collect.empty()) state_.request = options.request;
        chooseSpecification();
        makePlan();
    }

    void dryRun() const {
        print(planSummary());
        for (const Run& run : remaining())
            print(shellLine(recordCommand("holos", folder_, run, state_.command)) + " > " +
                  shellLine({outputOf(folder_, run).string()}) + " 2>&1\n" +
                  shellLine({"holos", "analyze", "--spec", (folder_ / kSpecificationFile).string(),
                             (folder_ / run.name).string()}) +
                  '\n');
    }

    void run() {
        if (!state_.scripted.empty())
            throw Error(fmt::format("{} runs wait in a batch system; see holos campaign --collect",
                                    state_.scripted.size()),
                        {.file = folder_.string()});
        prepareFolder();
        print(planSummary());
        for (std::vector<Run> todo = remaining(); !todo.empty(); todo = remaining()) {
            announce(todo.size());
            keep(todo.front(), execute(folder_, todo.front(), state_.command));
        }
        conclude();
    }

    /// One script per run that is to be done, and none of those that wait already.
    void writeScripts() {
        const std::string script = readTemplate(options_.scriptTemplate);
        prepareFolder();
        writeFile(folder_ / kTemplateFile, script);
        print(planSummary());
        submitText(remaining());
    }

    void collectScripts() {
        const std::vector<Run> waiting = std::exchange(state_.scripted, {});
        for (const Run& run : waiting) {
            if (const auto outcome = collect(folder_, run))
                keep(run, *outcome);
            else
                state_.scripted.push_back(run);
        }
        saveState(state_, folder_);
        for (const Run& run : state_.scripted)
            complain(run.name + " has not ended: " + scriptOf(folder_, run).string());
        if (failedNow_.empty()) submitText(remaining());
        conclude();
    }

  private:
    void chooseSpecification() {
        const fs::path kept = folder_ / kSpecificationFile;
        if (!isNew_ && (options_.specification == "auto" || !options_.collect.empty()))
            specification_ = specs::load(kept);
        else if (options_.specification == "auto")
            specification_ = specificationHere();
        else
            specification_ = specs::find(options_.specification);
        if (!isNew_ && specs::load(kept).text != specification_.text)
            throw Error("is a campaign with another specification; give another folder with -o",
                        {.file = folder_.string()});
    }

    /// The file for this processor where its counters can be read; in virtual machines they often cannot.
    specs::Specification specificationHere() const {
        if (auto chosen = specs::findFor(specs::thisProcessor())) {
            const auto events = chosen->events();
            const WhyNotCounted whyNot = whyNotCounted();
            if (std::any_of(events.begin(), events.end(),
                            [&](const std::string& event) { return !whyNot({event}); }))
                return std::move(*chosen);
            complain("no counter of '" + chosen->title() + "' can be read here; taking " + kEverywhere);
        }
        return specs::find(kEverywhere);
    }

    WhyNotCounted whyNotCounted() const {
        const bool batch = !options_.scriptTemplate.empty() || !options_.collect.empty();
        return batch ? unknownHere : whyNotCountedHere;
    }

    void makePlan() {
        plan_ = planMeasurements(specification_, state_.request, state_.refused, whyNotCounted());
        state_.refused = plan_.refused;
    }

    /// Those whose measurement failed in this session wait for the next one.
    std::vector<Run> remaining() const {
        std::vector<Measurement> measurements = plan_.measurements;
        std::erase_if(measurements, [this](const Measurement& each) {
            return std::find(failedNow_.begin(), failedNow_.end(), each) != failedNow_.end();
        });
        return remainingRuns(measurements, state_);
    }

    std::string planSummary() const {
        const std::size_t runs = plan_.measurements.size() * state_.request.repetitions;
        std::string text = fmt::format("{}: {}", specification_.title(), counted(runs, "run"));
        if (state_.request.repetitions > 1)
            text += fmt::format(" ({} measurements, {} times each)", plan_.measurements.size(),
                                state_.request.repetitions);
        if (!state_.finished.empty()) text += fmt::format(", {} finished before", state_.finished.size());
        text += '\n';
        for (const Measurement& each : plan_.measurements)
            text += fmt::format("  {}\n", fmt::join(each, " "));
        for (const auto& [event, why] : plan_.refused)
            text += fmt::format("  without {}: {}\n", event, printable(why));
        for (const specs::Uncovered& each : plan_.uncovered)
            text += fmt::format("  not measured: {}: {}\n", each.metric, each.why);
        return text;
    }

    void prepareFolder() {
        std::error_code error;
        fs::create_directories(folder_, error);
        if (error) throw Error(error.message(), {.file = folder_.string()});
        if (!lock_) lock_.emplace(folder_);
        if (isNew_ && !options_.force) refuseForeignResults(folder_);
        if (isNew_) removeCampaign(folder_);
        if (isNew_) writeFile(folder_ / kSpecificationFile, specification_.text);
        saveState(state_, folder_);
    }

    void announce(std::size_t left) const {
        const std::size_t done = state_.finished.size() + failedNow_.size();
        const double seconds = secondsFor(left, state_);
        complain(fmt::format("run {} of {}{}", done + 1, done + left,
                             seconds > 0.0 ? ", " + durationText(seconds) + " left" : ""));
    }

    /// Puts the outcome of a run into the state, and plans again when the machine refused events.
    void keep(const Run& run, const Outcome& outcome) {
        if (outcome.kind == Outcome::Kind::Interrupted) {
            complain("interrupted; the same command goes on with " + run.name);
            endLike({0, SIGINT});
        }
        if (outcome.kind == Outcome::Kind::Failed) {
            state_.failed.push_back({run, outcome.reason});
            if (outcome.refused.empty()) failedNow_.push_back(run.events);
            complain(run.name + ' ' + outcome.reason + "; its output is in " +
                     outputOf(folder_, run).string());
        } else {
            state_.finished.push_back({{run.name, outcome.counted}, outcome.seconds});
            if (options_.deleteTraces) deleteTrace(folder_, run);
        }
        for (const auto& [event, why] : outcome.refused) complain(event + " is refused: " + why);
        state_.refused.insert(outcome.refused.begin(), outcome.refused.end());
        if (!outcome.refused.empty()) makePlan();
        saveState(state_, folder_);
    }

    void submitText(const std::vector<Run>& runs) {
        const std::string text = readTemplate(folder_ / kTemplateFile);
        for (const Run& run : runs) {
            fs::remove_all(folder_ / run.name);
            fs::remove(statusOf(folder_, run));
            fs::remove(refusedOf(folder_, run));
            writeFile(scriptOf(folder_, run),
                      fillTemplate(text, folder_, run,
                                   recordCommand(launch::thisProgram(), folder_, run, state_.command)));
            print(scriptOf(folder_, run).string() + '\n');
            state_.scripted.push_back(run);
        }
        saveState(state_, folder_);
        if (!state_.scripted.empty())
            print("Submit the scripts that did not run yet; when they have ended:\n  " +
                  shellLine({"holos", "campaign", "--collect", folder_.string()}) + '\n');
    }

    /// The result of all that is there; exit code 1 when it is not all.
    void conclude() {
        writeCampaignResult(options_.app, folder_, state_, specification_);
        const std::size_t missing = remainingRuns(plan_.measurements, state_).size() + state_.scripted.size();
        if (missing == 0) return;
        complain(fmt::format("{} run{} missing; the result has what the others measured", missing,
                             missing == 1 ? " is" : "s are"));
        throw Exit{1};
    }

    const Options& options_;
    fs::path folder_;
    std::optional<CampaignLock> lock_;  ///< as soon as there is the folder
    bool isNew_ = true;
    State state_;
    specs::Specification specification_;
    Plan plan_;
    std::vector<Measurement> failedNow_;
};

void start(const Options& options) {
    if (!options.collect.empty()) {
        if (!options.command.empty()) throw UsageError("--collect: knows the command already");
        Campaign(options).collectScripts();
        return;
    }
    if (options.folder.empty()) throw UsageError::missing("--output");
    if (options.command.empty()) throw UsageError::missing("command");
    Campaign campaign(options);
    if (options.dryRun)
        campaign.dryRun();
    else if (!options.scriptTemplate.empty())
        campaign.writeScripts();
    else
        campaign.run();
}

void addPlanOptions(Command& command, Options& options) {
    command
        .option("--spec", options.specification,
                "Platform name or file (default: the file for this processor, or linux-software)")
        .placeholder("SPEC");
    const Option want =
        command
            .option("--want", options.request.wanted,
                    "Metrics or events to measure; NAME/ is NAME and everything below it (default: all)")
            .separatedBy(',')
            .placeholder("A,B");
    command
        .option("--sets", options.request.sets,
                "Record these measurement sets as the specification has them, instead of planning the fewest "
                "runs")
        .separatedBy(',')
        .placeholder("A,B")
        .excludes(want);
    command
        .option("--registers", options.request.registers,
                "Plan for N hardware counters, instead of the specification's number")
        .between(1, 64)
        .placeholder("N");
    command.option("--repeat", options.request.repetitions, "How often to repeat each measurement")
        .between(1, 1000)
        .placeholder("N");
}

}  // namespace

void addCampaign(Command& app) {
    Command command =
        app.command("campaign", "Measure all counters of a specification, in as many runs as that takes");
    const auto options = std::make_shared<Options>(command);
    addPlanOptions(command, *options);
    const Option output =
        command.option("-o,--output", options->folder, "Folder of the campaign").placeholder("DIR");
    command.flag("--dry-run", options->dryRun, "Print the plan and the commands, and do nothing");
    command.flag("--force", options->force,
                 "Replace the campaign that the folder has, instead of going on with it");
    command.flag("--delete-traces", options->deleteTraces, "Delete each run's trace once it is analyzed");
    command
        .option("--template", options->scriptTemplate,
                "Write one batch script per run from this template, instead of running")
        .placeholder("FILE");
    command.option("--collect", options->collect, "Analyze and merge what the scripts recorded")
        .placeholder("DIR")
        .excludes(output);
    command.option("command", options->command, "The program and its arguments, behind --");
    command.endWithArguments();
    command.footer(
        "Result: DIR/campaign.cubex, and DIR/deviation.cubex with the variation from run to run. An\n"
        "interrupted campaign goes on where it stopped when the same command is given again.\n"
        "Examples:\n"
        "  holos campaign -o study -- mpirun -n 4 ./solver\n"
        "  holos campaign --spec linux-software --want PAGE_FAULTS/ --repeat 3 -o study -- ./solver\n"
        "  holos campaign --template slurm.sh -o study -- srun ./solver\n"
        "  holos campaign --collect study");
    command.action([options] {
        if (!options->collect.empty()) options->folder = options->collect;
        start(*options);
    });
}

}  // namespace holos::cli
