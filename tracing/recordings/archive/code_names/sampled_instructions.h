// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace holos::archive {

/// How many samples of the call stack were taken at the instructions of a program or library, in all threads:
/// while they ran, or while what they called ran that is not the program's.
struct SampledFile {
    std::string path;
    std::string buildId = {};                          ///< hexadecimal digits; empty where it is not known
    std::map<std::uint64_t, std::uint64_t> samples{};  ///< by offset in what is loaded of the file
    friend bool operator==(const SampledFile&, const SampledFile&) = default;
};

/// In the order of their paths.
using SampledInstructions = std::vector<SampledFile>;

std::string textOf(const SampledInstructions& all);
/// None where there is no such file. Throws `Error` for a damaged one.
SampledInstructions readSampledInstructions(const std::filesystem::path& file);

}  // namespace holos::archive
