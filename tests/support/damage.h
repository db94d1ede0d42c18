// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace holos::testing {

/// Cuts a file to its first `bytes` bytes. It must have more.
void truncate(const std::filesystem::path& file, std::uintmax_t bytes);

/// Overwrites part of a file, from a byte on. The file must be long enough.
void overwrite(const std::filesystem::path& file, std::uintmax_t from, std::string_view bytes);

/// Changes the first time stamp `from` in an event file to `to`, which OTF2's writer might refuse to write.
void changeTimestamp(const std::filesystem::path& file, std::uint64_t from, std::uint64_t to);

/// Puts this text in place of a file, whether there is one or not.
void replace(const std::filesystem::path& file, std::string_view content);

}  // namespace holos::testing
