// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <set>

#include "algebra/files/experiment_file.h"
#include "base/output_file.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/terminal/terminal.h"
#include "report/formats.h"
#include "report/regression.h"

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
    fs::path baseline;
    std::vector<std::string> conditions;
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

Subjects readSubjects(const Options& options) {
    std::vector<std::string> names = namesOf(options.inputs);
    if (!options.names.empty()) {
        if (options.names.size() != names.size())
            throw UsageError(fmt::format("--names: expects {} names", names.size()));
        names = options.names;
    }
    std::vector<Subject> subjects;
    for (std::size_t at = 0; at < names.size(); ++at)
        subjects.push_back({names[at], algebra::readExperiment(options.inputs[at])});
    return Subjects(std::move(subjects));
}

std::string reportIn(ReportFormat format, const Options& options, const Subjects& subjects) {
    const Comparison comparison = compare(subjects, {options.top, options.callPaths, options.roofs});
    switch (format) {
        case ReportFormat::Html:
            return htmlPage(comparison,
                            options.browsable == 0 ? "" : browsableData(subjects, options.browsable));
        case ReportFormat::Markdown:
            return markdownText(comparison);
        case ReportFormat::Csv:
            return csvText(comparison);
    }
    return {};
}

void writeReport(const Options& options) {
    const auto format = choiceByEnding<ReportFormat>(options.output);
    Subjects subjects = readSubjects(options);
    const bool isForPeople = format != ReportFormat::Csv;
    if (isForPeople && !options.fullNames) subjects.shortenNames();
    writeFile(options.output, reportIn(format, options, subjects));
    print(printable(options.output.string()) + '\n');
}

/// Exit code 1 when a condition holds for any of the experiments.
void checkRegressions(const Options& options) {
    std::vector<Condition> conditions;
    for (const std::string& text : options.conditions) {
        const auto condition = parseCondition(text);
        if (!condition)
            throw UsageError("--fail-if: '" + text +
                             "': expects METRIC > NUMBER, with x for times the baseline's value");
        conditions.push_back(*condition);
    }
    const algebra::Experiment baseline = algebra::readExperiment(options.baseline);
    bool fails = false;
    for (const fs::path& file : options.inputs) {
        const algebra::Experiment experiment = algebra::readExperiment(file);
        for (const Condition& each : conditions) {
            const Verdict verdict =
                judge(each, {options.baseline.string(), baseline}, {file.string(), experiment});
            print(fmt::format("{}: {}: {}\n", verdict.fails ? "FAIL" : "ok", printable(file.string()),
                              printable(verdict.text)));
            fails = fails || verdict.fails;
        }
    }
    if (fails) throw Exit{1};
}

void run(const Options& options) {
    if (options.conditions.empty() != options.baseline.empty())
        throw UsageError(options.baseline.empty() ? "--fail-if needs --baseline"
                                                  : "--baseline needs --fail-if");
    if (options.output.empty() && options.baseline.empty()) throw UsageError::missing("--output");
    if (!options.output.empty()) writeReport(options);
    if (!options.baseline.empty()) checkRegressions(options);
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
        "How many values that are not zero of each experiment readers can browse on the page; of larger "
        "ones it has sums of threads (0: nothing to browse)");
    command.flag("--full-names", options->fullNames,
                 "Names of functions with all parameters and template arguments (.csv always has them)");
    command.option("--baseline FILE", options->baseline, "Experiment whose values --fail-if compares with");
    command.option("--fail-if", options->conditions,
                   "End with exit code 1 if METRIC > NUMBER, or METRIC < NUMBER; NUMBERx is NUMBER times the "
                   "baseline's value; may be repeated");
    command.footer(
        "The page needs no network and no other file.\n"
        "Examples:\n"
        "  holos report regatta.cubex xd1.cubex sf25k.cubex -o platforms.html\n"
        "  holos report even/campaign.cubex uneven/campaign.cubex --call-paths init,runhyd -o ppm.html\n"
        "  holos report --baseline before.cubex after.cubex --fail-if 'time > 1.05x' --fail-if 'mpi > 1.2x'");
    command.action([options] { run(*options); });
}

}  // namespace holos::cli
