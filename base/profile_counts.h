// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace holos {

/// Sizes up to which messages are counted together: 64 bytes, 1 and 16 KiB, and so on; one more class has
/// those that are larger.
inline constexpr std::array<std::uint64_t, 5> kMessageSizes{64, 1024, 16384, 262144, 4194304};
inline constexpr std::size_t kSizeClasses = kMessageSizes.size() + 1;

/// The class of a message that carries bytes.
constexpr std::size_t sizeClassOf(std::uint64_t bytes) {
    constexpr unsigned kFirst = 6;  // of 2^6 bytes
    constexpr unsigned kEach = 4;   // 16 times as many
    const auto bits = static_cast<unsigned>(std::bit_width(bytes - 1));
    if (bits <= kFirst) return 0;
    const std::size_t known = (bits - kFirst + kEach - 1) / kEach;
    return known < kSizeClasses ? known : kSizeClasses - 1;
}

/// What a profile counts of messages and operations, by call path: how many there were, and their bytes.
enum class ProfileCount : std::uint8_t {
    EmptySends,  ///< messages without bytes
    Sends,       ///< of the first class of sizes; then the others
    EmptyReceives = Sends + kSizeClasses,
    Receives,                             ///< by class of sizes, too
    Exchanges = Receives + kSizeClasses,  ///< collective operations in which the process sends and receives;
                                          ///< bytes are those that it sends
    Sources,                              ///< in which it only sends
    Destinations,                         ///< in which it only receives
    Synchronizations,                     ///< in which it moves no bytes
    ReceivedTogether,                     ///< bytes that it receives in any of these; their number is 0
    Puts,                                 ///< of one-sided communication
    Gets
};
inline constexpr std::size_t kProfileCounts = static_cast<std::size_t>(ProfileCount::Gets) + 1;

struct ProfiledAmount {
    std::uint64_t number;
    std::uint64_t bytes;
};

/// Of `ProfileCount::Sends` or `Receives`, that of a class.
constexpr ProfileCount ofClass(ProfileCount first, std::size_t sizeClass) {
    return static_cast<ProfileCount>(static_cast<std::size_t>(first) + sizeClass);
}

}  // namespace holos
