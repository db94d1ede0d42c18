// SPDX-License-Identifier: BSD-3-Clause
#include "cli/scaling/scaling.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "algebra/files/experiment_file.h"
#include "analyzer/metric_guide.h"
#include "base/error.h"
#include "base/number.h"
#include "base/output_file.h"
#include "base/suggest.h"
#include "base/text.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/scaling/scaling_formats.h"

namespace holos::cli {

using namespace algebra::scaling;
namespace fs = std::filesystem;

double parameterValue(const std::string& option, const std::string& word) {
    const auto value = asNumber<double>(word);
    if (!value || !(*value >= 1))
        throw UsageError(option + ": expected a number that is at least 1, not '" + word + "'");
    return *value;
}

namespace {

struct NamedParameter {
    std::string name;
    std::vector<double> values;  ///< by input
};

/// `size=10,20,40`.
NamedParameter parameterOf(const std::string& text, std::size_t inputs) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos)
        throw UsageError("--parameter: expected NAME=VALUE,VALUE,…, not '" + text + "'");
    NamedParameter parameter{text.substr(0, equals), {}};
    for (std::size_t from = equals + 1; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        parameter.values.push_back(parameterValue("--parameter", text.substr(from, comma - from)));
        from = comma + 1;
    }
    if (parameter.values.size() != inputs)
        throw UsageError(fmt::format(
            "--parameter {}: expected one value for each experiment, in turn: it has {} for {}",
            parameter.name, counted(parameter.values.size(), "value"), counted(inputs, "experiment")));
    return parameter;
}

/// `--parameter x=1,2,4 y=8,9,9`: what follows without the option stands among the experiments.
bool isParameter(const fs::path& input) {
    const std::string text = input.string();
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size() || fs::exists(input))
        return false;
    return text.find_first_not_of("0123456789.,eE+-", equals + 1) == std::string::npos;
}

}  // namespace

void takeParametersFromInputs(StudyFiles& files) {
    if (files.parameters.empty()) return;
    for (const fs::path& input : files.inputs)
        if (isParameter(input)) files.parameters.push_back(input.string());
    std::erase_if(files.inputs, isParameter);
}

Study studyOf(const StudyFiles& files, Size size, const std::vector<double>& sizes) {
    StudyOptions how{.size = size, .parameters = {}};
    std::vector<SizedRun> runs;
    for (const fs::path& file : files.inputs) runs.push_back({file.string(), nullptr, {}});
    for (const std::string& text : files.parameters) {
        const NamedParameter parameter = parameterOf(text, runs.size());
        how.parameters.push_back(parameter.name);
        for (std::size_t run = 0; run < runs.size(); ++run)
            runs[run].parameters.push_back(parameter.values[run]);
    }
    for (std::size_t run = 0; run < runs.size(); ++run)
        runs[run].experiment =
            std::make_shared<const algebra::Experiment>(algebra::readExperiment(files.inputs[run]));
    if (!sizes.empty() && !differInSize(runs)) {
        how.parameters = {"size"};
        for (std::size_t run = 0; run < runs.size(); ++run) runs[run].parameters = {sizes[run]};
    }
    return {std::move(runs), how};
}

