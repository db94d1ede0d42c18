// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "holos/experiment.h"

namespace holos {

/// How a trace is analyzed. The defaults are those of `holos analyze`.
struct AnalyzeOptions {
    /// Threads that read and match at the same time; 0: as many as there are processors. The result does not
    /// depend on it.
    unsigned threads = 0;
    /// Also why locations wait: delay costs, critical path and the like.
    bool causes = true;
    /// Gives events that clocks put in an impossible order, such as a receive before its send, times that are
    /// possible.
    bool correctClocks = false;
    /// Which metrics are derived from counters: `auto` (by the processor that the trace is from), `none`, or
    /// the name or file of a specification.
    std::string specification = "auto";
    /// Bytes of memory that the process should not exceed. What does not fit is kept in a file without a name
    /// in `temporaryFolder` meanwhile. The result is the same.
    std::optional<std::uint64_t> memoryLimit = {};
    std::filesystem::path temporaryFolder = "/var/tmp";
    /// Called now and then with the part of the work that is done, from 0 to 1; never twice at the same time,
    /// but from changing threads. Must not throw.
    std::function<void(double part)> progress = {};
};

/// What an analysis found.
struct Analysis {
    algebra::Experiment experiment;
    /// What was damaged in the trace, and what was done about it: a sentence each. Empty for a sound trace.
    std::vector<std::string> problems;
};

/// Finds the wait states of a recorded run and their causes, as `holos analyze` does. `trace` is the folder
/// of an OTF2 archive, or its `.otf2` file. Damage in the trace ends up in `Analysis::problems`, and the rest
/// is analyzed. Throws `holos::Error` where there is no trace: the file is missing or not OTF2, or its
/// definitions cannot be read. The recording of a run that did not end properly becomes a trace by `holos
/// analyze`, not here.
Analysis analyze(const std::filesystem::path& trace, const AnalyzeOptions& options = {});

}  // namespace holos
