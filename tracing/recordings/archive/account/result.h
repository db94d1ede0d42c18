// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/run_profile.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::archive {

using measurement::Law;

struct Result {
    std::uint64_t events = 0;
    std::uint64_t lostEvents = 0;
    bool lossIsUnknown = false;  ///< more than `lostEvents` may be missing
    /// Folders of processes of which records were lost after they had been written.
    std::vector<std::filesystem::path> incomplete;
    std::size_t processes = 0;
    std::size_t locations = 0;
    /// What is missing or was assumed, in sentences; empty for a run without trouble. Also in
    /// `measurement.json`.
    std::vector<std::string> notes;
    /// What was added up; nothing where only events were recorded.
    std::optional<RunProfile> profile;
    /// A sentence which says that threads moved between cores while they were recorded; empty when none did.
    std::string moves;
    /// How the processes ended, in a sentence.
    std::string ends;
    bool endedWell = true;   ///< all of them in order, with exit code 0
    std::vector<Law> laws;   ///< as far as they are known; of a snapshot few
    std::string notChecked;  ///< a sentence about laws that could not be checked; empty where all could
    /// How many MPI jobs the run had besides this one; 0 for all but the first.
    std::size_t numberOfFurtherJobs = 0;
    /// Of those; their traces are in `job-2` and so on (`jobs.h`).
    std::vector<Result> furtherJobs;
};

}  // namespace holos::archive
