// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace holos::code {

/// What lies at an address of this process.
inline const unsigned char* bytesAt(std::uint64_t address) noexcept {
    return reinterpret_cast<const unsigned char*>(address);  // NOLINT(performance-no-int-to-ptr)
}

/// Reads the numbers of unwind tables one after the other (DWARF 5, section 7.6). What lies beyond the end
/// reads as 0, and the reader is no longer good. Async-signal-safe.
class ByteReader {
  public:
    ByteReader() = default;
    ByteReader(const unsigned char* begin, const unsigned char* end) noexcept : at_(begin), end_(end) {}

    bool isGood() const noexcept { return good_; }
    bool isAtEnd() const noexcept { return at_ >= end_; }
    const unsigned char* at() const noexcept { return at_; }

    template <class Number>
    Number get() noexcept {
        Number value{};
        if (!has(sizeof value)) return value;
        std::memcpy(&value, at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    std::uint64_t getUnsigned() noexcept {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += kBits) {
            const auto byte = get<std::uint8_t>();
            if (shift < 64) value |= static_cast<std::uint64_t>(byte & kPayload) << shift;
            if ((byte & kMore) == 0) return value;
        }
    }
    std::int64_t getSigned() noexcept {
        std::uint64_t value = 0;
        for (unsigned shift = 0;;) {
            const auto byte = get<std::uint8_t>();
            if (shift < 64) value |= static_cast<std::uint64_t>(byte & kPayload) << shift;
            shift += kBits;
            if ((byte & kMore) != 0) continue;
            if ((byte & kSign) != 0 && shift < 64) value |= ~std::uint64_t{0} << shift;
            return static_cast<std::int64_t>(value);
        }
    }
    /// An address in one of the encodings of `.eh_frame` (DW_EH_PE_*), but for those that go through memory.
    std::uint64_t getAddress(std::uint8_t encoding) noexcept {
        const auto place = reinterpret_cast<std::uint64_t>(at_);
        const std::uint64_t value = getEncoded(encoding & kFormat);
        switch (encoding & kRelation) {
            case kAbsolute:
                return value;
            case kFromHere:
                return value + place;
            default:
                good_ = false;
                return 0;
        }
    }
    /// Its length alone, for an address that counts from a start.
    std::uint64_t getLength(std::uint8_t encoding) noexcept { return getEncoded(encoding & kFormat); }

    void skip(std::uint64_t bytes) noexcept {
        if (has(bytes)) at_ += bytes;
    }
    /// The next bytes, which a reader of their own reads.
    ByteReader take(std::uint64_t bytes) noexcept {
        const unsigned char* const begin = at_;
        skip(bytes);
        return good_ ? ByteReader(begin, at_) : ByteReader();
    }

  private:
    static constexpr unsigned kBits = 7;
    static constexpr std::uint8_t kPayload = 0x7F;
    static constexpr std::uint8_t kMore = 0x80;
    static constexpr std::uint8_t kSign = 0x40;
    static constexpr std::uint8_t kFormat = 0x0F;
    static constexpr std::uint8_t kRelation = 0xF0;
    static constexpr std::uint8_t kAbsolute = 0x00;
    static constexpr std::uint8_t kFromHere = 0x10;

    bool has(std::uint64_t bytes) noexcept {
        if (good_ && bytes <= static_cast<std::uint64_t>(end_ - at_)) return true;
        good_ = false;
        at_ = end_;
        return false;
    }

    template <class Number>
    std::uint64_t widened() noexcept {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(get<Number>()));
    }

    std::uint64_t getEncoded(std::uint8_t format) noexcept {
        switch (format) {
            case 0x00:
            case 0x04:
                return get<std::uint64_t>();
            case 0x01:
                return getUnsigned();
            case 0x02:
                return get<std::uint16_t>();
            case 0x03:
                return get<std::uint32_t>();
            case 0x09:
                return static_cast<std::uint64_t>(getSigned());
            case 0x0A:
                return widened<std::int16_t>();
            case 0x0B:
                return widened<std::int32_t>();
            case 0x0C:
                return widened<std::int64_t>();
            default:
                good_ = false;
                return 0;
        }
    }

    const unsigned char* at_ = nullptr;
    const unsigned char* end_ = nullptr;
    bool good_ = true;
};

}  // namespace holos::code
