// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

namespace holos::algebra {

/// A number from bytes of this machine's order, or of the other one.
template <class T>
T loadNumber(const char* bytes, bool swapBytes) {
    char raw[sizeof(T)];
    std::memcpy(raw, bytes, sizeof(T));
    if (swapBytes) std::reverse(raw, raw + sizeof(T));
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return value;
}

/// Appends a number in this machine's byte order.
template <class T>
void append(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace holos::algebra
