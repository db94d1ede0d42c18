// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/definitions/counter_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace holos::archive {
namespace {

std::map<std::string, CounterShares> sharesOf(const std::vector<TraceProcess>& processes,
                                              SharesOfCounters RecordedProcess::*which) {
    std::map<std::string, CounterShares> shares;
    for (const auto& process : processes) {
        if (process.recorded == nullptr) continue;
        for (const auto& [counter, ofThreads] : process.recorded->*which) {
            if (counter >= process.recorded->counters.size()) continue;
            CounterShares& all = shares[process.recorded->counters[counter].name];
            for (const double share : ofThreads) {
                all.least = std::min(all.least, share);
                all.sum += share;
                ++all.threads;
            }
        }
    }
    return shares;
}

}  // namespace

std::optional<double> CounterShares::error() const {
    constexpr double kDeviations = 2;  // 95 % of a normal distribution
    if (!(estimate.value > 0)) return std::nullopt;
    return kDeviations * std::sqrt(estimate.variance) / estimate.value;
}

std::map<std::string, CounterShares> activeSharesOf(const std::vector<TraceProcess>& processes) {
    auto shares = sharesOf(processes, &RecordedProcess::activeShares);
    for (const auto& process : processes) {
        if (process.recorded == nullptr) continue;
        for (const auto& [counter, estimate] : process.recorded->estimates) {
            if (counter >= process.recorded->counters.size()) continue;
            RecordedEstimate& sum = shares[process.recorded->counters[counter].name].estimate;
            sum.value += estimate.value;
            sum.variance += estimate.variance;
        }
    }
    return shares;
}

std::map<std::string, CounterShares> userSpaceSharesOf(const std::vector<TraceProcess>& processes) {
    return sharesOf(processes, &RecordedProcess::userSpaceShares);
}

std::string sharesText(const CounterShares& shares) {
    constexpr double kAlways = 0.999;
    if (shares.mean() >= kAlways) return {};
    constexpr double kPercent = 100;
    std::string text = fmt::format(". Counted {:.0f} % of the time", kPercent * shares.mean());
    if (const auto error = shares.error())
        text +=
            fmt::format("; its sum is known within {:.2g} % (two standard deviations)", kPercent * *error);
    return text;
}

std::vector<ValueOfMemory> valuesOfMemory() {
    std::vector<ValueOfMemory> all;
    for (const auto& [name, meaning] : counters::kMemorySources) {
        all.push_back(
            {std::string("memory_") + name, std::string("Sampled accesses to data ") + meaning, "occ"});
        all.push_back({std::string("memory_latency_") + name,
                       std::string("Sum of the latencies of sampled accesses to data ") + meaning, "cyc"});
    }
    all.push_back({"memory_shared_line",
                   "Sampled accesses to cache lines that several threads used, of which at least one wrote",
                   "occ"});
    all.push_back(
        {"memory_falsely_shared_line",
         "Sampled accesses to cache lines that several threads used, of which at least one wrote, but "
         "none of them a word that others used",
         "occ"});
    return all;
}

bool isOfMemory(const RecordedInterrupts& interrupts) {
    return interrupts.name == counters::kMemoryAccesses;
}

}  // namespace holos::archive
