// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holos {

/// Bytes as two digits each, `0` to `9` and `a` to `f`.
inline std::string inHexadecimal(const void* bytes, std::size_t size) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (std::size_t at = 0; at < size; ++at) {
        const unsigned byte = static_cast<const unsigned char*>(bytes)[at];
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 0xFU];
    }
    return text;
}

}  // namespace holos
