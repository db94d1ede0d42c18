// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace holos {

/// A time as `2026-11-24T14:03:05Z`, for programs (ISO 8601), from nanoseconds since 1970 (UTC).
std::string isoTime(std::int64_t nanoseconds);

/// A time as `2026-11-24 14:03:05 UTC`, for people.
std::string readableTime(std::int64_t nanoseconds);

}  // namespace holos
