// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "report/score/event_model.h"

namespace holos::score {

struct Totals {
    EventBytes bytes;
    double visits = 0;
    double time = 0;  ///< seconds, without what the regions call

    Totals& operator+=(const Totals& other);
};

/// All regions of a name and kind.
struct RegionScore {
    std::string name;
    RegionKind kind;
    Totals totals;
};

struct ProcessScore {
    std::string name;
    EventBytes bytes;
    double largestThread = 0;  ///< bytes of its recording
};

/// What the events of a run take.
struct Score {
    Totals all;
    std::array<Totals, kRegionKinds> kinds;
    std::vector<RegionScore> regions;     ///< with events, those with most bytes first
    std::vector<ProcessScore> processes;  ///< with events, in the order of the experiment
    bool isMeasured = false;              ///< bytes of the trace are those of its files
    double overhead = 0;                  ///< seconds of processor time in the visits, estimated
    double startAndEnd =
        0;                  ///< and of processes that start and end, to name functions, and to make the trace
    EventBytes ofCounters;  ///< that was asked for: of a visit
    double ofCallPath = 0;  ///< of a visit whose calls have to be said
};

struct ScoreOptions {
    /// Counters that a recording is to have besides.
    std::size_t counters = 0;
    /// Bytes of the trace's files by location, where there is a trace; empty: the model alone.
    std::vector<std::uint64_t> measured = {};
    /// Regions that are left out, by their names for filters (`nameForFilter`).
    std::set<std::string, std::less<>> excluded = {};
};

/// Throws `holos::Error` for an experiment without visits.
Score scoreOf(const algebra::Experiment& experiment, const ScoreOptions& options);

/// Bytes of a trace's files of events, by location in the order of its experiment; empty where the archive
/// does not have one file for each location. Throws `holos::Error` where there is no trace.
std::vector<std::uint64_t> bytesOfEventFiles(const std::filesystem::path& archiveOrDirectory);

/// What to leave out of a recording.
struct FilterChoice {
    std::vector<RegionScore> excluded;  ///< in the order of the choice
    double bytesLeft = 0;               ///< of the trace
    bool isEnough = false;              ///< no more than was asked for
};

/// Bytes of a trace without these regions, which are less than those of the others where calls that find
/// nothing then follow each other.
using BytesWithout = std::function<double(const std::vector<RegionScore>& excluded)>;

/// A choice after which a trace has at most so many bytes. First go functions and user regions that have many
/// bytes for the time spent in them, as little is lost by these; then locks and the like; functions that lead
/// to MPI, OpenMP or threads go last. What was not needed in the end is taken back. Where all of them
/// together are not enough, all are chosen. `bytesWithout` is asked only where the sums of `score` are too
/// large.
FilterChoice chooseFilter(const Score& score, double mostBytes, const BytesWithout& bytesWithout = {});

/// The choice as a filter in Score-P's format, for `holos record --filter`.
std::string filterText(const FilterChoice& choice);

/// A pattern that fits this name only; of a name with line ends and the like, all that differ in those.
std::string filterPattern(const std::string& name);

}  // namespace holos::score
