// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/polling.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/words.h"

namespace holos::algebra {

namespace {

constexpr std::array<std::string_view, 6> kQuestions{"MPI_Test",     "MPI_Testany", "MPI_Testall",
                                                     "MPI_Testsome", "MPI_Iprobe",  "MPI_Improbe"};

/// By call path.
std::vector<double> asking(const Measures& measures) {
    const Experiment& experiment = measures.experiment();
    std::vector<double> values(experiment.callTree.size(), 0.0);
    const auto asks = [&](const Region& region) {
        return std::ranges::find(kQuestions, region.name) != kQuestions.end();
    };
    if (std::ranges::none_of(experiment.regions, asks)) return values;
    values = measures.perPath({"mpi"});
    const std::vector<double> waiting =
        measures.perPath({"mpi_latesender_polling", "mpi_latereceiver_polling", "mpi_collective_polling",
                          "mpi_barrier_polling", "mpi_point2point_processor_waiting"});
    for (const CallPathId path : experiment.callTree.ids()) {
        double& value = values[path.index()];
        value = asks(experiment.regionOf(path)) ? std::max(0.0, value - waiting[path.index()]) : 0;
    }
    return values;
}

double sumOf(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
}

}  // namespace

double pollingTime(const Measures& measures) {
    return sumOf(asking(measures));
}

std::optional<Problem> polling(const Measures& measures) {
    const std::vector<double> values = asking(measures);
    const double cost = sumOf(values);
    if (measures.percent(cost) < kWorthSaying) return std::nullopt;
    Problem problem = problemOf(measures, "polling", cost);
    const auto most = std::ranges::max_element(values);
    placeAt(measures, CallPathId(static_cast<std::size_t>(most - values.begin())), problem);
    const double calls = aggregate(measures.experiment(), {measures.find("visits").value()},
                                   {{*problem.path, Extent::Exclusive}});
    problem.who = numberText(calls) + " calls there";
    problem.gain = cost / static_cast<double>(measures.threads().size());
    addEvidence(measures, {"mpi"}, "time in these calls, where there is most", problem.path, kAll, problem);
    addEvidence(measures, {"visits"}, "how often they are made", problem.path, kAll, problem);
    return problem;
}

}  // namespace holos::algebra
