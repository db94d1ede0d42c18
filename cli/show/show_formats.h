// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "algebra/model/experiment.h"
#include "base/chosen.h"
#include "cli/choice.h"
#include "cli/terminal/terminal.h"
#include "report/tables/summary.h"

namespace holos::cli {

enum class ShownTree : unsigned char { Calls, System };
constexpr auto wordsOf(ShownTree) {
    return std::array{std::pair{"calls", ShownTree::Calls}, std::pair{"system", ShownTree::System}};
}

struct ShowRequest {
    std::string file;
    Format format = Format::Text;
    std::optional<algebra::MetricId> metric;  ///< nothing: the whole experiment
    AtMost top = 10;                          ///< call paths and wait states
    bool zeros = false;                       ///< what has the value zero, too
    tables::Per per = tables::Per::Threads;   ///< what has one value: each thread, process or node
    ShownTree tree = ShownTree::Calls;        ///< of `metric`
    AtMost depth = kAll;                      ///< levels of the tree
    std::optional<double> hide;               ///< percent of the tree's largest value; nothing: as usual
    bool summary = true;                      ///< of the whole experiment, in front of its values
    bool fullNames = false;                   ///< of functions, in text as well
    std::size_t problem = 0;                  ///< of the summary, counted from 1
    std::string function;                     ///< whose machine code is wanted
};

/// A view of the experiment in the format that is asked for. `style`: of text. Throws `holos::Error` where
/// the experiment has nothing to show there.
using ShowView = std::string(const algebra::Experiment& experiment, const ShowRequest& request,
                             const Style& style);

/// The whole experiment (metric trees, largest wait states) or one metric (call paths, parts of the system).
ShowView showValues;
std::string valuesText(const algebra::Experiment& experiment, const ShowRequest& request, const Style& style);
std::string valuesCsv(const algebra::Experiment& experiment, const ShowRequest& request);
std::string valuesJson(const algebra::Experiment& experiment, const ShowRequest& request);

/// The call tree or system tree of one metric.
ShowView showTree;

/// Some lines with a word in front, such as `where`; nothing for an empty text.
std::string labelledText(const char* label, const std::string& text, const Style& style);

/// What a difference is in plain words, as text that ends with an empty line. Empty for other experiments.
std::string changeText(const algebra::Experiment& experiment, const Style& style);
/// The run in plain words, as text that ends with an empty line. Empty where there is nothing to say of the
/// experiment.
std::string summaryText(const algebra::Experiment& experiment, const std::string& file, const Style& style);
/// A run's summary for scripts; null where there is nothing to say.
nlohmann::ordered_json summaryObject(const algebra::Experiment& experiment);
/// The summary for people: `first` has what must be known first, and how a difference came about; of a
/// difference there is nothing else. Null where there is nothing to say.
nlohmann::ordered_json wordsObject(const algebra::Experiment& experiment);

/// A problem of the summary, with the values that it rests on; there is no table of it.
ShowView showProblem;

/// The findings of the experiment's specification.
ShowView showFindings;

/// How well processors are used: the program, and the `request.top` call paths that take most time.
ShowView showEfficiencies;

/// Who sent what to whom, as the analysis of a trace left it in the experiment: the `request.top` pairs with
/// most bytes.
ShowView showCommunication;

/// The longest waits of each pattern, as the analysis of a trace left them in the experiment, at most
/// `request.top` of each, those of `request.metric` and its children alone where there is one. Shortens the
/// names of functions itself.
ShowView showInstances;

/// The source lines where most of the metric is spent. Throws `holos::Error` as well where sums over lines
/// mean nothing.
ShowView showSourceLines;

/// The machine code of `request.function` with the samples that were taken at its instructions. Throws
/// `holos::Error` where no trace with samples lies beside the experiment, or none of them is in the function.
ShowView showInstructions;

/// What a metric is and its value, in one or several lines of text.
std::string metricHeading(const algebra::Experiment& experiment, const tables::MetricLine& line,
                          const Style& style);

}  // namespace holos::cli
