// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Makes a trace of what the preloaded library left of a run.
namespace holos::archive {

namespace fs = std::filesystem;

struct Result {
    std::uint64_t events = 0;
    std::uint64_t lostEvents = 0;
    std::size_t processes = 0;
    std::size_t locations = 0;
    /// What is missing or was assumed, in sentences; empty for a run without trouble. Also in
    /// `measurement.json`.
    std::vector<std::string> notes;
    /// That threads moved between cores while they were recorded, in a sentence; empty when none did.
    std::string moves;
};

/// The raw recording of a measurement, `DIR/recording`.
fs::path recordingOf(const fs::path& directory);

/// True when `directory` holds a recording that is not yet a trace.
bool needsFinish(const fs::path& directory);

/// Converts `DIR/recording` to `DIR/traces.otf2` with its files and `DIR/measurement.json`, and removes the
/// recording. The new files appear only when they are complete. Another process that converts the same
/// recording is waited for; what it did is not done again. Throws `Error` when nothing was recorded, the
/// recording cannot be read or the trace cannot be written; the recording stays then.
Result finish(const fs::path& directory);

/// Removes a recording to which no process has written anything, and `directory` where it holds nothing else.
/// False, and nothing is removed, where one has.
bool removeEmpty(const fs::path& directory);

}  // namespace holos::archive
