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

std::string instructionsText(const SampledInstructions& all);
/// None where there is no such file. Throws `Error` for a damaged one.
SampledInstructions readSampledInstructions(const std::filesystem::path& file);

/// An instruction of a function that has samples, with the place in the source that it was compiled from.
struct SampledInstruction {
    std::uint64_t address = 0;  ///< as objdump has it
    std::string text;
    std::string file;        ///< of the source; empty where it is not known
    std::uint32_t line = 0;  ///< 0: not known
    std::uint64_t samples = 0;
};

/// A function, or the part of one that the compiler put elsewhere (`f.cold`), with the code of those that
/// were inlined into it.
struct SampledFunction {
    std::string name;
    std::string file;  ///< the program or library
    std::uint64_t samples = 0;
    std::vector<SampledInstruction> instructions{};
};

/// What is known of the functions of a name, those with most samples first.
struct SampledFunctions {
    std::vector<SampledFunction> found;
    std::uint64_t samples = 0;  ///< of all instructions
    /// Why functions of a file cannot be named, or not be listed, in sentences.
    std::vector<std::string> notes;
};

/// `name`: as shown, with parameters or without them; also that of a function that was inlined there. Reads
/// the programs and libraries, where they are still those that were sampled.
SampledFunctions sampledFunctions(const SampledInstructions& samples, const std::string& name);

}  // namespace holos::archive
