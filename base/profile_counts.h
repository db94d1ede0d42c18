// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace holos {

/// What a profile counts of messages and operations, by call path.
enum class ProfileCount : std::uint8_t {
    Sends,       ///< messages that carry bytes
    EmptySends,  ///< that carry none
    BytesSent,
    Receives,
    EmptyReceives,
    BytesReceived,
    Exchanges,         ///< collective operations in which the process sends and receives
    Sources,           ///< in which it only sends
    Destinations,      ///< in which it only receives
    Synchronizations,  ///< in which it moves no bytes
    BytesOut,
    BytesIn,
    BytesPut,  ///< of one-sided communication
    BytesGot
};
inline constexpr std::size_t kProfileCounts = static_cast<std::size_t>(ProfileCount::BytesGot) + 1;

}  // namespace holos
