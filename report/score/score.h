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
    double startAndEnd = 0;               ///< and of processes that start and end, and to make the trace
    EventBytes ofCounters;                ///< that was asked for: of a visit
    double ofCallPath = 0;                ///< of a visit whose calls have to be said
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

}  // namespace holos::score
