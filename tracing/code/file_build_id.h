// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

namespace holos::code {

/// What the linker wrote into a file to tell its build from others (`NT_GNU_BUILD_ID`), in hexadecimal
/// digits; empty where it wrote none. None where there is no such file.
std::optional<std::string> buildIdOf(const std::string& path);

}  // namespace holos::code
