// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracing/recordings/archive/run/packed_files.h"
#include "tracing/recordings/archive/run/unification.h"
#include "tracing/recordings/format/clock.h"

/// A recording's folder becomes a `Recording` in memory.
namespace holos::archive {

/// When a recording is read although processes may go on with it, and where.
struct Moment {
    tracing::ClockSync time;
    std::string clock;              ///< that the ticks are of
    std::string boot;               ///< of the machine
    std::filesystem::path scratch;  ///< a folder for copies of what is written over
};

/// Reads everything but the events, in parallel. Throws `Error` when `folder` cannot be read or holds no
/// recording of this format; damaged parts of a process are left out and described in `damage`. Files of
/// processes that are `packed` are not opened.
Recording readRecording(const std::filesystem::path& folder, PackedFiles packed = {});

/// Reads a recording that processes may go on with, which is not changed: what they had recorded at that
/// moment. Those of other machines, whose clocks are others, may be some milliseconds ahead of it.
Recording readRecording(const std::filesystem::path& folder, const Moment& moment);

/// Packs the files of these processes, by the names of their folders. Those in which something is wrong are
/// left out: another machine may see more of them. Throws `Error` where the result cannot be written.
void packFiles(const std::filesystem::path& recording, const std::vector<std::string>& processes,
               const std::filesystem::path& to);

}  // namespace holos::archive
