// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>

namespace holos::testing {

/// Definitions of so many processes of one thread each, of which none has an event. The anchor file.
std::filesystem::path writeHollowTrace(const std::filesystem::path& folder, std::uint32_t locations);

}  // namespace holos::testing
