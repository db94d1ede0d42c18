// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/scaling/scalability.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace holos::algebra::scaling {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Counters by the names that perf and PAPI have for them.
constexpr const char* kInstructions[] = {"instructions", "PAPI_TOT_INS", "INST_RETIRED"};
constexpr const char* kCycles[] = {"cycles", "cpu-cycles", "PAPI_TOT_CYC"};

/// What all threads of a run did while they computed.
struct Work {
    double seconds = 0;
    double instructions = kUnknown;
    double cycles = kUnknown;
};

template <std::size_t Names>
double countedWhereComputing(const Experiment& experiment, const char* const (&names)[Names],
                             const std::vector<double>& computation) {
    for (const char* name : names) {
        const auto metric = experiment.findMetric(name);
        if (!metric) continue;
        const auto counts = perCallPath(experiment, {*metric}, Extent::Exclusive);
        double sum = 0;
        for (std::size_t path = 0; path < counts.size(); ++path)
            if (computation[path] > 0) sum += counts[path];
        return sum > 0 ? sum : kUnknown;
    }
    return kUnknown;
}

Work workOf(const Experiment& experiment) {
    const auto computation = experiment.findMetric("comp");
    if (!computation) throw Error("no metric \"comp\"; a study needs analyses of traces");
    const auto perPath = perCallPath(experiment, {*computation}, Extent::Exclusive);
    Work work;
    for (const double seconds : perPath) work.seconds += seconds;
    work.instructions = countedWhereComputing(experiment, kInstructions, perPath);
    work.cycles = countedWhereComputing(experiment, kCycles, perPath);
    return work;
}

/// The mean of a member; unknown where one of the values is.
template <class Value, class Member>
double meanOf(const std::vector<Value>& values, Member member) {
    double sum = 0;
    for (const Value& value : values) sum += member(value);
    return sum / static_cast<double>(values.size());
}

/// Of repetitions, number by number; a level that one run lacks is missing.
Efficiencies meanOf(const std::vector<Efficiencies>& all) {
    Efficiencies mean;
    mean.runtime = meanOf(all, [](const Efficiencies& each) { return each.runtime; });
    mean.parallel = meanOf(all, [](const Efficiencies& each) { return each.parallel; });
    if (std::ranges::any_of(all, [](const Efficiencies& each) { return each.processors.has_value(); }))
        mean.processors = meanOf(all, [](const Efficiencies& each) { return each.processors.value_or(1); });
    std::vector<Efficiencies::Mpi> mpi;
    std::vector<Efficiencies::OpenMp> openMp;
    for (const Efficiencies& each : all) {
        if (each.mpi) mpi.push_back(*each.mpi);
        if (each.openMp) openMp.push_back(*each.openMp);
    }
    using Mpi = Efficiencies::Mpi;
    using OpenMp = Efficiencies::OpenMp;
    const auto ofMpi = [&](double Mpi::*member) {
        return meanOf(mpi, [member](const Mpi& each) { return each.*member; });
    };
    const auto ofOpenMp = [&](double OpenMp::*member) {
        return meanOf(openMp, [member](const OpenMp& each) { return each.*member; });
    };
    if (mpi.size() == all.size())
        mean.mpi = Mpi{ofMpi(&Mpi::parallel),
                       ofMpi(&Mpi::loadBalance),
                       ofMpi(&Mpi::communication),
                       ofMpi(&Mpi::serialisation),
                       ofMpi(&Mpi::transfer),
                       ofMpi(&Mpi::withoutProcessor),
                       std::ranges::all_of(mpi, &Mpi::isByReplay),
                       std::ranges::any_of(mpi, &Mpi::isWithoutWaits)};
    if (openMp.size() == all.size())
        mean.openMp = OpenMp{ofOpenMp(&OpenMp::parallel), ofOpenMp(&OpenMp::serialRegions),
                             ofOpenMp(&OpenMp::parallelRegions)};
    return mean;
}

std::optional<double> known(double value) {
    return std::isnan(value) ? std::nullopt : std::optional(value);
}

class Table {
  public:
    Table(const Study& study, const MetricGuide& guide, Scaling scaling) : study_(study) {
        for (const Group& group : study.groups()) addRow(group, guide);
        completeProcessors();
        findScaling(scaling);
        for (std::size_t i = 0; i < table_.rows.size(); ++i) compare(table_.rows[i], work_[i]);
    }

    ScalabilityTable take() { return std::move(table_); }

  private:
    void addRow(const Group& group, const MetricGuide& guide) {
        std::vector<Efficiencies> all;
        std::vector<Work> work;
        for (const std::size_t run : group.runs) {
            try {
                all.push_back(efficiencies(study_.experiment(run), guide));
                work.push_back(workOf(study_.experiment(run)));
            } catch (const Error& error) {
                throw Error(study_.runs()[run].name + ": " + error.what());
            }
        }
        SizeRow row;
        row.group = group;
        row.efficiencies = meanOf(all);
        row.runtime = row.efficiencies.runtime;
        table_.rows.push_back(std::move(row));
        work_.push_back({meanOf(work, [](const Work& each) { return each.seconds; }),
                         meanOf(work, [](const Work& each) { return each.instructions; }),
                         meanOf(work, [](const Work& each) { return each.cycles; })});
    }

    /// Where runs of one size lack processors, it is said of the others that they do not.
    void completeProcessors() {
        const auto isKnown = [](const SizeRow& row) { return row.efficiencies.processors.has_value(); };
        if (std::ranges::none_of(table_.rows, isKnown)) return;
        for (SizeRow& row : table_.rows)
            row.efficiencies.processors = row.efficiencies.processors.value_or(1);
    }

    double threads(const SizeRow& row) const { return static_cast<double>(row.group.threads); }

    /// Work that grows by less than the square root of the threads is taken for that of one problem.
    void findScaling(Scaling scaling) {
        const bool counted =
            !std::isnan(work_.front().instructions) && !std::isnan(work_.back().instructions);
        table_.workGrew = counted ? work_.back().instructions / work_.front().instructions
                                  : work_.back().seconds / work_.front().seconds;
        table_.threadsGrew = threads(table_.rows.back()) / threads(table_.rows.front());
        table_.isFound = scaling == Scaling::Automatic;
        table_.scaling = scaling;
        if (table_.isFound)
            table_.scaling =
                table_.workGrew < std::sqrt(table_.threadsGrew) ? Scaling::Strong : Scaling::Weak;
    }

    void compare(SizeRow& row, const Work& work) const {
        const Work& smallest = work_.front();
        const bool grows = table_.scaling == Scaling::Weak;
        const double problem = grows ? threads(row) / threads(table_.rows.front()) : 1.0;
        row.speedup = problem * table_.rows.front().runtime / row.runtime;
        row.computation = problem * smallest.seconds / work.seconds;
        row.global = row.efficiencies.parallel * row.computation;
        row.instructions = known(problem * smallest.instructions / work.instructions);
        row.perCycle = known(work.instructions / work.cycles / (smallest.instructions / smallest.cycles));
        row.frequency = known(work.cycles / work.seconds / (smallest.cycles / smallest.seconds));
    }

    const Study& study_;
    ScalabilityTable table_;
    std::vector<Work> work_;  ///< by row: of one run, on average
};

}  // namespace

ScalabilityTable scalability(const Study& study, const MetricGuide& guide, Scaling scaling) {
    return Table(study, guide, scaling).take();
}

}  // namespace holos::algebra::scaling
