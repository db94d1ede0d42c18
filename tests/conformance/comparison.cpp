// SPDX-License-Identifier: BSD-3-Clause
#include "tests/conformance/comparison.h"

#include <cmath>
#include <iomanip>
#include <map>
#include <regex>
#include <sstream>

namespace holos::testing {

namespace {

using algebra::CallPathId;
using algebra::Experiment;
using algebra::LocationId;
using algebra::MetricId;

constexpr double kAbsolute = 1e-9;
constexpr double kRelative = 1e-6;
constexpr std::size_t kShown = 3;

using Paths = std::map<std::string, CallPathId>;
using Locations = std::map<std::pair<std::int64_t, std::int64_t>, LocationId>;

Paths pathsOf(const Experiment& experiment) {
    const std::vector<std::string> names = callPathNames(experiment);
    Paths paths;
    for (std::size_t i = 0; i < names.size(); ++i) paths.emplace(names[i], CallPathId(i));
    return paths;
}

Locations locationsOf(const Experiment& experiment) {
    Locations locations;
    const auto& system = experiment.system;
    for (std::size_t i = 0; i < system.locations.size(); ++i) {
        const auto& location = system.locations[i];
        locations.emplace(std::pair(system[location.process].rank, location.rank), LocationId(i));
    }
    return locations;
}

double valueAt(const algebra::SeverityTable& table, CallPathId path, LocationId location) {
    return table.callPaths() == 0 ? 0.0 : table.at(path, location);
}

std::string inFull(double value) {
    std::ostringstream text;
    text << std::setprecision(12) << value;
    return text.str();
}

bool agree(double expected, double actual) {
    return std::abs(expected - actual) <= kAbsolute + kRelative * std::abs(expected);
}

void compareStructure(const Paths& expected, const Paths& actual, std::vector<std::string>& found) {
    for (const auto& entry : expected)
        if (actual.count(entry.first) == 0) found.push_back("call path " + entry.first + " is missing");
    for (const auto& entry : actual)
        if (expected.count(entry.first) == 0) found.push_back("call path " + entry.first + " is too much");
}

class MetricComparison {
  public:
    MetricComparison(const Experiment& expected, const Experiment& actual)
        : expected_(expected),
          actual_(actual),
          expectedPaths_(pathsOf(expected)),
          actualPaths_(pathsOf(actual)),
          expectedLocations_(locationsOf(expected)),
          actualLocations_(locationsOf(actual)) {}

    void structure(std::vector<std::string>& found) const {
        compareStructure(expectedPaths_, actualPaths_, found);
        for (const auto& entry : expectedLocations_)
            if (actualLocations_.count(entry.first) == 0)
                found.push_back("rank " + std::to_string(entry.first.first) + " thread " +
                                std::to_string(entry.first.second) + " is missing");
    }

    void metric(MetricId id, std::vector<std::string>& found) const {
        const std::string& name = expected_.metrics[id].uniqueName;
        static const algebra::SeverityTable kEmpty;
        const auto counterpart = actual_.findMetric(name);
        const auto& expectedTable = expected_.severities.table(id);
        const auto& actualTable = counterpart ? actual_.severities.table(*counterpart) : kEmpty;
        std::size_t wrong = 0;
        for (const auto& [path, expectedPath] : expectedPaths_) {
            const auto actualPath = actualPaths_.find(path);
            if (actualPath == actualPaths_.end()) continue;
            for (const auto& [key, expectedLocation] : expectedLocations_) {
                const auto actualLocation = actualLocations_.find(key);
                if (actualLocation == actualLocations_.end()) continue;
                const double wanted = valueAt(expectedTable, expectedPath, expectedLocation);
                const double got = valueAt(actualTable, actualPath->second, actualLocation->second);
                if (agree(wanted, got) || ++wrong > kShown) continue;
                found.push_back(name + " at " + path + ", rank " + std::to_string(key.first) + " thread " +
                                std::to_string(key.second) + ": expected " + inFull(wanted) + ", got " +
                                inFull(got));
            }
        }
        if (wrong > kShown) found.push_back(name + ": " + std::to_string(wrong) + " values in all");
        if (counterpart && expected_.metrics.parent(id)) compareParents(id, *counterpart, found);
    }

  private:
    void compareParents(MetricId expected, MetricId actual, std::vector<std::string>& found) const {
        const auto nameOf = [](const Experiment& experiment, std::optional<MetricId> parent) {
            return parent ? experiment.metrics[*parent].uniqueName : std::string("nothing");
        };
        const std::string wanted = nameOf(expected_, expected_.metrics.parent(expected));
        const std::string got = nameOf(actual_, actual_.metrics.parent(actual));
        if (wanted != got)
            found.push_back(expected_.metrics[expected].uniqueName + " stands below " + got + " instead of " +
                            wanted);
    }

    const Experiment& expected_;
    const Experiment& actual_;
    Paths expectedPaths_;
    Paths actualPaths_;
    Locations expectedLocations_;
    Locations actualLocations_;
};

}  // namespace

std::vector<std::string> callPathNames(const Experiment& experiment) {
    std::vector<std::string> names;
    for (const CallPathId path : experiment.callTree.ids()) {
        const auto parent = experiment.callTree.parent(path);
        names.push_back((parent ? names[parent->index()] : "") + "/" + experiment.regionOf(path).name);
    }
    return names;
}

std::vector<std::string> differences(const Experiment& expected, const Experiment& actual,
                                     const std::string& ignored) {
    const std::regex isIgnored(ignored);
    std::vector<std::string> found;
    const MetricComparison comparison(expected, actual);
    comparison.structure(found);
    for (const MetricId id : expected.metrics.ids()) {
        const auto& metric = expected.metrics[id];
        if (metric.hasValues() && !metric.isVoid && !std::regex_match(metric.uniqueName, isIgnored))
            comparison.metric(id, found);
    }
    return found;
}

}  // namespace holos::testing
