// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holos::code {

/// What made a program.
struct Compiler {
    std::string name;     ///< with its version; empty where nothing is known
    std::string options;  ///< as far as it wrote them down
};

/// Of most of the program's own parts, by the debug information (`DW_AT_producer`, DWARF 5, section 3.1.1) in
/// the file; without any, the compiler that left its name in `.comment`. Never throws: a file
/// that cannot be read says nothing.
Compiler compilerOf(const std::filesystem::path& program);

/// What the linker wrote into a file to tell its build from others (`NT_GNU_BUILD_ID`), in hexadecimal
/// digits; empty where it wrote none. None where there is no such file.
std::optional<std::string> buildIdOf(const std::string& path);

/// Whether a file has the symbol, given as the linker has it, among those that libraries share, defined or
/// not. Never throws: a file that cannot be read has none.
bool sharesSymbol(const std::filesystem::path& file, std::string_view symbol);

/// Whether a function, named likewise, is part of a file. One that was stripped no longer tells. Never
/// throws.
bool definesFunction(const std::filesystem::path& file, std::string_view symbol);

/// Finds the files that hold what was taken out of programs and libraries: symbols and debug information.
/// Only on this machine's disks; nothing is ever downloaded.
///
/// By build-id: `ROOT/.build-id/ab/cdef….debug` of each root, and the cache that debuginfod's clients keep.
/// By name (`.gnu_debuglink`): beside the file, in `.debug` there, and below each root. A file is the right
/// one when its build-id is that of the program or, where there is none, its checksum is that of the link.
class DebugFiles {
  public:
    /// Roots: those of `HOLOS_DEBUG_DIRECTORIES` (separated by colons), then `/usr/lib/debug`. Caches:
    /// `DEBUGINFOD_CACHE_PATH`, else `debuginfod_client` in the user's cache folder.
    DebugFiles();
    DebugFiles(std::vector<std::filesystem::path> roots, std::vector<std::filesystem::path> caches)
        : roots_(std::move(roots)), caches_(std::move(caches)) {}

    /// Empty where there is none. `link` and `checksum` are those of `.gnu_debuglink`, or empty and 0; where
    /// `link` is the name in the file's `.gnu_debugaltlink`, the file that dwz moved the common parts of
    /// several to.
    std::filesystem::path find(const std::filesystem::path& file, const std::string& link,
                               std::uint32_t checksum) const;

  private:
    std::filesystem::path findById(const std::string& buildId) const;
    std::filesystem::path findByName(const std::filesystem::path& file, const std::string& link,
                                     const std::string& buildId, std::uint32_t checksum) const;

    std::vector<std::filesystem::path> roots_;
    std::vector<std::filesystem::path> caches_;
};

}  // namespace holos::code
