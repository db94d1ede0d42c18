// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace holos::analyzer::trace {

/// What the first byte of a record says, in every version of OTF2 so far. All but time stamps say their
/// length in the next byte.
enum RecordType : std::uint8_t {
    kFilling = 0,  ///< to the end of a chunk into which the next record did not fit, or of a damaged file
    kEndOfFile = 1,
    kEndOfRecords = 2,  ///< comes before the former
    kChunkHeader = 3,
    kTimeStamp = 5,  ///< among events only
    kAttributes = 6  ///< among events only: they belong to the event behind them
};
constexpr std::uint8_t kFirstEvent = 10;
constexpr std::uint8_t kFirstDefinition = 5;

constexpr std::uint8_t kLittleEndian = 'B';
constexpr std::uint8_t kBigEndian = '#';
constexpr std::uint8_t kOwnOrder = std::endian::native == std::endian::little ? kLittleEndian : kBigEndian;
constexpr std::uint8_t kLongRecord = 0xFF;  ///< its length stands in the eight bytes behind

/// Instead of the size of a value: it is the largest number, and has no bytes of its own.
constexpr std::uint8_t kUndefinedValue = 0xFF;

constexpr std::size_t kTimeStampBytes = 9;

/// A chunk begins with its kind, the order of bytes, and the numbers of its first and last event.
constexpr std::size_t kChunkHeaderBytes = 18;

}  // namespace holos::analyzer::trace
