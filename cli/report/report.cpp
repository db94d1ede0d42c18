// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "algebra/files/experiment_file.h"
#include "base/output_file.h"
#include "base/text.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "report/formats.h"
#include "report/query/iterations.h"
#include "report/regression.h"
#include "report/sections.h"
#include "report/trend.h"

namespace holos::cli {

using namespace report;
namespace fs = std::filesystem;

namespace {

/// By the ending of the report's name.
enum class ReportFormat : unsigned char { Html, Markdown, Csv };
constexpr auto wordsOf(ReportFormat) {
    return std::array{std::pair{"html", ReportFormat::Html}, std::pair{"md", ReportFormat::Markdown},
                      std::pair{"csv", ReportFormat::Csv}};
}

struct Options {
    std::vector<fs::path> inputs;
    std::vector<std::string> names;
    fs::path output;
    std::size_t top = 10;
    std::size_t browsable = 500'000;
    bool fullNames = false;
    std::vector<std::string> callPaths;
    algebra::Roofs roofs;
    std::vector<fs::path> baseline;
    std::vector<std::string> conditions;
    fs::path junit;
    bool isTrend = false;
    bool hasIterations = false;
};

/// The shortest ends of the paths that tell the files apart, without `.cubex`.
std::vector<std::string> namesOf(const std::vector<fs::path>& files) {
    for (std::size_t parts = 1;; ++parts) {
        std::vector<std::string> names;
        bool longer = false;
        for (const fs::path& file : files) {
            // `run/` is the folder `run`.
            const fs::path whole = file.has_filename() ? file : file.parent_path();
            fs::path name = whole.stem();
            fs::path folder = fs::absolute(whole).lexically_normal().parent_path();
            for (std::size_t i = 1; i < parts && folder.has_filename(); ++i, folder = folder.parent_path())
                name = folder.filename() / name;
            longer = longer || folder.has_filename();
            names.push_back(name.string());
        }
        if (!longer || std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
    }
}

/// The baseline first.
std::vector<fs::path> filesOf(const Options& options) {
    std::vector<fs::path> files = options.baseline;
    files.insert(files.end(), options.inputs.begin(), options.inputs.end());
    return files;
}

Subjects readSubjects(const Options& options) {
    const std::vector<fs::path> files = filesOf(options);
    std::vector<std::string> names = namesOf(files);
    if (!options.names.empty()) {
        if (options.names.size() != names.size())
            throw UsageError(
                fmt::format("--names: expected {}, one for each experiment", counted(names.size(), "name")));
        names = options.names;
    }
    std::vector<Subject> subjects;
    for (std::size_t at = 0; at < names.size(); ++at)
        subjects.push_back({names[at], algebra::readExperiment(files[at])});
    return Subjects(std::move(subjects));
}

/// One version after the other.
std::string trendIn(ReportFormat format, const Subjects& subjects) {
    const std::vector<TrendStep> steps = trendOf(subjects);
    return inFormat(
        format, [&] { return trendPage(steps); }, [&] { return trendMarkdown(steps); },
        [&] { return trendCsv(steps); });
}

std::vector<query::IterationTimes> readIterations(const Options& options) {
    std::vector<query::IterationTimes> times;
    for (const fs::path& file : filesOf(options)) {
        query::Run run(file, {});
        times.push_back(query::readIterationTimes(run));
    }
    return times;
}

std::string reportIn(ReportFormat format, const Options& options, const Subjects& subjects) {
    Comparison comparison =
        compare(subjects, {options.top, options.callPaths, options.roofs, options.baseline.size()});
    if (options.hasIterations)
        comparison.sections.push_back(iterationsOf(readIterations(options), options.top));
    const auto asPage = [&] {
        return htmlPage(comparison, options.browsable == 0 ? "" : browsableData(subjects, options.browsable));
    };
    return inFormat(
        format, asPage, [&] { return markdownText(comparison); }, [&] { return csvText(comparison); });
}

void writeReport(const Options& options) {
    const auto format = choiceByEnding<ReportFormat>(options.output);
    Subjects subjects = readSubjects(options);
    const bool isForPeople = format != ReportFormat::Csv;
    if (isForPeople && !options.fullNames) subjects.shortenNames();
    writeFile(options.output,
              options.isTrend ? trendIn(format, subjects) : reportIn(format, options, subjects));
    print(printable(options.output.string()) + '\n');
}

std::vector<Condition> conditionsOf(const Options& options) {
    std::vector<Condition> conditions;
    for (const std::string& text : options.conditions) {
        const auto condition = parseCondition(text);
        if (!condition)
            throw UsageError(
                "--fail-if: expected METRIC > NUMBER, with x for times the baseline's value or % of the "
                "time, or slower > NUMBER%, not '" +
                text + "'");
        if (condition->needsBaseline() && options.baseline.empty())
            throw UsageError("--fail-if: '" + text + "' needs --baseline");
        conditions.push_back(*condition);
    }
    return conditions;
}

/// Throws `UsageError` for what cannot be judged: scripts must not take it for a check that failed.
Verdict verdictOn(const Condition& condition, const std::vector<Judged>& baseline, const Judged& now) {
    try {
        return judge(condition, baseline, now);
    } catch (const Error& error) {
        throw UsageError("--fail-if: '" + condition.text + "' cannot be judged: " + error.what());
    }
}

/// Of each condition for each experiment.
std::vector<Checked> judgeAll(const Options& options) {
    const std::vector<Condition> conditions = conditionsOf(options);
    if (conditions.empty()) return {};
    const std::vector<algebra::Experiment> before = algebra::readExperiments(options.baseline);
    std::vector<Judged> baseline;
    for (std::size_t at = 0; at < before.size(); ++at)
        baseline.push_back({options.baseline[at].string(), before[at]});
    std::vector<Checked> checks;
    for (const fs::path& file : options.inputs) {
        const algebra::Experiment experiment = algebra::readExperiment(file);
        for (const Condition& each : conditions)
            checks.push_back(
                {file.string(), each.text, verdictOn(each, baseline, {file.string(), experiment})});
    }
    return checks;
}

/// Exit code 1 when a condition holds for any of the experiments.
void tellVerdicts(const std::vector<Checked>& checks, const fs::path& junit) {
    for (const Checked& each : checks)
        print(fmt::format("{}: {}: {}\n", each.verdict.fails ? "FAIL" : "ok", printable(each.experiment),
                          printable(each.verdict.text)));
    if (!junit.empty()) writeFile(junit, junitText(checks));
    if (std::ranges::any_of(checks, [](const Checked& each) { return each.verdict.fails; })) throw Exit{1};
}

void runReport(const Options& options) {
    if (options.conditions.empty() && options.output.empty() && !options.baseline.empty())
        throw UsageError("--baseline needs --fail-if, or a report (--output) that begins with what changed");
    if (options.conditions.empty() && !options.junit.empty()) throw UsageError("--junit needs --fail-if");
    if (options.output.empty() && options.conditions.empty()) throw UsageError::missing("--output");
    if (options.isTrend && !options.baseline.empty())
        throw UsageError("--trend takes all versions in their order, without --baseline");
    if (options.isTrend && options.output.empty()) throw UsageError::missing("--output");
    const std::vector<Checked> checks = judgeAll(options);
    if (!options.output.empty()) writeReport(options);
    tellVerdicts(checks, options.junit);
}

}  // namespace

void addReport(Command& app) {
    const auto options = std::make_shared<Options>();
    Command command =
        app.command("report", "Compare experiments on one page, or check them against a baseline");
    command
        .option("inputs", options->inputs,
                "Experiments (.cubex), or their folders: platforms, versions, sizes")
        .required();
    command.option("-o,--output FILE", options->output, "The report: .html, .md or .csv").onlyOnCommandLine();
    command.option("--names", options->names, "What to call the experiments (default: their files)")
        .separatedBy(',');
    command.option("--top N", options->top, "How many call paths to list").between(1, 1000).showDefault();
    command
        .option("--call-paths A,B", options->callPaths,
                "Also say what is spent and counted in these functions or call paths, with all below them")
        .separatedBy(',');
    command
        .option("--peak-flops RATE", options->roofs.operations,
                "Floating-point operations per second that a node can do, for the roofline plot")
        .between(1.0, 1e30);
    command
        .option("--peak-bandwidth RATE", options->roofs.bandwidth,
                "Bytes per second that the memory of a node can deliver, for the roofline plot")
        .between(1.0, 1e30);
    command.option(
        "--browsable", options->browsable,
        "How many values other than zero of an experiment the page may have for readers to browse; of larger "
        "experiments it has sums over threads (0: nothing to browse)");
    command.flag("--full-names", options->fullNames,
                 "Names of functions with all parameters and template arguments (.csv always has them)");
    command.flag(
        "--iterations", options->hasIterations,
        "Also say which iterations differ, and because of what, from the traces beside the experiments: "
        "between the first run and the last, or within one");
    command.flag(
        "--trend", options->isTrend,
        "Compare versions in the order in which they are given: the time of each, what changed and why; runs "
        "with the same name in --names are repeats of one version");
    command.option("--baseline FILE", options->baseline,
                   "Experiment of the version before, for --fail-if and for what changed; may be given "
                   "several times, for repeated runs");
    command.option("--fail-if", options->conditions,
                   "End with exit code 1 if METRIC > NUMBER, or METRIC < NUMBER; NUMBERx is NUMBER times the "
                   "baseline's value, NUMBER% a part of the time; also slower > NUMBER%, waiting > NUMBER%; "
                   "may be repeated. Exit code 2 if one cannot be judged, such as for a misspelt METRIC");
    command
        .option("--junit FILE", options->junit,
                "Write what --fail-if found in the format of JUnit, for continuous integration")
        .onlyOnCommandLine();
    command.footer(
        "The page needs no network and no other file.\n"
        "Examples:\n"
        "  holos report regatta.cubex xd1.cubex sf25k.cubex -o platforms.html\n"
        "  holos report even/campaign.cubex uneven/campaign.cubex --call-paths init,runhyd -o ppm.html\n"
        "  holos report --baseline before.cubex after.cubex --fail-if 'slower > 5%' --fail-if 'mpi > 1.2x'\n"
        "  holos report --baseline a1 --baseline a2 b1 b2 -o change.html   # repeated runs of two versions\n"
        "  holos report --trend v1 v2 v3 -o trend.html\n"
        "  holos report --trend a1 a2 b1 b2 --names v1,v1,v2,v2 -o trend.html   # repeated runs\n"
        "  holos report run --fail-if 'waiting > 10%' --junit waiting.xml");
    command.action([options] { runReport(*options); });
}

}  // namespace holos::cli
