// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holos {

/// Ascending numbers as `0-9,12`, with another text between ranges where that is wanted.
template <class Numbers>
std::string rangesOf(const Numbers& numbers, std::string_view between = ",") {
    std::string text;
    for (std::size_t at = 0; at < numbers.size();) {
        std::size_t end = at + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
        if (at > 0) text += between;
        text += std::to_string(numbers[at]);
        if (end > at + 1) text += '-' + std::to_string(numbers[end - 1]);
        at = end;
    }
    return text;
}

}  // namespace holos
