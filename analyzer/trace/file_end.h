// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/OTF2_Reader.h>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace holos::analyzer::trace {

/// What an OTF2 file has in whole. OTF2 does not keep the number of bytes that it got from a file: where a
/// file was cut, it reads on in memory, in what an earlier file may have left there.
struct FileEnd {
    std::uint64_t records = 0;  ///< events or definitions that are there in whole, from the start of the file
    bool isCut = false;         ///< the marks that end a file are missing
};

/// The files of an archive come in chunks of so many bytes each.
struct ChunkSizes {
    std::uint64_t events = 0;
    std::uint64_t definitions = 0;
};

/// As the archive's anchor file says; zeros, for files of one chunk, where it does not.
ChunkSizes chunkSizesOf(OTF2_Reader* reader);
ChunkSizes chunkSizesOf(const std::filesystem::path& anchor);

/// The end of a file of events, which comes in chunks of this many bytes: only the last chunk is looked at,
/// because its head tells the number of its first event. Nothing, when the file cannot be read or does not
/// look like one of OTF2's, as a compressed one.
std::optional<FileEnd> endOfEvents(const std::filesystem::path& file, std::uint64_t chunkSize);

/// The end of a file of definitions, local or global ones: all its chunks are looked at, because their heads
/// tell nothing.
std::optional<FileEnd> endOfDefinitions(const std::filesystem::path& file, std::uint64_t chunkSize);

}  // namespace holos::analyzer::trace
