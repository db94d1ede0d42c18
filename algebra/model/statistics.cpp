// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace holos::algebra {
namespace {

/// Of sorted values; `share` from 0 to 1.
double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = place - static_cast<double>(below);
    return part == 0.0 ? sorted[below] : sorted[below] + part * (sorted[above] - sorted[below]);
}

double deviation(const std::vector<double>& values, double mean) {
    const double squares =
        std::accumulate(values.begin(), values.end(), 0.0,
                        [mean](double sum, double value) { return sum + (value - mean) * (value - mean); });
    return std::sqrt(squares / static_cast<double>(values.size()));
}

}  // namespace

Statistics statisticsOf(std::vector<double> values) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    if (values.empty()) return {0, 0.0, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN};
    std::ranges::sort(values);
    Statistics found;
    found.count = values.size();
    found.sum = std::accumulate(values.begin(), values.end(), 0.0);
    found.mean = found.sum / static_cast<double>(values.size());
    found.standardDeviation = deviation(values, found.mean);
    found.minimum = values.front();
    found.lowerQuartile = quantile(values, 0.25);
    found.median = quantile(values, 0.5);
    found.upperQuartile = quantile(values, 0.75);
    found.maximum = values.back();
    found.imbalance = found.mean > 0.0 ? found.maximum / found.mean - 1.0 : kNaN;
    return found;
}

std::size_t binOf(double value, double minimum, double maximum, std::size_t bins) {
    const double width = (maximum - minimum) / static_cast<double>(bins);
    const double place = width > 0.0 && std::isfinite(width) ? std::max(0.0, (value - minimum) / width) : 0.0;
    return std::min(static_cast<std::size_t>(place), bins - 1);
}

std::vector<std::size_t> histogramOf(const std::vector<double>& values, std::size_t bins) {
    std::vector<std::size_t> counts(bins, 0);
    std::vector<double> finite;
    std::ranges::copy_if(values, std::back_inserter(finite),
                         [](double value) { return std::isfinite(value); });
    if (finite.empty() || bins == 0) return counts;
    const auto [least, most] = std::ranges::minmax_element(finite);
    for (const double value : finite) ++counts[binOf(value, *least, *most, bins)];
    return counts;
}

namespace {

template <class Part>
std::vector<bool> compared(const std::vector<Part>& parts, const std::vector<double>& values,
                           bool (*isOfProgram)(const Part&)) {
    std::vector<bool> ofProgram, others;
    bool hasProgram = false, programHasValues = false, othersHaveValues = false;
    for (std::size_t at = 0; at < parts.size(); ++at) {
        const bool isMember = isOfProgram(parts[at]);
        const bool hasValue = std::isfinite(values[at]) && values[at] != 0.0;
        ofProgram.push_back(isMember);
        others.push_back(!isMember && hasValue);
        hasProgram = hasProgram || isMember;
        programHasValues = programHasValues || (isMember && hasValue);
        othersHaveValues = othersHaveValues || others.back();
    }
    if (!programHasValues && othersHaveValues) return others;
    return hasProgram ? ofProgram : std::vector<bool>(parts.size(), true);
}

bool isOfProgram(const Process& process) {
    return process.type == Process::Type::Process;
}

}  // namespace

bool isThread(const Location& location) {
    return location.type == Location::Type::Thread;
}

std::vector<bool> comparedLocations(const SystemTree& system, const std::vector<double>& valueOfEach) {
    return compared(system.locations, valueOfEach, isThread);
}

std::vector<bool> comparedProcesses(const SystemTree& system, const std::vector<double>& valueOfEach) {
    return compared(system.processes, valueOfEach, isOfProgram);
}

std::vector<double> onlyCompared(std::vector<double> values, const std::vector<bool>& isCompared) {
    for (std::size_t at = 0; at < values.size(); ++at)
        if (!isCompared[at]) values[at] = std::numeric_limits<double>::quiet_NaN();
    return values;
}

}  // namespace holos::algebra
