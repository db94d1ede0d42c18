// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>

namespace holos::testing {

/// Definitions of so many processes of one thread each, of which none has an event; they may say that each
/// has some, of which the file is missing. The anchor file.
std::filesystem::path writeHollowTrace(const std::filesystem::path& folder, std::uint32_t locations,
                                       std::uint64_t missingEvents = 0);

}  // namespace holos::testing
