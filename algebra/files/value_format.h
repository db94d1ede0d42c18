// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace holos::algebra::values {

/// The fixed parts of index and data members (CUBE 4).
inline constexpr std::string_view kIndexMark = "CUBEX.INDEX";
inline constexpr std::string_view kDataMark = "CUBEX.DATA";
inline constexpr std::string_view kCompressedMark = "ZCUBEX.DATA";

/// Behind the mark of an index: uint32 byte order, uint16 version, uint8 form.
inline constexpr std::uint64_t kIndexHeader = 18;
inline constexpr std::uint32_t kNativeOrder = 1;
inline constexpr std::uint8_t kSparse = 1;
inline constexpr std::uint8_t kDense = 3;

/// Behind the rows of a data member, before sums: see `stored_sums.h`. The other one is of files without
/// least values.
inline constexpr std::string_view kSumsMark = "HOLOS.SUMS.2\n\n\n\n";
inline constexpr std::string_view kSumsMarkWithoutLeasts = "HOLOS.SUMS.1\n\n\n\n";

}  // namespace holos::algebra::values

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
void appendNumber(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace holos::algebra
