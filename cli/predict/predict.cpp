// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>

#include "algebra/files/experiment_file.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/provenance.h"
#include "analyzer/predict/conditions.h"
#include "analyzer/predictor.h"
#include "analyzer/recorded_facts.h"
#include "base/error.h"
#include "base/json.h"
#include "base/output_file.h"
#include "base/temporary_folder.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/format.h"
#include "cli/predict/predict_formats.h"
#include "cli/terminal/progress_bar.h"
#include "cli/terminal/terminal.h"
#include "cli/tested_result.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::cli {

namespace fs = std::filesystem;
using analyzer::predict::Condition;

namespace {

struct PredictCommand {
    fs::path trace;
    std::vector<std::string> conditions;
    bool each = false;
    fs::path output;
    fs::path predictedTrace;
    AtMost top = 20;
    unsigned threads = 0;
    TextOrJson format = TextOrJson::Text;
    bool progress = false;
};

/// Throws `UsageError` for what is no condition. Whether the run has its call path is not looked at.
std::vector<Condition> conditionsOf(const PredictCommand& options) {
    std::vector<Condition> conditions;
    for (const std::string& text : options.conditions) try {
            conditions.push_back(analyzer::predict::parseCondition(text));
        } catch (const Error& wrong) {
            throw UsageError("--if: " + wrong.message());
        }
    return conditions;
}

fs::path folderOf(const fs::path& trace) {
    std::error_code ignored;
    return fs::is_directory(trace, ignored) ? trace : trace.parent_path();
}

/// Conditions that change nothing when they are alone.
std::vector<std::string> withoutEffect(const analyzer::Predictor& predictor,
                                       const std::vector<Condition>& conditions) {
    std::vector<std::string> idle;
    for (const Condition& condition : conditions)
        if (!predictor.predict({&condition, 1}).changesAnything()) idle.push_back(condition.text);
    return idle;
}

/// The recorded metrics that the predicted run does not have: counters that were read from time to time.
std::string leftOutOf(const algebra::Experiment& recorded, const algebra::Experiment& predicted) {
    std::vector<std::string> names;
    for (const algebra::MetricId id : recorded.metrics.ids())
        if (!predicted.findMetric(recorded.metrics[id].uniqueName))
            names.push_back(recorded.metrics[id].displayName);
    return fmt::format("{}", fmt::join(names, ", "));
}

void writePredicted(const PredictCommand& options, const analyzer::Predictor& predictor,
                    const analyzer::Prediction& prediction, const analyzer::AnalysisOptions& analysis) {
    algebra::Experiment experiment = predictor.analyze(prediction, analysis).experiment;
    if (const std::string names = leftOutOf(predictor.recorded(), experiment); !names.empty())
        complain(options.output.string() + ": is without " + names +
                 ": what would be counted for a whole process or node is not known");
    analyzer::addRecordedFacts(experiment, folderOf(options.trace));
    experiment = algebra::applySpecification(std::move(experiment), "auto");
    algebra::Provenance provenance{"predict", HOLOS_VERSION, {}, {{options.trace.string(), {}}}};
    for (const std::string& condition : options.conditions) provenance.options.emplace_back("if", condition);
    algebra::setProvenance(experiment, provenance);
    writeTested(experiment, options.output);
}

void requireNewFolder(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) return;
    if (!fs::is_directory(folder, error) || !fs::is_empty(folder, error))
        throw Error("is there already, and is not an empty folder: name another one for the predicted trace",
                    {.file = folder.string()});
}

/// What the recorder said of the run holds for the predicted one, but for its times.
void describeRun(const PredictCommand& options, const fs::path& folder) {
    const fs::path recorded = folderOf(options.trace) / measurement::kMeasurementFile;
    std::error_code ignored;
    if (!fs::exists(recorded, ignored)) return;
    writeFile(folder / recorded.filename(), measurement::predictedText(recorded, options.conditions));
}

/// A folder like that of a recording, with `measurement.json` where the recorded one has it. It appears under
/// its name only when it is complete.
void writeTrace(const PredictCommand& options, const analyzer::Predictor& predictor,
                const analyzer::Prediction& prediction, analyzer::AnalysisOptions analysis) {
    analysis.progress = progressBar("writing", options.progress);
    requireNewFolder(options.predictedTrace);
    const fs::path target = fs::absolute(options.predictedTrace / "").parent_path();
    const TemporaryFolder beside(target.parent_path());
    const fs::path made = beside.path() / "predicted";
    std::error_code error;
    fs::create_directory(made, error);
    if (error) throw Error("no folder can be made there: " + error.message(), {.file = made.string()});
    const std::uint64_t leftOut = predictor.writeTrace(prediction, made, analysis);
    describeRun(options, made);
    fs::rename(made, target, error);
    if (error) throw Error("cannot be made: " + error.message(), {.file = target.string()});
    if (leftOut != 0)
        complain(counted(leftOut, "event") +
                 " of kinds that this version of OTF2 does not know were left out");
}

