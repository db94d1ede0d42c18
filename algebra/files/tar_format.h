// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// The layout of a POSIX tar header ("ustar", IEEE Std 1003.1, `pax`), as far as containers use it.
namespace holos::algebra::tar {

inline constexpr std::size_t kBlock = 512;

struct Field {
    std::size_t offset;
    std::size_t size;
};

inline constexpr Field kName{0, 100};
inline constexpr Field kMode{100, 8};
inline constexpr Field kUser{108, 8};
inline constexpr Field kGroup{116, 8};
inline constexpr Field kSize{124, 12};
inline constexpr Field kTime{136, 12};
inline constexpr Field kChecksum{148, 8};
inline constexpr Field kType{156, 1};
inline constexpr Field kMagic{257, 6};
inline constexpr Field kVersion{263, 2};
inline constexpr Field kUserName{265, 32};
inline constexpr Field kGroupName{297, 32};
inline constexpr Field kPrefix{345, 155};

}  // namespace holos::algebra::tar
