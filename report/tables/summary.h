// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/model/call_names.h"
#include "algebra/model/queries.h"
#include "base/chosen.h"

namespace holos::tables {

/// What of the system has one value: every thread, or all threads of a process or node together.
enum class Per : unsigned char { Threads, Processes, Nodes };

struct SystemPart {
    algebra::SystemNodeId node;
    std::optional<algebra::ProcessId> process;    ///< none for a node
    std::optional<algebra::LocationId> location;  ///< none for a node or a process
};

/// All parts in the order of the system. Nodes are those that have processes of their own.
std::vector<SystemPart> partsOf(const algebra::SystemTree& system, Per per);

/// The locations of each part.
algebra::LocationGroups groupsOf(const algebra::SystemTree& system, const std::vector<SystemPart>& parts);

/// Which parts are compared with each other by these values of theirs (`algebra/model/statistics.h`).
std::vector<bool> comparedParts(const algebra::SystemTree& system, Per per,
                                const std::vector<double>& values);

/// `4 locations`, `4 locations, 2 of them threads`
std::string locationCounts(const algebra::SystemTree& system);

/// `node 1`, `MPI Rank 1`, `MPI Rank 1 / Master thread`
std::string partText(const algebra::Experiment& experiment, const SystemPart& part);

/// `location`, `processes`, …: so many of them.
const char* nounOf(Per per, std::size_t number);

/// What `holos show` says about an experiment, before it is put into a format. Values of NaN are undefined.
struct MetricLine {
    algebra::MetricId metric;
    double value = 0.0;             ///< of the whole experiment, with the metrics below
    std::optional<double> percent;  ///< of the root of its tree, where that means something
    std::optional<std::string> whyNotEvaluated;
    double whole = 0.0;  ///< what shares of the metric itself are of: its value, or that in the first of a
                         ///< difference; NaN for none
};

struct CallPathLine {
    algebra::CallPathId path;
    double exclusive = 0.0;
    double inclusive = 0.0;
};

struct PartLine {
    SystemPart part;
    double value = 0.0;
};

struct WaitStateLine {
    MetricLine metric;
    std::string_view meaning;             ///< who waits for whom
    std::vector<CallPathLine> callPaths;  ///< the hottest
    std::vector<PartLine> parts;          ///< all, the largest first
};

/// How much of the time was not recorded, in a sentence; nothing where all was.
std::optional<std::string> unrecordedText(const algebra::Experiment& experiment);

/// All metrics that are not hidden, parents before children.
std::vector<MetricLine> metricLines(const algebra::Experiment& experiment);
MetricLine metricLine(const algebra::Experiment& experiment, algebra::MetricId metric);

/// Call paths with the exclusive values of largest magnitude, at most `top`, none with zero.
std::vector<CallPathLine> hottestCallPaths(const algebra::Experiment& experiment, algebra::MetricId metric,
                                           AtMost top);

/// A value for each of `partsOf`.
std::vector<double> perPart(const algebra::Experiment& experiment, algebra::MetricId metric, Per per);

/// The values of a metric over the parts of the system.
struct PartValues {
    /// In the order of the system, without those that are not compared and have no value.
    std::vector<PartLine> lines;
    std::vector<double> compared;  ///< values that have a mean and a spread
};
PartValues partValues(const algebra::Experiment& experiment, algebra::MetricId metric, Per per);

/// The lines of `partValues`, the largest magnitude first.
std::vector<PartLine> largestParts(const algebra::Experiment& experiment, algebra::MetricId metric, Per per);

/// The wait states that took the most time, at most `top`, none with zero.
std::vector<WaitStateLine> largestWaitStates(const algebra::Experiment& experiment, AtMost top, Per per);

/// By unique name or displayed name, with or without the `~` of incomplete metrics. Throws `holos::Error`
/// naming similar metrics when there is none.
algebra::MetricId metricNamed(const algebra::Experiment& experiment, const std::string& name,
                              const std::string& file);

/// `MPI Rank 1 / Master thread`
std::string locationText(const algebra::Experiment& experiment, algebra::LocationId location);

/// The number as people want to read it: counts as whole numbers, seconds with six digits behind the point.
std::string valueText(double value, const std::string& unit);

}  // namespace holos::tables
