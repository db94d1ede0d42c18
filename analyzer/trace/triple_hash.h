// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace holos::analyzer::trace {

/// For keys of three numbers, such as a parent, a function and where it is called.
inline std::size_t tripleHash(std::size_t a, std::size_t b, std::size_t c) {
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
    std::uint64_t hash = (std::uint64_t{a} << 32U | b) * kGolden;
    hash ^= hash >> 32U;
    return (hash + c) * kGolden;
}

}  // namespace holos::analyzer::trace
