// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/check.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "algebra/cubepl/syntax.h"
#include "algebra/model/experiment_facts.h"
#include "algebra/model/queries.h"
#include "algebra/model/structure.h"
#include "base/error.h"

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
        findings_.push_back({kind,
                             named(metric) + ": " + std::to_string(places.count) +
                                 (places.count == 1 ? " value " : " values ") + what,
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
            const SeverityTable& table = experiment_.severities.table(id);
            checkEachValue(experiment_.metrics[id], table);
            if (!expectation_.mayBeNegative && missingValue(experiment_.metrics[id].valueType) == 0.0)
                checkParts(id, table);
        } catch (const Error& error) {
            problem(named(experiment_.metrics[id]) + " cannot be read: " + error.what());
        }
    }

    void checkEachValue(const Metric& metric, const SeverityTable& table) {
        Places infinite;
        Places negative;
        Places inexact;
        const double rounding = kTolerance * largest(table);
        forEach(table, [&](CallPathId path, std::size_t location, double value) {
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

    /// What is contained in a metric; nothing when it has no parts.
    std::optional<SeverityTable> sumOfParts(MetricId id) const {
        std::optional<SeverityTable> sum;
        for (const MetricId child : experiment_.metrics.children(id)) {
            if (!isPart(experiment_.metrics[child], child, experiment_.metrics[id])) continue;
            if (!sum) sum = experiment_.newTable();
            forEach(experiment_.severities.table(child),
                    [&](CallPathId path, std::size_t location, double value) {
                        sum->add(path, LocationId(location), value);
                    });
        }
        return sum;
    }

    /// A metric contains the metrics below it; a complete composition is their sum.
    void checkParts(MetricId id, const SeverityTable& whole) {
        const Metric& metric = experiment_.metrics[id];
        if (isVoid(id)) return;
        const auto parts = sumOfParts(id);
        if (!parts) return;
        Places more;
        Places different;
        const bool isSum = metric.origin == Origin::Composed;
        const double rounding = kTolerance * std::max(largest(whole), largest(*parts));
        forEach(*parts, [&](CallPathId path, std::size_t location, double sum) {
            const double own = whole.callPaths() == 0 ? 0.0 : whole.at(path, LocationId(location));
            if (sum > own + rounding) more.add(path, location);
            if (isSum && sum < own - rounding) different.add(path, location);
        });
        if (more.count > 0 && metric.unit == "occ" && containsInSum(whole, *parts))
            report(Finding::Kind::Note, metric,
                   "smaller than the metrics below it together, which count at other call paths", more);
        else
            report(Finding::Kind::Problem, metric, "smaller than the metrics below it together", more);
        report(Finding::Kind::Problem, metric, "larger than the metrics that it is the sum of", different);
    }

    /// Whether, over all call paths, no location has more of the parts than of the whole. A nonblocking
    /// message is sent at one call path and waited for at another.
    static bool containsInSum(const SeverityTable& whole, const SeverityTable& parts) {
        std::vector<double> surplus(parts.locations(), 0.0);
        forEach(whole, [&](CallPathId, std::size_t at, double value) { surplus[at] += value; });
        forEach(parts, [&](CallPathId, std::size_t at, double value) { surplus[at] -= value; });
        return std::ranges::none_of(surplus, [](double count) { return count < 0.0; });
    }

    static double largest(const SeverityTable& table) {
        double found = 0.0;
        for (std::size_t at = 0; at < table.callPaths(); ++at)
            for (const double value : table.row(CallPathId(at)))
                if (std::isfinite(value)) found = std::max(found, std::fabs(value));
        return found;
    }

    template <class Action>
    static void forEach(const SeverityTable& table, Action action) {
        for (std::size_t at = 0; at < table.callPaths(); ++at) {
            const auto row = table.row(CallPathId(at));
            for (std::size_t location = 0; location < row.size(); ++location)
                action(CallPathId(at), location, row[location]);
        }
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
