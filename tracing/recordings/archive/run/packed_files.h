// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracing/recordings/archive/process/event_file.h"
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
