// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holos::algebra {

/// The name of a metric's members without `.index` and `.data`.
std::string memberStem(std::uint64_t metricId, bool ghost);

/// Whether a member has the name of some metric's values, so that it cannot be an additional file.
bool isValueMember(std::string_view name);

}  // namespace holos::algebra
