// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "algebra/insight/findings/efficiencies.h"
#include "algebra/insight/summary/rules.h"
#include "algebra/model/queries.h"

namespace holos::algebra {

/// The values that rules ask for. Metrics are named; those that the experiment lacks count as 0. Threads that
/// only sleep are left out of all sums.
class Measures {
  public:
    explicit Measures(const Experiment& experiment);

    const Experiment& experiment() const { return experiment_; }
    const std::vector<CountedProcess>& processes() const { return processes_; }
    /// All threads that count.
    const std::vector<LocationId>& threads() const { return threads_; }

    /// Of one process.
    std::size_t mostThreads() const;

    std::optional<MetricId> find(const std::string& name) const;
    /// Not where it was made of profiles alone: their times include waiting.
    bool knowsWaits() const { return knowsWaits_; }
    /// Of processes with several threads: something is known of how these wait for each other. Who knows of
    /// no OpenMP and of no calls of POSIX threads, as in traces of other runtimes, does not know that.
    bool knowsThreads() const { return knowsThreads_; }
    /// Waiting, imbalance and the time of the recorder were measured: without them nobody knows that a run is
    /// healthy.
    bool knowsAll() const { return knowsAll_; }
    /// Of those that there are, the one that has most.
    std::optional<MetricId> largest(const MetricNames& names) const;

    double total(const MetricNames& names) const;
    double total(const char* name) const { return total(MetricNames{name}); }
    /// By CallPathId, without what a call path calls.
    std::vector<double> perPath(const MetricNames& names) const;
    /// By LocationId; of a call path with what it calls, or of the whole program.
    std::vector<double> perLocation(const MetricNames& names, std::optional<CallPathId> path = {}) const;

    /// Seconds of all threads.
    double time() const { return time_; }
    /// Seconds of the run; where it is not known how long that took, of the thread that takes longest.
    double wall() const { return wall_; }
    double percent(double seconds) const { return time_ > 0 ? 100 * seconds / time_ : 0; }
    /// Percent of the time of all threads that starting and ending MPI takes by itself.
    double percentOfStart() const { return percent(total("mpi_init_exit") - total(waitsAtStartAndEnd())); }

  private:
    const Experiment& experiment_;
    std::unordered_map<std::string, MetricId> names_;
    std::vector<CountedProcess> processes_;
    std::vector<LocationId> threads_;
    ChosenLocations counted_ = kAll;
    double time_ = 0;
    double wall_ = 0;
    bool knowsWaits_ = true;
    bool knowsThreads_ = true;
    bool knowsAll_ = true;
};

/// Each value without the one of `less` at its place, and never less than 0.
std::vector<double> without(std::vector<double> values, const std::vector<double>& less);

/// From values of call paths alone to those with what they call.
std::vector<double> inclusiveOf(const CallTree& tree, std::vector<double> exclusive);

/// As `Measures::perLocation`, without what threads let others have the processor for: it is recorded as
/// sleep, but such a thread does not sleep, and nobody knows whom it waits for.
std::vector<double> withoutYields(const Measures& measures, const MetricNames& metrics,
                                  std::optional<CallPathId> path = {});

/// A call path in which a value stands out.
struct Place {
    CallPathId path;
    double value = 0.0;
    std::vector<CallPathId> also = {};  ///< others whose value is part of it
};

/// Where values of call paths alone gather: the deepest call paths that have, with what they call, at least
/// so much; what their caller has beside them is a place of its own where it is as much. The largest first.
std::vector<Place> placesOf(const CallTree& tree, const std::vector<double>& exclusive, double least);

}  // namespace holos::algebra
