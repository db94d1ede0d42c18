// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace holos {

/// Which command made an experiment (`.cubex`), as its provenance says.
struct MadeBy {
    std::string operation;  ///< `analyze`, `merge`, …
    std::string run;        ///< the id of the recorded run that it was made of; empty where it is of none
};

/// Reads only the beginning of the file. Nothing where it is no regular file, or says nothing of that; links
/// are not followed.
std::optional<MadeBy> madeBy(const std::filesystem::path& file);

/// Throws `Error` where a regular file has this name that does not begin with these eight bytes: it is not a
/// file of that kind, and somebody else's.
void requireOwn(const std::filesystem::path& file, std::uint64_t magic);

/// The first mebibyte of a regular file; empty where there is no such file, or it cannot be read. Links are
/// not followed.
std::string beginningOf(const std::filesystem::path& file);

}  // namespace holos
