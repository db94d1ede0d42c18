// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holos {

/// `1 process`, `2 processes`. The noun is in the singular and regular.
inline std::string counted(std::uint64_t number, std::string_view noun) {
    std::string text = std::to_string(number) + ' ' + std::string(noun);
    if (number != 1) text += noun.ends_with('s') ? "es" : "s";
    return text;
}

}  // namespace holos