namespace {

/// What is written to a file, by the ending of its name.
enum class PictureFormat : unsigned char { Svg, Html };
constexpr auto wordsOf(PictureFormat) {
    return std::array{std::pair{"svg", PictureFormat::Svg}, std::pair{"html", PictureFormat::Html}};
}

struct ScalingCommand {
    StudyFiles files;
    std::vector<double> sizes;  ///< by input; what differs where processes and threads do not
    Size size = Size::Automatic;
    Scaling scaling = Scaling::Automatic;
    std::vector<std::string> at;
    std::vector<std::string> metrics;
    AtMost top = 20;
    Format format = Format::Text;
    bool onlySizes = false;
    bool plot = false;
    fs::path output;
};

/// What is asked for when nobody says it: how far from the largest run the prediction looks.
constexpr double kTimesTheLargest = 4;

/// Of an experiment without `--metric`: all that a run spends its time with.
constexpr const char* kUsualMetrics[] = {
    "time", "comp", "mpi", "omp_time", "pthread_time", "system_waiting", "omp_idle_threads"};

/// The point to predict: what was said; else the largest runs with more of the first parameter.
Point pointFor(const ScalingCommand& options, const Study& study) {
    Point at;
    for (const std::string& word : options.at) at.push_back(parameterValue("--at", word));
    const std::size_t parameters = study.parameters().size();
    if (!at.empty() && at.size() != parameters)
        throw UsageError(fmt::format("--at: expected {} for {}", parameters == 1 ? "a value" : "values",
                                     fmt::join(study.parameters(), " and ")));
    if (at.empty()) {
        at = study.groups().back().at;
        at.front() *= kTimesTheLargest;
    }
    return at;
}

/// Throws `UsageError` for a metric that one of the runs lacks.
void requireMetrics(const Study& study, const std::vector<std::string>& metrics) {
    for (const SizedRun& run : study.runs()) {
        std::vector<std::string> known;
        for (const algebra::MetricId id : run.experiment->metrics.ids())
            known.push_back(run.experiment->metrics[id].uniqueName);
        for (const std::string& name : metrics)
            if (!run.experiment->findMetric(name))
                throw UsageError("--metric: " + run.name + " has no metric '" + name + "'" +
                                 didYouMean(name, known));
    }
}

ScalingModels modelsOf(const ScalingCommand& options, const Study& study, const Point& at) {
    std::vector<std::string> metrics = options.metrics;
    if (metrics.empty()) metrics.assign(std::begin(kUsualMetrics), std::end(kUsualMetrics));
    ScalingModels models{at, growingMetrics(study, metrics, at), {}};
    models.paths = growingPaths(study, metrics.front(), at);
    return models;
}

std::string pictureOf(const ScalingReport& report, PictureFormat format) {
    const auto asCurves = [&] {
        if (!report.models) throw Error(report.withoutModels);
        return svgOf(scalingCurves(report));
    };
    return inFormat(format, asCurves, [&] { return scalingPage(report); });
}

void writePicture(const ScalingCommand& options, const ScalingReport& report) {
    writeFile(options.output, pictureOf(report, choiceByEnding<PictureFormat>(options.output)));
    print(printable(options.output.string()) + '\n');
}

/// Takes the report while the study is there.
template <class Use>
void withReport(const ScalingCommand& options, Use&& use) {
    const Study study = studyOf(options.files, options.size, options.sizes);
    requireMetrics(study, options.metrics);
    const Point at = pointFor(options, study);
    ScalingReport report{study, {}, {}, {}, {}, options.top};
    try {
        report.table = scalability(study, analyzer::metricGuide(), options.scaling);
    } catch (const Error& error) {
        if (options.onlySizes) throw;
        report.withoutTable = error.what();
    }
    try {
        report.models = modelsOf(options, study, at);
    } catch (const TooFewSizes& error) {
        if (!report.table || (options.format == Format::Csv && !options.onlySizes)) throw;
        report.withoutModels = error.what();
    }
    use(report);
}

std::string scalingIn(Format format, const ScalingReport& report, bool onlySizes) {
    return inFormat(
        format, [&] { return scalingText(report, styleOfOutput()); },
        [&] { return scalingCsv(report, onlySizes); }, [&] { return scalingJson(report); });
}

void runScaling(const ScalingCommand& options) {
    if (!options.output.empty()) choiceByEnding<PictureFormat>(options.output);
    if (options.plot && options.format != Format::Text)
        throw UsageError("--plot: is for the text; -o draws a picture");
    if (options.onlySizes && options.format != Format::Csv)
        throw UsageError("--sizes: is for --format csv; the other formats have the table anyway");
    withReport(options, [&](const ScalingReport& report) {
        if (!options.output.empty()) return writePicture(options, report);
        print(scalingIn(options.format, report, options.onlySizes));
        if (options.plot && report.models) print('\n' + curvesText(scalingCurves(report)));
    });
}

}  // namespace

std::string usualScalingText(const std::vector<fs::path>& experiments, const std::vector<double>& sizes) {
    ScalingCommand options;
    options.files.inputs = experiments;
    options.sizes = sizes;
    std::string text;
    withReport(options, [&](const ScalingReport& report) { text = scalingText(report, styleOfOutput()); });
    return text;
}

void addScaling(Command& app) {
    const auto options = std::make_shared<ScalingCommand>();
    Command command =
        app.command("scaling", "Show how efficiencies and metrics change with the size of runs");
    command
        .option("inputs", options->files.inputs,
                "Experiments (.cubex), or their folders, of runs of different sizes; several of one size are "
                "repetitions")
        .required();
    addChoice<Size>(command, "--by", options->size,
                    {{"processes", Size::Processes}, {"threads", Size::Threads}, {"none", Size::None}},
                    "What the size of a run is: its number of processes, of threads, or neither (default: "
                    "processes if their number differs, else threads)");
    addChoice<Scaling>(command, "--problem", options->scaling,
                       {{"same", Scaling::Strong}, {"grows", Scaling::Weak}},
                       "Whether all runs solve the same problem (strong scaling) or one that grows with the "
                       "threads (weak scaling); default: judged by the work that was done");
    command.option(
        "--parameter", options->files.parameters,
        "Another parameter of the runs, such as the problem size: NAME=VALUE,VALUE,… with one value per "
        "experiment; up to three parameters, the size of the run among them");
    command
        .option("--at NUMBER[,NUMBER]", options->at,
                "Predict for this size, and this value of each --parameter (default: four times the largest)")
        .separatedBy(',');
    command
        .option("--metric METRIC", options->metrics,
                "Metrics to predict by their unique names; call paths are listed for the first of them "
                "(default: time)")
        .separatedBy(',');
    command.option("--top N", options->top, "How many call paths to list (0: all)").showDefault();
    addFormat(command, options->format);
    command.flag("--plot", options->plot,
                 "Also draw, as text, the curves of the call paths that will cost most");
    command
        .option("-o,--output FILE", options->output,
                "A picture of these curves (.svg), or a page with it and the tables (.html), instead of text")
        .onlyOnCommandLine();
    command.flag("--sizes", options->onlySizes,
                 "With --format csv: print the table of sizes, not the models");
    command.footer(
        "Models need runs of at least 4 sizes; with repetitions (3 of each) they are much better.\n"
        "Examples:\n"
        "  holos scaling run-4 run-8 run-16 run-32 run-64 --at 1024\n"
        "  holos scaling p* -o scaling.html\n"
        "  holos scaling p*/analysis.cubex --metric bytes_sent,visits\n"
        "  holos scaling a b c d --by none --parameter cells=100,200,400,800 --at 3200");
    command.action([options] {
        takeParametersFromInputs(options->files);
        runScaling(*options);
    });
}

}  // namespace holos::cli
