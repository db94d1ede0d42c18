// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/scaling/growing_paths.h"
#include "algebra/insight/scaling/scalability.h"
#include "base/chosen.h"
#include "cli/terminal/terminal.h"
#include "report/plot/curves.h"

namespace holos::cli {

/// What is predicted for other sizes.
struct ScalingModels {
    algebra::scaling::Point at;
    std::vector<algebra::scaling::Growing> metrics;  ///< of the whole program
    std::vector<algebra::scaling::Growing> paths;    ///< the largest prediction first
};

/// What `holos scaling` says.
struct ScalingReport {
    const algebra::scaling::Study& study;
    std::optional<algebra::scaling::ScalabilityTable> table;
    std::string withoutTable;  ///< why there are no efficiencies, as in experiments of other tools
    std::optional<ScalingModels> models;
    std::string withoutModels;  ///< why there are no models
    AtMost top = kAll;          ///< call paths to list
};

struct TextTable {
    std::vector<std::string> headings;
    std::vector<std::vector<std::string>> rows;
};
/// The sizes, with those columns that have something. Needs a table.
TextTable sizeTable(const ScalingReport& report);
/// Models, with the call path or metric last.
TextTable modelTable(const ScalingReport& report, const std::vector<algebra::scaling::Growing>& rows);
/// How many runs, and whether they solve one problem, where that is known; in sentences.
std::string studyWords(const ScalingReport& report);
/// What is predicted, in a sentence. Needs models.
std::string pointWords(const ScalingReport& report);

/// The call paths that will cost most, against the first parameter. Needs models.
plot::Curves scalingCurves(const ScalingReport& report);

std::string scalingText(const ScalingReport& report, const Style& style);
/// What `holos scaling` says of these experiments when nothing else is asked for. `sizes`: what their
/// commands were told, which counts where neither processes nor threads differ.
std::string usualScalingText(const std::vector<std::filesystem::path>& experiments,
                             const std::vector<double>& sizes);
/// A page that needs no other file.
std::string scalingPage(const ScalingReport& report);
/// The models, one in a line; with `sizes` the table of sizes, which is needed then.
std::string scalingCsv(const ScalingReport& report, bool sizes);
std::string scalingJson(const ScalingReport& report);

/// `time`, or `time main/solve`.
std::string growingName(const algebra::scaling::Growing& growing, const algebra::Experiment& program);

/// The models of call paths that are listed.
std::vector<algebra::scaling::Growing> listedPaths(const ScalingReport& report);

}  // namespace holos::cli
