// SPDX-License-Identifier: BSD-3-Clause
#include "base/utc_time.h"

#include <ctime>

namespace holos {
namespace {

std::string utcText(std::int64_t nanoseconds, const char* format) {
    const auto seconds = static_cast<std::time_t>(nanoseconds / 1'000'000'000);
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    char text[32] = {};
    std::strftime(text, sizeof text, format, &utc);
    return text;
}

}  // namespace

std::string isoTime(std::int64_t nanoseconds) {
    return utcText(nanoseconds, "%Y-%m-%dT%H:%M:%SZ");
}

std::string readableTime(std::int64_t nanoseconds) {
    return utcText(nanoseconds, "%Y-%m-%d %H:%M:%S UTC");
}

}  // namespace holos
