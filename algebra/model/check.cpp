// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>

#include "algebra/cubepl/syntax.h"
#include "algebra/model/experiment_facts.h"
#include "algebra/model/queries.h"
#include "algebra/model/structure.h"
#include "base/error.h"
#include "base/text.h"

namespace holos::algebra {
namespace {

/// Times are sums of many doubles, in another order for each metric.
constexpr double kTolerance = 1e-9;
/// 2^53: beyond it, a double does not hold every whole number.
constexpr double kLargestExact = 9007199254740992.0;

std::string named(const Metric& metric) {
    return "metric \"" + metric.uniqueName + '"';
}

/// Counts places of one kind and remembers the first.
struct Places {
    std::size_t count = 0;
    CallPathId path;
    LocationId location;

    void add(CallPathId atPath, std::size_t atLocation) {
        if (count++ > 0) return;
        path = atPath;
        location = LocationId(atLocation);
    }
};

/// The values of a metric, or of several added up, read row by row as often as it takes.
class PassingRows {
  public:
    PassingRows(std::vector<RowsPtr> rows, const Experiment& experiment)
        : rows_(std::move(rows)),
          callPaths_(experiment.callTree.size()),
          row_(experiment.system.locations.size()),
          part_(row_.size()) {}

    /// Valid until the next call; empty where there are no values.
    std::span<const double> row(CallPathId path) const {
        if (rows_.size() == 1) return valuesAt(*rows_.front(), path, row_);
        std::ranges::fill(row_, 0.0);
        for (const RowsPtr& each : rows_) {
            const auto values = valuesAt(*each, path, part_);
            std::transform(values.begin(), values.end(), row_.begin(), row_.begin(), std::plus<>());
        }
        return std::ranges::all_of(row_, [](double sum) { return sum == 0.0; }) ? std::span<const double>()
                                                                                : row_;
    }

    template <class Action>
    void forEach(Action action) const {
        for (std::size_t at = 0; at < callPaths_; ++at) {
            const auto values = row(CallPathId(at));
            for (std::size_t location = 0; location < values.size(); ++location)
                action(CallPathId(at), location, values[location]);
        }
    }

  private:
    static std::span<const double> valuesAt(const Rows& rows, CallPathId path, std::vector<double>& scratch) {
        if (path.index() >= rows.callPaths() || !rows.hasRow(path)) return {};
        return rows.row(path, scratch);
    }

    std::vector<RowsPtr> rows_;
    std::size_t callPaths_;
    mutable std::vector<double> row_;
    mutable std::vector<double> part_;
};

class Checker {
  public:
    Checker(const Experiment& experiment, const Expectation& expectation)
        : experiment_(experiment),
          expectation_(expectation),
          initial_(initialise(experiment)),
          ofTasks_(pathsOfTasks(experiment)) {}

    std::vector<Finding> run() {
        checkNames();
        checkInitialisations();
        for (const MetricId id : experiment_.metrics.ids()) {
            const Metric& metric = experiment_.metrics[id];
            if (!metric.hasValues())
                checkExpression(id);
            else if (metric.valueType != ValueType::Compound)
                checkValues(id);
        }
        return std::move(findings_);
    }

  private:
    bool isVoid(MetricId id) const {
        return experiment_.metrics[id].isVoid || initial_.madeVoid.contains(id);
    }
    void problem(const std::string& text) { findings_.push_back({Finding::Kind::Problem, text, {}, {}}); }
    void note(const std::string& text) { findings_.push_back({Finding::Kind::Note, text, {}, {}}); }

    void report(Finding::Kind kind, const Metric& metric, const char* what, const Places& places) {
        if (places.count == 0) return;
        findings_.push_back({kind, named(metric) + ": " + counted(places.count, "value") + ' ' + what,
                             places.path, places.location});
    }

    void checkNames() {
        std::map<std::string, std::size_t> counts;
        for (const MetricId id : experiment_.metrics.ids()) ++counts[experiment_.metrics[id].uniqueName];
        for (const auto& [name, count] : counts) {
            if (name.empty())
                problem(std::to_string(count) + " metrics have no unique name");
            else if (count > 1)
                note("metric \"" + name + "\" is there " + std::to_string(count) +
                     " times; expressions mean the first");
        }
    }

    void checkInitialisations() {
        for (const auto& [id, why] : initial_.failures)
            problem(named(experiment_.metrics[id]) +
                    ": its initialisation cannot be evaluated, nor any expression with variables: " + why);
    }

    void checkExpression(MetricId id) {
        const Metric& metric = experiment_.metrics[id];
        if (isVoid(id)) return;
        try {
            const cubepl::Program program = cubepl::parse(metric.expression);
            for (const cubepl::Reference& reference : program.references)
                if (!experiment_.findMetric(reference.name))
                    note(named(metric) + ": its expression refers to \"" + reference.name +
                         "\", which is not there and counts as zero");
            if (program.usesVariables && !initial_.failures.empty()) return;  // said already
            if (const auto why = whyNotEvaluated(experiment_, id))
                problem(named(metric) + " cannot be evaluated: " + *why);
        } catch (const Error& error) {
            problem(named(metric) + " cannot be evaluated: " + error.what());
        }
    }

