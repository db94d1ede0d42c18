// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/descriptor.h"

namespace holos {

/// Opens a regular file for reading. None where there is no such file, and for a folder, a device or a named
/// pipe, which would keep whoever opens or reads it waiting; errno says why.
Descriptor openRegular(const std::filesystem::path& file);

/// Reads bytes at an offset; fewer at the end of the file, and where it cannot be read.
std::size_t readAt(const Descriptor& file, void* data, std::size_t bytes, std::uint64_t offset);

/// Where a file has something at the offset or behind it, as far as its file system knows; nothing behind its
/// end. Large files may have next to nothing on the disk.
std::optional<std::uint64_t> dataFrom(const Descriptor& file, std::uint64_t offset);

/// The content of a regular file of at most `largest` bytes. Throws `Error` for a folder, a device, a named
/// pipe, a file that is larger or cannot be read; `expected` says in its message what the file should be,
/// such as "a specification".
std::string readText(const std::filesystem::path& file, std::uint64_t largest, const std::string& expected);

}  // namespace holos
