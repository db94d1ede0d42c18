// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/scaling/performance_model.h"
#include "algebra/model/metric_guide.h"
#include "algebra/model/queries.h"

namespace holos::algebra::scaling {

/// Where the runs of a size are, below the folder of a study over sizes: `study/size-4`.
std::filesystem::path folderOfSize(const std::filesystem::path& study, const std::string& size);
/// What such a folder is called after: 4 of `study/size-4`; nothing where it is none.
std::optional<double> sizeOfFolder(const std::filesystem::path& folder);
/// The folders that are there, the smallest size first; none where the folder is no study over sizes.
std::vector<std::filesystem::path> foldersOfSizes(const std::filesystem::path& study);
/// The size of a run that is somewhere below the folder of a size: 4 of `study/size-4/run-1/analysis.cubex`.
std::optional<double> sizeOfRun(const std::filesystem::path& experiment);
/// The analyses of all runs of a study over sizes, by size and then by name.
std::vector<std::filesystem::path> experimentsOfSizes(const std::filesystem::path& study);

/// An experiment of a run, and the values of the parameters that were named for it.
struct SizedRun {
    std::string name;
    std::shared_ptr<const Experiment> experiment;
    std::vector<double> parameters;  ///< in the order of `StudyOptions::parameters`
};

/// What is counted as the size of a run.
enum class Size : std::uint8_t {
    Automatic,  ///< processes, where their number differs; else threads, where that does; else none
    Processes,
    Threads,  ///< of all processes
    None,     ///< only named parameters
};

/// In processes or threads.
bool differInSize(const std::vector<SizedRun>& runs);

struct StudyOptions {
    Size size = Size::Automatic;
    std::vector<std::string> parameters;  ///< further ones, by name
};

/// Runs with the same parameters: repetitions.
struct Group {
    Point at;
    std::vector<std::size_t> runs;  ///< positions among the runs
    std::size_t processes = 0;
    std::size_t threads = 0;  ///< of all processes
};

/// Runs of one program with different sizes, and the call paths that any of them has. Regions are the same as
/// reports have it: what compilers and folders make of a name makes no difference. It never changes.
///
/// Thread safety: safe.
class Study {
  public:
    /// Throws `holos::Error` when there are fewer than two groups, when two runs with the same parameters
    /// differ in processes or threads, or when a parameter is not at least 1.
    Study(std::vector<SizedRun> runs, const StudyOptions& options);

    const std::vector<SizedRun>& runs() const { return runs_; }
    const Experiment& experiment(std::size_t run) const { return *runs_[run].experiment; }
    /// By size, the smallest first.
    const std::vector<Group>& groups() const { return groups_; }
    /// What `Group::at` has: `processes`, `threads`, and those that were named.
    const std::vector<std::string>& parameters() const { return parameters_; }
    /// The call paths of all runs; an experiment without metrics and values.
    const Experiment& program() const { return program_; }
    /// Where a call path of a run is in `program()`.
    CallPathId placeOf(std::size_t run, CallPathId path) const { return places_[run][path.index()]; }

    /// The mean over the threads of a run, of a metric with its parts in the whole program; a ratio as it is.
    /// NaN where the run lacks the metric.
    double perThread(std::size_t run, const std::string& metric) const;
    /// The metric per thread in each call path of `program()` alone; empty where the run lacks the metric.
    std::vector<double> perThreadAndPath(std::size_t run, const std::string& metric) const;

  private:
    void groupRuns();
    void unitePrograms();
    double sharers(std::size_t run, MetricId metric) const;

    std::vector<SizedRun> runs_;
    std::vector<std::string> parameters_;
    Size size_ = Size::None;
    std::vector<Group> groups_;
    Experiment program_;
    std::vector<std::vector<CallPathId>> places_;  ///< by run and its call path: that of `program_`
};

}  // namespace holos::algebra::scaling
