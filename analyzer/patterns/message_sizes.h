// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "base/run_profile.h"

namespace holos::analyzer::patterns {

/// What the metrics of a class of message sizes are called: unique names of messages and bytes in both
/// directions, and the name that users read.
struct SizeNames {
    const char* sends;
    const char* receives;
    const char* bytesSent;
    const char* bytesReceived;
    const char* display;
};
inline constexpr std::array<SizeNames, kSizeClasses> kSizeNames{{
    {"sends_64", "receives_64", "bytes_sent_64", "bytes_rcvd_64", "Up to 64 bytes"},
    {"sends_1k", "receives_1k", "bytes_sent_1k", "bytes_rcvd_1k", "Up to 1 KiB"},
    {"sends_16k", "receives_16k", "bytes_sent_16k", "bytes_rcvd_16k", "Up to 16 KiB"},
    {"sends_256k", "receives_256k", "bytes_sent_256k", "bytes_rcvd_256k", "Up to 256 KiB"},
    {"sends_4m", "receives_4m", "bytes_sent_4m", "bytes_rcvd_4m", "Up to 4 MiB"},
    {"sends_more", "receives_more", "bytes_sent_more", "bytes_rcvd_more", "More than 4 MiB"},
}};

}  // namespace holos::analyzer::patterns
