// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "algebra/files/cubex.h"
#include "algebra/files/experiment_file.h"
#include "algebra/insight/summary/result_laws.h"
#include "algebra/model/check.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "report/tables/summary.h"

namespace holos::cli {

using namespace tables;

using namespace algebra;

namespace {

std::string lineOf(const Experiment& experiment, const Finding& finding) {
    std::string text = finding.kind == Finding::Kind::Problem ? "  problem: " : "  note: ";
    text += printable(finding.text);
    if (finding.path && finding.location)
        text += ", the first at " + printable(callPathText(experiment, *finding.path)) + " in " +
                printable(locationText(experiment, *finding.location));
    return text + '\n';
}

std::vector<Finding> containerFindings(const std::string& file) {
    std::vector<Finding> findings;
    if (formatOf(file) != FileFormat::Cubex) return findings;
    for (const std::string& problem : containerProblems(file))
        findings.push_back({Finding::Kind::Problem, problem, {}, {}});
    return findings;
}

/// True when the file is sound.
bool checkFile(const std::string& fileOrFolder, const Expectation& expectation) {
    try {
        const std::string file = experimentAt(fileOrFolder).string();
        const Experiment experiment = readExperiment(file);
        std::vector<Finding> findings = check(experiment, expectation);
        for (const BrokenResultLaw& law : brokenResultLaws(experiment))
            findings.push_back({Finding::Kind::Problem, law.text, {}, {}});
        for (Finding& finding : containerFindings(file)) findings.push_back(std::move(finding));
        const auto problems = std::ranges::count(findings, Finding::Kind::Problem, &Finding::kind);
        std::string text = printable(file) + ": ";
        if (problems == 0)
            text += fmt::format("sound ({}, {}, {})\n", counted(experiment.metrics.size(), "metric"),
                                counted(experiment.callTree.size(), "call path"),
                                tables::locationCounts(experiment.system));
        else
            text += counted(problems, "problem") + '\n';
        for (const Finding& finding : findings) text += lineOf(experiment, finding);
        print(text);
        return problems == 0;
    } catch (const Error& error) {
        print(printable(fileOrFolder) + ": cannot be read\n  problem: " + printable(error.what()) + '\n');
        return false;
    }
}

}  // namespace

void addCheck(Command& app) {
    struct Options {
        std::vector<std::string> files;
        Expectation expectation;
    };
    auto options = std::make_shared<Options>();
    Command command = app.command("check", "Verify that experiments are sound");
    command.option("files", options->files, "Experiments (.cubex, .cube), or their folders")
        .required()
        .ofFiles();
    command.flag("--signed", options->expectation.mayBeNegative,
                 "Accept negative values, which differences of experiments have");
    command.footer(
        "Exit code 1 when a file cannot be read, values are not finite, negative or do not add up, an "
        "expression cannot be\n"
        "evaluated, or the file holds values of no metric. Notes alone do not count as errors.\n"
        "Example: holos check run/analysis.cubex");
    command.action([options] {
        bool sound = true;
        for (const std::string& file : options->files) sound = checkFile(file, options->expectation) && sound;
        if (!sound) throw Exit{1};
    });
}

}  // namespace holos::cli
