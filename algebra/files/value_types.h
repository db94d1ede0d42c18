// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "algebra/model/structure.h"

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

/// The type that CUBE calls `name` (`<dtype>`); unknown names are Double, as for CUBE's own reader.
ValueType valueTypeOf(std::string_view name);
/// What to write as `<dtype>`: the metric's own spelling while it means the metric's type.
std::string typeNameOf(const Metric& metric);

/// Bytes of one stored value; 0 for Compound, whose size this program does not need to know.
std::size_t sizeOf(ValueType type);

/// What a negative number becomes in an unsigned type of less than 64 bits.
enum class Negative : std::uint8_t {
    IsZero,
    CountsDown  ///< from the end of the type: readers find it out where it is more than what it is a part of
};

/// Stored bytes to doubles and back; `bytes` has `values.size() * sizeOf(type)` of them. Integers beyond 2^53
/// lose their last digits; on encoding, values are rounded and kept within the type's range, NaN becomes 0
/// for integers. Unsigned integers of 64 bits count on beyond both ends, as in programs that count down with
/// them: from 2^63 on they are negative, and negative ones are stored so.
void decode(ValueType type, const char* bytes, bool swapBytes, std::span<double> values);
void encode(ValueType type, std::span<const double> values, char* bytes,
            Negative negative = Negative::IsZero);
/// Integers exactly, as they are stored. `type` is one of integers.
void decodeIntegers(ValueType type, const char* bytes, bool swapBytes, std::span<std::int64_t> values);

}  // namespace holos::algebra
