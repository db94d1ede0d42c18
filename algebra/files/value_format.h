// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

/// The fixed parts of index and data members (CUBE 4).
namespace holos::algebra::values {

inline constexpr std::string_view kIndexMark = "CUBEX.INDEX";
inline constexpr std::string_view kDataMark = "CUBEX.DATA";
inline constexpr std::string_view kCompressedMark = "ZCUBEX.DATA";

/// Behind the mark of an index: uint32 byte order, uint16 version, uint8 form.
inline constexpr std::uint64_t kIndexHeader = 18;
inline constexpr std::uint32_t kNativeOrder = 1;
inline constexpr std::uint8_t kSparse = 1;
inline constexpr std::uint8_t kDense = 3;

}  // namespace holos::algebra::values
