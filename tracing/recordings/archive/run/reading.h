// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracing/recordings/archive/process/committed_events.h"
#include "tracing/recordings/archive/process/recorded_process.h"
#include "tracing/recordings/archive/run/unification.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/record.h"

/// Where several processes read a recording, each packs what the files of some recorded processes have into
/// one file, and reads what the others packed: K readers open K packed files each, instead of the files of
/// all processes.
namespace holos::archive {

/// What the files of one recorded process have, before anybody makes something of it.
struct ProcessFiles {
    std::optional<std::string> note;  ///< `alive`
    std::optional<tracing::Status> status;
    std::optional<std::vector<unsigned char>> definitions;
    bool hasReserve = false;   ///< the file `reserve` is there; only looked for where it says something
    std::string distantPlace;  ///< as `distantPlaceOf`
    std::optional<ChunkPlaces> chunks = {};  ///< in its file of events, where somebody has looked for them
};

/// Nothing where there are none; only as far as their entries go. Throws `Error` where they cannot be read.
std::optional<std::vector<unsigned char>> readDefinitions(const std::filesystem::path& process);

/// Everything but `chunks`. Throws `Error` where definitions are there and cannot be read.
ProcessFiles readFiles(const std::filesystem::path& process);

/// By the names of the processes' folders.
using PackedFiles = std::map<std::string, ProcessFiles>;

/// Throws `Error` where the file cannot be written; it is removed then.
void writePacked(PackedFiles files, const std::filesystem::path& to);

/// What all these files have together. One that is missing or damaged is left out.
PackedFiles readPacked(const std::vector<std::filesystem::path>& packed);

}  // namespace holos::archive

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
