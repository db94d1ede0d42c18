// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::timeline {

struct BuildOptions {
    unsigned threads = 0;  ///< that read at the same time; 0: as many as the machine has processors
    /// Called now and then with the part that is done, never twice at the same time, from changing threads.
    std::function<void(double)> progress = {};
    const std::atomic<bool>* stopped = nullptr;  ///< gives up when it becomes true
};

/// Reads a trace once and writes its levels of detail into a file, which appears when it is complete. What
/// it tells does not depend on the number of threads. Damaged locations are told as far as they can be read.
/// Memory grows with messages, up to a limit, beyond which only those of some pairs of processes are kept;
/// with the levels of as many locations as there are threads; not with enter and leave events. False when it
/// was stopped; throws `holos::Error` when the file cannot be written.
bool buildLevels(const std::filesystem::path& anchor, const trace::Definitions& definitions,
                 const std::filesystem::path& file, const BuildOptions& options = {});

}  // namespace holos::analyzer::timeline