void requireTrace(const PredictCommand& options) {
    if (archive::hasOnlyProfile(options.trace))
        throw Error("this run was added up while it ran, and has no trace: record it without --profile",
                    {.file = options.trace.string()});
    if (options.conditions.empty() && !options.each)
        throw UsageError("say what would be different with --if, or try everything with --each");
    if (options.conditions.empty() && !options.output.empty())
        throw UsageError("-o: needs a condition, --if");
    if (options.conditions.empty() && !options.predictedTrace.empty())
        throw UsageError("--trace: needs a condition, --if");
    if (!options.predictedTrace.empty()) requireNewFolder(options.predictedTrace);
}

void runPredict(const PredictCommand& options) {
    requireTrace(options);
    if (const std::string others = archive::whereFurtherJobsAre(options.trace); !others.empty())
        complain(others);
    const std::vector<Condition> conditions = conditionsOf(options);
    analyzer::AnalysisOptions analysis;
    analysis.threads = options.threads;
    analysis.progress = progressBar("reading", options.progress);
    const analyzer::Predictor predictor(options.trace, analysis);
    PredictReport report{predictor.facts(), options.conditions, {}, {}, limitNotes(predictor.recorded()), {},
                         options.top};
    for (const analyzer::Diagnosis& diagnosis : predictor.diagnoses())
        complain(analyzer::diagnosisText(diagnosis));
    if (!conditions.empty()) {
        const bool isOne = conditions.size() == 1;
        if (!isOne) report.idle = withoutEffect(predictor, conditions);
        const analyzer::Prediction prediction = predictor.predict(conditions);
        report.time = analyzer::predictedTime(predictor, conditions);
        if (isOne && !prediction.changesAnything()) report.idle = {conditions.front().text};
        if (!options.output.empty()) writePredicted(options, predictor, prediction, analysis);
        if (!options.predictedTrace.empty()) writeTrace(options, predictor, prediction, analysis);
    }
    if (options.each) {
        const analyzer::AnalysisResult analyzed = analyzer::analyze(options.trace, analysis);
        report.trials = trials::tryEach(
            predictor, analyzed.experiment,
            {.threads = options.threads, .progress = progressBar("trying", options.progress)});
    }
    switch (options.format) {
        case TextOrJson::Text:
            return print(predictText(report, styleOfOutput()));
        case TextOrJson::Json:
            return print(predictJson(report));
    }
}

}  // namespace

void addPredict(Command& app) {
    const auto options = std::make_shared<PredictCommand>();
    Command command =
        app.command("predict", "Say how long a recorded run would take if things were different");
    command.option("trace", options->trace, "Folder of a recording or of an OTF2 archive, or its .otf2 file")
        .required();
    command.option("--if CONDITION", options->conditions,
                   "What would be different; may be repeated, and then all conditions hold together");
    command.flag("--each", options->each,
                 "Try each problem of the summary and each call path by itself, and list how much time each "
                 "change would save");
    command
        .option("-o,--output FILE", options->output,
                "Write the experiment of the predicted run, to compare it with that of the recorded one")
        .onlyOnCommandLine();
    command
        .option(
            "--trace DIR", options->predictedTrace,
            "Write the trace of the predicted run into this folder, to see its timeline beside that of the "
            "recorded one")
        .onlyOnCommandLine();
    command.option("--top N", options->top, "How many changes of --each to list (0: all)").showDefault();
    command.option("-j,--threads", options->threads,
                   "Number of threads of the analysis (default: one per processor)");
    addFormat(command, options->format);
    command.flag("--progress", options->progress, "Show progress even where there is no terminal");
    command.footer(
        "Conditions:\n"
        "  balance CALLPATH       all who execute it take the mean of their times there\n"
        "  speedup CALLPATH=2     its computation is twice as fast\n"
        "  remove CALLPATH        it is not executed: neither computation nor communication\n"
        "  cpu ratio NODE=0.8     a node, or a process, computes at this fraction of its recorded speed\n"
        "  threads balanced       the threads of each team take the mean of their times\n"
        "  locks free             nobody waits for a lock\n"
        "  network=ideal          communication takes no time, only waiting for others does\n"
        "  latency=2us            messages and collective operations have this latency\n"
        "  bandwidth=10G          and this bandwidth, in bytes per second; infinite: no limit\n"
        "  eager=64K              larger messages wait for their receiver\n"
        "CALLPATH is a function, the end of a call path such as solve/step, or a whole one.\n"
        "Examples:\n"
        "  holos predict measurement --if 'balance solve'\n"
        "  holos predict measurement --if network=ideal --if 'speedup solve=2' -o predicted.cubex\n"
        "  holos diff measurement/analysis.cubex predicted.cubex -o gain.cubex\n"
        "  holos predict measurement --if 'balance solve' --trace balanced\n"
        "  holos predict measurement --each");
    command.action([options] { runPredict(*options); });
}

}  // namespace holos::cli
