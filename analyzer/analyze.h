// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/model/wait_files.h"
#include "analyzer/clocks/controlled_clock.h"
#include "analyzer/phase_clock.h"
#include "analyzer/trace/diagnosis.h"
#include "base/chosen.h"

namespace holos::analyzer {

namespace workers {
class Ranks;
}
namespace replay {
class Clock;
}

/// Other times than the recorded ones, such as those of a prediction (`predictor.h`). What is analyzed is the
/// run as it would be with them.
struct OtherTimes {
    std::function<replay::Clock*(std::size_t location)> clockOf;
    std::uint64_t length = 0;  ///< ticks that the run takes with them
};

/// A part of a run, in seconds since its start.
struct RunRange {
    double from = 0;
    double to = 0;
};

/// Where an experiment of a part of a run says so: an attribute with both ends, `0.5 1.25`.
inline constexpr const char* kRangeName = "holos.range";

/// How far an analysis has come.
struct AnalysisProgress {
    double part = 0;           ///< of the whole, from 0 to 1
    std::uint64_t events = 0;  ///< read so far, by this process
};

struct AnalysisOptions {
    /// Threads of this process that read and match at the same time; 0 takes as many as the machine has
    /// processors, or one where several ranks share the work. The result does not depend on it, bit for bit.
    unsigned threads = 1;
    /// The processes that share the reading, each called with the same options; none: this one alone. The
    /// result does not depend on them either, and only the first one gets it. They are finished afterwards.
    workers::Ranks* ranks = nullptr;
    /// Also why locations wait: delay costs, critical path and the like.
    bool causes = true;
    /// Causes by the rules in which Scalasca departs from the published definitions; to compare with its
    /// results.
    bool causesAsScalasca = false;
    /// Gives events that clocks put in an impossible order times that are possible (controlled logical
    /// clock). Every event is then read twice.
    std::optional<clocks::ClockParameters> correctClocks = {};
    /// Not with `correctClocks`. The clocks must outlive the analysis.
    std::optional<OtherTimes> otherTimes = {};
    /// Only what happened in this part of the run: its time, waits and their causes, to the tick; visits that
    /// began there, and calls that were open at its start; messages, bytes and counters of its events. Parts
    /// that follow each other make the whole, but for visits, the critical path and imbalance. Not with
    /// `correctClocks` or `otherTimes`.
    std::optional<RunRange> range = {};
    /// Bytes that the process should not exceed: records are kept in a file then, and its parts taken out of
    /// memory when they are too much. The result is the same, bit for bit.
    AtMost memoryLimit = kAll;
    /// For that file, on a disk, and for small ones that the analysis of a range makes; they are gone
    /// afterwards.
    std::filesystem::path recordFolder = "/var/tmp";
    /// Where waits, collective operations and the critical path are told in time (`timeline/course.h`), for
    /// pictures; empty: nowhere. Not with `correctClocks`, `otherTimes` or `range`, whose times are not the
    /// trace's.
    std::filesystem::path course = {};
    /// The analysis gives up soon after it becomes true: `Stopped` comes out. Null: never. Not with
    /// several ranks.
    const std::atomic<bool>* stopped = nullptr;
    /// Called now and then, never twice at the same time, but from changing threads. What it throws ends the
    /// analysis.
    std::function<void(const AnalysisProgress&)> progress;
};

/// How much was read, for reports and benchmarks.
struct AnalysisStatistics {
    std::uint64_t locations = 0;
    std::uint64_t events = 0;    ///< decoded ones, of every kind
    std::uint64_t messages = 0;  ///< matched pairs of send and receive
    std::uint64_t collectives = 0;
    std::uint64_t callPaths = 0;
    std::uint64_t recordsInFile = 0;    ///< bytes, the most at a time, where the memory was limited
    std::uint64_t evictions = 0;        ///< how often they were taken out of memory
    std::uint64_t clockViolations = 0;  ///< that a correction of clocks found, least times included
    double largestCorrection = 0;       ///< seconds
    std::vector<AnalysisPhase> phases;  ///< in their order
};

struct AnalysisResult {
    algebra::Experiment experiment;
    std::vector<Diagnosis> diagnoses;
    AnalysisStatistics statistics;
};

/// Where the experiment keeps what was repaired or left out: a member of `Experiment::files` with the text of
/// `describe`, and an attribute of the same name with their number. Absent when there is nothing to say.
inline constexpr const char* kDiagnosesName = "holos.diagnoses";

/// The member of `Experiment::files` with the longest waits of each pattern. Absent where nobody waits.
inline constexpr const char* kInstancesName = algebra::kInstancesFile;

/// Reads the OTF2 archive (its directory, or the path of its `.otf2` file), replays every location once, and
/// returns time, visits, message and byte counts, wait states and counters per call path and location.
/// Metrics carry Scalasca's unique names and hierarchy. Locations of the experiment stand process by process,
/// master first; call paths in the order of their first encounter.
///
/// Damage in the trace (truncated files, unbalanced calls, unmatched messages, …) ends up in `diagnoses`, and
/// the rest is analyzed. Throws `holos::Error` that names the file when there is no trace at all: the file is
/// missing, empty, not OTF2, or its global definitions cannot be read. With several ranks see `Ranks::agree`.
AnalysisResult analyze(const std::filesystem::path& archiveOrDirectory, const AnalysisOptions& options = {});

}  // namespace holos::analyzer
