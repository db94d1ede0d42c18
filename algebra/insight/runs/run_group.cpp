// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/runs/run_group.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "algebra/insight/scaling/noise.h"
#include "algebra/insight/summary/measures.h"
#include "algebra/model/number_lines.h"
#include "algebra/model/queries.h"
#include "base/function_name.h"
#include "base/text.h"

namespace holos::algebra {

namespace {

/// The member of `Experiment::files` of a mean, with the seconds of its runs.
constexpr const char* kSecondsFile = "holos.seconds";

/// Nothing where they are not those of this experiment: a part of the mean took less time.
std::vector<double> notedSeconds(const Experiment& experiment, double wall) {
    constexpr double kFits = 0.1;
    const auto file = experiment.files.find(kSecondsFile);
    if (file == experiment.files.end()) return {};
    const auto line = numberLineIn(file->second.substr(0, file->second.find('\n')));
    if (!line || line->numbers.empty()) return {};
    const double mean = std::accumulate(line->numbers.begin(), line->numbers.end(), 0.0) /
                        static_cast<double>(line->numbers.size());
    return std::fabs(mean - wall) <= kFits * wall ? line->numbers : std::vector<double>();
}

}  // namespace

std::string RunShape::programText() const {
    return listOf({programs.begin(), programs.end()});
}

std::string RunShape::startText() const {
    return counted(processes, "process") + " with " + counted(threads, "thread") + " in all";
}

RunShape shapeOf(const Experiment& run) {
    RunShape shape{{}, numberOfProcesses(run.system), numberOfThreads(run.system)};
    for (const CallPathId root : run.callTree.roots())
        shape.programs.insert(plainName(run.regionOf(root).name));
    return shape;
}

std::vector<double> secondsOf(const RunGroup& group) {
    std::vector<double> seconds;
    for (const Experiment& run : group.runs) {
        const double wall = Measures(run).wall();
        const std::vector<double> each = notedSeconds(run, wall);
        if (each.empty())
            seconds.push_back(wall);
        else
            seconds.insert(seconds.end(), each.begin(), each.end());
    }
    return seconds;
}

void noteSeconds(const std::vector<double>& seconds, Experiment& mean) {
    mean.files[kSecondsFile] = numberLineText({"seconds", seconds});
}

std::string listOfRuns(const std::vector<std::string>& names) {
    constexpr std::size_t kNamed = 3;
    if (names.size() <= kNamed) return listOf(names);
    return fmt::format("{} and {} more", names.front(), names.size() - 1);
}

std::string nameOfGroup(const std::vector<std::string>& names) {
    return (names.size() > 1 ? "the mean of " : "") + listOfRuns(names);
}

namespace {

struct Sample {
    explicit Sample(const std::vector<double>& values) : count(static_cast<double>(values.size())) {
        mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
        for (const double value : values) squares += (value - mean) * (value - mean);
    }

    bool isRepeated() const { return count > 1; }
    double variance() const { return squares / (count - 1); }

    double count;
    double mean = 0;
    double squares = 0;
};

/// 95 % of the differences of such means are no further from the true one.
double errorOf(const Sample& first, const Sample& second) {
    if (!first.isRepeated() || !second.isRepeated()) {
        const Sample& known = first.isRepeated() ? first : second;
        return scaling::deviationsOf95Percent(static_cast<std::size_t>(known.count) - 1) *
               std::sqrt(known.variance() * (1 / first.count + 1 / second.count));
    }
    const double one = first.variance() / first.count, other = second.variance() / second.count;
    const double all = one + other;
    if (!(all > 0)) return 0;
    const double freedom = all * all / (one * one / (first.count - 1) + other * other / (second.count - 1));
    return scaling::deviationsOf95Percent(static_cast<std::size_t>(freedom)) * std::sqrt(all);
}

}  // namespace

bool MeanDifference::isWithinError() const {
    return error && std::fabs(difference()) <= *error;
}

std::optional<double> errorOfMean(const std::vector<double>& values) {
    const Sample sample(values);
    if (!sample.isRepeated()) return std::nullopt;
    return scaling::deviationsOf95Percent(values.size() - 1) * std::sqrt(sample.variance() / sample.count);
}

MeanDifference differenceOfMeans(const std::vector<double>& first, const std::vector<double>& second) {
    const Sample one(first), other(second);
    MeanDifference found{one.mean, other.mean, std::nullopt};
    if (one.isRepeated() || other.isRepeated()) found.error = errorOf(one, other);
    return found;
}

}  // namespace holos::algebra
