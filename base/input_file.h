// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace holos {

/// The content of a regular file of at most `largest` bytes. Throws `Error` for a folder, a device, a named
/// pipe, a file that is larger or cannot be read; `expected` says in its message what the file should be,
/// such as "a specification".
std::string readText(const std::filesystem::path& file, std::uint64_t largest, const std::string& expected);

}  // namespace holos
