// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

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

}  // namespace holos::code
