// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace holos::testing {

/// True where all of these tools can be run.
bool haveTools(const std::vector<std::string>& tools);

/// Runs a tool that has to succeed.
void runTool(const std::vector<std::string>& words);

/// A library made of this source by a compiler with these options; the source is `NAME.EXTENSION`.
std::filesystem::path compiledLibrary(const std::filesystem::path& folder, const std::string& source,
                                      const std::vector<std::string>& command,
                                      const std::string& extension = "c");

/// A program of two source files.
std::filesystem::path compiledProgram(const std::filesystem::path& folder, const std::string& source,
                                      const std::string& other, std::vector<std::string> command);

/// Where a library's symbol is, and how large; the library has its symbols.
struct SymbolPlace {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
};
SymbolPlace symbolPlace(const std::filesystem::path& library, const std::string& symbol);

/// The line of the source that contains a text.
std::uint32_t lineOf(const std::string& source, const std::string& text);

/// As `.build-id/ab/cdef….debug` and caches have it.
std::string buildIdOf(const std::filesystem::path& library);

}  // namespace holos::testing
