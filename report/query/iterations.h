// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "report/query/run.h"

namespace holos::query {

/// Where the iterations of a run's outermost loop spend their time: in seconds, by iteration, as the mean of
/// the first threads of all processes that have the loop.
struct IterationTimes {
    std::string loop;             ///< the call path that an iteration begins with
    std::vector<double> seconds;  ///< how long each is
    std::vector<double> waits{};  ///< how long of it they wait
    /// When each begins in the first process that has the loop, in seconds from the trace's start, and when
    /// the last one ends.
    std::vector<double> begins{};
    double end = 0;
    /// By call path, what it takes itself without waiting; and by wait state, call path and, where it is
    /// known, what those did who were waited for: `Late Sender in main/step/MPI_Recv (waiting for
    /// main/step/work)`.
    std::map<std::string, std::vector<double>> parts;
};

/// Reads the trace. Throws `holos::Error` where there is none, or no loop in it, and as `Database::ask` does.
IterationTimes readIterationTimes(Run& run);
/// As `readIterationTimes`, but not where they spend their time, which takes most of the reading: neither
/// waits nor parts.
IterationTimes readIterationLengths(Run& run);

/// What of a difference a part is.
struct IterationReason {
    std::string part;
    double seconds;  ///< negative: it takes less
};

/// An iteration that differs from the others.
struct OddIteration {
    std::size_t number;  ///< from 1
    double before;       ///< of two runs, in the first one; else the median of all
    double after;
    double excess;  ///< what it changed more than most iterations did; negative: it is shorter
    std::vector<IterationReason> reasons;  ///< of the excess, the largest first
};

/// Two runs, iteration by iteration, or one.
struct IterationComparison {
    std::vector<double> before;  ///< by iteration; of one run empty
    std::vector<double> after;
    double medianBefore = 0;  ///< of the iterations that both have; of one run the same as after
    double medianAfter = 0;
    std::vector<IterationReason> typical;  ///< what most iterations changed by; of one run empty
    /// Iterations in which more happened than chance does in the others, the most so first.
    std::vector<OddIteration> odd;
};

/// The iterations of one run among themselves.
IterationComparison compareIterations(const IterationTimes& run);
/// The iterations of two runs that have equal numbers.
IterationComparison compareIterations(const IterationTimes& before, const IterationTimes& after);

/// A run as sentences name it.
struct NamedIterations {
    std::string name;
    IterationTimes times;
};

/// Says that the iterations of two runs begin with calls of different functions; nothing where they do not.
/// Where these stand may have changed between the runs.
std::optional<std::string> otherLoopText(const NamedIterations& before, const NamedIterations& after);

/// `main/step/work +0.12 s; …`
std::string reasonText(const std::vector<IterationReason>& reasons);

/// What changed between two runs, in sentences: most iterations, and those that changed by more. None where
/// it is not known whether their iterations do the same.
std::vector<std::string> changeSentences(const NamedIterations& before, const NamedIterations& after);

/// An experiment with its file, beside which the trace may be that it is the analysis of.
struct RunOfFile {
    std::string name;  ///< in sentences
    std::filesystem::path file;
    const algebra::Experiment& experiment;
};

/// As `changeSentences`, of the analyses of two whole runs whose traces are there and not so large that
/// reading them takes long. None of others, and where the trace of one cannot be read.
std::vector<std::string> changeSentencesOfFiles(const RunOfFile& before, const RunOfFile& after);

}  // namespace holos::query
