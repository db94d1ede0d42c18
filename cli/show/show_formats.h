// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "algebra/model/experiment.h"
#include "base/at_most.h"
#include "cli/terminal/terminal.h"
#include "report/tables/summary.h"

namespace holos::cli {

enum class ShownTree : unsigned char { None, Calls, System };

struct ShowRequest {
    std::string file;
    std::string format = "text";
    std::optional<algebra::MetricId> metric;  ///< nothing: the whole experiment
    AtMost top = 10;                          ///< call paths and wait states
    bool zeros = false;                       ///< what has the value zero, too
    tables::Per per = tables::Per::Threads;   ///< what has one value: each thread, process or node
    ShownTree tree = ShownTree::None;         ///< of `metric`
    AtMost depth = kAll;                      ///< levels of the tree
    double hide = 0.0;                        ///< percent of the tree's largest value
    bool summary = true;                      ///< of the whole experiment, in front of its values
    bool fullNames = false;                   ///< of functions, in text as well
};

/// The whole experiment (metric trees, largest wait states) or one metric (call paths, parts of the system)
/// in each format.
std::string showText(const algebra::Experiment& experiment, const ShowRequest& request, const Style& style);
std::string showCsv(const algebra::Experiment& experiment, const ShowRequest& request);
std::string showJson(const algebra::Experiment& experiment, const ShowRequest& request);

/// The call tree or system tree of one metric in the format that is asked for.
std::string showTree(const algebra::Experiment& experiment, const ShowRequest& request, const Style& style);

/// The findings of the experiment's specification in the format that is asked for. Throws `holos::Error` when
/// it has none.
std::string showFindings(const algebra::Experiment& experiment, const ShowRequest& request,
                         const Style& style);

/// What a metric is and its value, in one or several lines of text.
std::string metricHeading(const algebra::Experiment& experiment, const tables::MetricLine& line,
                          const Style& style);

/// Who sent what to whom, as the analysis of a trace left it in the experiment: the `request.top` pairs with
/// most bytes, in the format of the request. Throws `holos::Error` when the experiment does not know.
std::string showCommunication(const algebra::Experiment& experiment, const ShowRequest& request);

/// The longest waits of each pattern, as the analysis of a trace left them in the experiment, at most
/// `request.top` of each, those of `request.metric` and its children alone where there is one, in the format
/// of the request. Throws `holos::Error` when there are none.
std::string showInstances(const algebra::Experiment& experiment, const ShowRequest& request);

/// The source lines where most of the metric is spent, in the format that is asked for. Throws `holos::Error`
/// when no line is known of anything that has a value, or sums over lines mean nothing.
std::string showSourceLines(const algebra::Experiment& experiment, const ShowRequest& request,
                            const Style& style);

}  // namespace holos::cli
