// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "algebra/operators/history/metric_names.h"
#include "base/text.h"

namespace holos::algebra {

namespace {

constexpr std::array<std::string_view, 6> kInstructions{
    "papi_tot_ins", "instructions", "instructions:u", "instructions:k", "perf_inst_retired", "instruction"};
constexpr std::array<std::string_view, 6> kCycles{"papi_tot_cyc", "cycles",          "cpu-cycles",
                                                  "cycles:u",     "perf_cpu_cycles", "ref-cycles"};
/// Of the difference in time: what instructions explain of it is more work.
constexpr double kMostOfTheReason = 0.6;
/// Times as many misses, by instruction.
constexpr double kManyMisses = 1.5;

bool isOneOf(const auto& names, const Metric& metric) {
    return std::ranges::find(names, lowerCase(eventName(metric))) != names.end();
}

/// Per thread, of those with more and of those with less.
struct Pair {
    double high = 0;
    double low = 0;
    double ratio() const { return low > 0 ? high / low : 0; }
};

class Counters {
  public:
    Counters(const Measures& measures, std::optional<CallPathId> path, const std::vector<LocationId>& high,
             const std::vector<LocationId>& low)
        : measures_(measures), path_(path), high_(high), low_(low) {}

    Pair of(const char* name) const { return pairOf(measures_.perLocation({name}, path_)); }

    Pair of(const Metric& metric) const { return of(metric.uniqueName.c_str()); }

    /// The first counter of these names.
    std::optional<Pair> counted(const auto& names) const {
        const Experiment& experiment = measures_.experiment();
        for (const MetricId id : experiment.metrics.ids())
            if (experiment.metrics[id].hasValues() && isOneOf(names, experiment.metrics[id])) {
                const Pair pair = of(experiment.metrics[id]);
                if (pair.low > 0) return pair;
            }
        return std::nullopt;
    }

    /// What misses most, compared with the others: name and how many times.
    std::optional<std::pair<std::string, double>> misses(double instructions) const {
        std::optional<std::pair<std::string, double>> most;
        const Experiment& experiment = measures_.experiment();
        for (const MetricId id : experiment.metrics.ids()) {
            const Metric& metric = experiment.metrics[id];
            const std::string name = lowerCase(eventName(metric));
            const bool isMiss =
                name.find("miss") != std::string::npos || name.ends_with("_dcm") || name.ends_with("_tcm");
            if (!isMiss || !metric.hasValues() || !isSumOfParts(metric) || metric.unit == "sec") continue;
            const double ratio = of(metric).ratio() / std::max(instructions, 1.0);
            if (ratio >= kManyMisses && (!most || ratio > most->second))
                most = {metric.displayName, of(metric).ratio()};
        }
        return most;
    }

  private:
    Pair pairOf(const std::vector<double>& values) const {
        const auto mean = [&values](const std::vector<LocationId>& threads) {
            double sum = 0;
            for (const LocationId thread : threads) sum += values[thread.index()];
            return threads.empty() ? 0 : sum / static_cast<double>(threads.size());
        };
        return {mean(high_), mean(low_)};
    }

    const Measures& measures_;
    std::optional<CallPathId> path_;
    const std::vector<LocationId>& high_;
    const std::vector<LocationId>& low_;
};

std::optional<MetricId> metricOf(const auto& names, const Experiment& experiment) {
    for (const MetricId id : experiment.metrics.ids())
        if (experiment.metrics[id].hasValues() && isOneOf(names, experiment.metrics[id])) return id;
    return std::nullopt;
}

}  // namespace

std::optional<MetricId> instructionMetric(const Experiment& experiment) {
    return metricOf(kInstructions, experiment);
}

std::optional<MetricId> cycleMetric(const Experiment& experiment) {
    return metricOf(kCycles, experiment);
}

std::string counterReason(const Measures& measures, std::optional<CallPathId> path,
                          const std::vector<LocationId>& high, const std::vector<LocationId>& low) {
    if (high.empty() || low.empty()) return {};
    const Counters counters(measures, path, high, low);
    const auto instructions = counters.counted(kInstructions);
    if (!instructions) return {};
    const double longer = counters.of("comp").ratio(), more = instructions->ratio();
    std::string text;
    if (more - 1 >= kMostOfTheReason * (longer - 1)) {
        text = fmt::format("they execute {:.2f} times as many instructions: it is more work", more);
    } else if (const auto cycles = counters.counted(kCycles)) {
        const double theirs = instructions->high / cycles->high, others = instructions->low / cycles->low;
        text = others - theirs > kMostOfTheReason * (others - others / std::max(longer, 1.0))
                   ? fmt::format(
                         "they execute about as many instructions ({:.2f} times), but fewer in a "
                         "cycle: {:.2f} instead of {:.2f}",
                         more, theirs, others)
                   : fmt::format(
                         "they execute about as many instructions ({:.2f} times) in as many cycles: "
                         "their processors run slower, or others use them, too",
                         more);
    } else {
        text = fmt::format("they execute about as many instructions ({:.2f} times), and take longer for them",
                           more);
    }
    if (const auto missed = counters.misses(more))
        text += fmt::format("; {} is {:.1f} times that of the others", missed->first, missed->second);
    return text;
}

}  // namespace holos::algebra
