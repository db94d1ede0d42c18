// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/hardware.h"

#include <algorithm>

#include "base/number.h"

namespace holos::algebra {

template <class Number>
std::optional<Number> numberOf(const Attributes& attributes, std::string_view key) {
    const auto found =
        std::ranges::find_if(attributes, [key](const auto& attribute) { return attribute.first == key; });
    if (found == attributes.end()) return std::nullopt;
    return asNumber<Number>(found->second);
}

template std::optional<std::uint32_t> numberOf(const Attributes& attributes, std::string_view key);
template std::optional<std::uint64_t> numberOf(const Attributes& attributes, std::string_view key);

std::optional<HardwarePlace> placeOf(const Location& location) {
    const auto socket = numberOf(location.attributes, kSocketAttribute);
    const auto core = numberOf(location.attributes, kCoreAttribute);
    if (!socket || !core) return std::nullopt;
    return HardwarePlace{*socket, *core, numberOf(location.attributes, kUnitAttribute).value_or(0)};
}

}  // namespace holos::algebra
