// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace holos::analyzer::trace {

/// What an OTF2 file has in whole. OTF2 does not keep the number of bytes that it got from a file: where a
/// file was cut, it reads on in memory, in what an earlier file may have left there.
struct FileEnd {
    std::uint64_t records = 0;  ///< events or definitions that are there in whole, from the begin of the file
    bool isCut = false;         ///< the marks that end a file are missing
};

/// The end of a file of events, which come in chunks of this many bytes: the last chunk is looked at.
/// Nothing, when the file cannot be read or does not look like one of OTF2's, as a compressed one.
std::optional<FileEnd> endOfEvents(const std::filesystem::path& file, std::uint64_t chunkSize);

/// The same of a file of definitions, local or global ones.
std::optional<FileEnd> endOfDefinitions(const std::filesystem::path& file);

}  // namespace holos::analyzer::trace