    void checkValues(MetricId id) {
        try {
            const PassingRows rows({experiment_.severities.rows(id)}, experiment_);
            checkEachValue(experiment_.metrics[id], rows);
            if (!expectation_.mayBeNegative && missingValue(experiment_.metrics[id].valueType) == 0.0)
                checkParts(id, rows);
        } catch (const Error& error) {
            problem(named(experiment_.metrics[id]) + " cannot be read: " + error.what());
        }
    }

    void checkEachValue(const Metric& metric, const PassingRows& rows) {
        Places infinite;
        Places negative;
        Places inexact;
        const double rounding = kTolerance * largest(rows);
        rows.forEach([&](CallPathId path, std::size_t location, double value) {
            if (!std::isfinite(value)) infinite.add(path, location);
            const bool isNegative = value < -rounding && missingValue(metric.valueType) == 0.0;
            if (isNegative && ofTasks_[path.index()] == 0) negative.add(path, location);
            if (isIntegral(metric.valueType) && std::fabs(value) >= kLargestExact)
                inexact.add(path, location);
        });
        report(Finding::Kind::Problem, metric, "not finite", infinite);
        if (!expectation_.mayBeNegative)
            report(Finding::Kind::Problem, metric, "negative (differences: --signed)", negative);
        report(Finding::Kind::Note, metric, "beyond 2^53, of which calculations keep 53 binary digits",
               inexact);
    }

    /// Whether a metric contains this one below it.
    bool isPart(const Metric& part, MetricId id, const Metric& whole) const {
        return part.hasValues() && !isVoid(id) && part.unit == whole.unit && part.origin != Origin::Ratio &&
               part.valueType != ValueType::Compound && missingValue(part.valueType) == 0.0;
    }

    /// What is contained in a metric, added up; nothing when it has no parts.
    std::optional<PassingRows> sumOfParts(MetricId id) const {
        std::vector<RowsPtr> parts;
        for (const MetricId child : experiment_.metrics.children(id))
            if (isPart(experiment_.metrics[child], child, experiment_.metrics[id]))
                parts.push_back(experiment_.severities.rows(child));
        return parts.empty() ? std::nullopt : std::optional<PassingRows>(std::in_place, parts, experiment_);
    }

    /// A metric contains the metrics below it; a complete composition is their sum.
    void checkParts(MetricId id, const PassingRows& whole) {
        const Metric& metric = experiment_.metrics[id];
        if (isVoid(id)) return;
        const auto parts = sumOfParts(id);
        if (!parts) return;
        Places more;
        Places different;
        const bool isSum = metric.origin == Origin::Composed;
        const double rounding = kTolerance * std::max(largest(whole), largest(*parts));
        std::optional<CallPathId> read;
        std::span<const double> row;
        parts->forEach([&](CallPathId path, std::size_t location, double sum) {
            if (read != path) row = whole.row(*(read = path));
            const double own = row.empty() ? 0.0 : row[location];
            if (sum > own + rounding) more.add(path, location);
            if (isSum && sum < own - rounding) different.add(path, location);
        });
        if (more.count > 0 && mayBeElsewhere(metric) && containsInSum(whole, *parts))
            report(Finding::Kind::Note, metric,
                   "smaller than the metrics below it together, which count at other call paths", more);
        else
            report(Finding::Kind::Problem, metric, "smaller than the metrics below it together", more);
        report(Finding::Kind::Problem, metric, "larger than the metrics that it is the sum of", different);
    }

    /// A nonblocking message is sent at one call path and waited for at another. Where one message shows that
    /// several waits before were for others in wrong order, from whom it came is told at the first one's call
    /// path, as Scalasca does it.
    static bool mayBeElsewhere(const Metric& metric) {
        return metric.unit == "occ" || metric.uniqueName == "mpi_latesender_wo";
    }

    /// Whether, over all call paths, no location has more of the parts than of the whole.
    bool containsInSum(const PassingRows& whole, const PassingRows& parts) const {
        std::vector<double> sums(experiment_.system.locations.size(), 0.0), surplus = sums;
        whole.forEach([&](CallPathId, std::size_t at, double value) {
            sums[at] += value;
            surplus[at] += value;
        });
        parts.forEach([&](CallPathId, std::size_t at, double value) { surplus[at] -= value; });
        for (std::size_t at = 0; at < sums.size(); ++at)
            if (surplus[at] < -kTolerance * sums[at]) return false;
        return true;
    }

    static double largest(const PassingRows& rows) {
        double found = 0.0;
        rows.forEach([&found](CallPathId, std::size_t, double value) {
            if (std::isfinite(value)) found = std::max(found, std::fabs(value));
        });
        return found;
    }

    const Experiment& experiment_;
    const Expectation& expectation_;
    const Initialisation initial_;
    const std::vector<char> ofTasks_;  ///< by call path
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check(const Experiment& experiment, const Expectation& expectation) {
    return Checker(experiment, expectation).run();
}

}  // namespace holos::algebra
