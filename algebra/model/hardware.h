// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "algebra/model/structure.h"

/// Where threads ran, as attributes of locations and nodes tell: the place of the processor on which a thread
/// was found for the longest time.
namespace holos::algebra {

/// Attributes of a location.
inline constexpr std::string_view kSocketAttribute = "socket";  ///< in its node
inline constexpr std::string_view kCoreAttribute = "core";      ///< in its socket
inline constexpr std::string_view kUnitAttribute = "unit";      ///< hardware thread in its core

/// Attributes of a node: how many it has, also where no thread ran.
inline constexpr std::string_view kSocketsAttribute = "sockets";
inline constexpr std::string_view kCoresAttribute = "cores of a socket";
inline constexpr std::string_view kUnitsAttribute = "units of a core";

struct HardwarePlace {
    std::uint32_t socket = 0;
    std::uint32_t core = 0;
    std::uint32_t unit = 0;
    auto operator<=>(const HardwarePlace&) const = default;
};

/// Nothing where it is not known.
std::optional<HardwarePlace> placeOf(const Location& location);

/// The whole number that an attribute has; nothing where there is none. `Number`: of 32 or 64 bits.
template <class Number = std::uint32_t>
std::optional<Number> numberOf(const Attributes& attributes, std::string_view key);

}  // namespace holos::algebra
