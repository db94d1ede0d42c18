// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

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
/// recording of this format; damaged parts of a process are left out and described in `damage`.
Recording readRecording(const std::filesystem::path& folder);

/// Reads a recording that processes may go on with, which is not changed: what they had recorded at that
/// moment. Those of other machines, whose clocks are others, may be some milliseconds ahead of it.
Recording readRecording(const std::filesystem::path& folder, const Moment& moment);

}  // namespace holos::archive
