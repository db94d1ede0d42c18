// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/memory/packed_records.h"
#include "base/error.h"

namespace holos::analyzer::timeline {

/// Appends a packed number.
inline void put(std::string& bytes, std::uint64_t number) {
    std::array<std::uint8_t, kLongestNumber> packed;
    std::uint8_t* end = packed.data();
    putNumber(number, end);
    bytes.append(reinterpret_cast<const char*>(packed.data()), static_cast<std::size_t>(end - packed.data()));
}

/// Packed numbers from bytes that may be damaged. Throws `holos::Error` without a place.
class Numbers {
  public:
    explicit Numbers(std::string_view bytes) : bytes_(bytes) {}

    std::uint8_t byte() {
        if (at_ == bytes_.size()) throw Error("the levels of detail end within a row");
        return static_cast<std::uint8_t>(bytes_[at_++]);
    }
    std::uint64_t number() {
        std::uint64_t number = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t next = byte();
            number |= std::uint64_t{next & 0x7FU} << shift;
            if (next < 0x80U) return number;
        }
        throw Error("the levels of detail have a number of more than 64 bits");
    }
    std::uint64_t number(std::uint64_t most) {
        const std::uint64_t known = number();
        if (known > most)
            throw Error("the levels of detail have " + std::to_string(known) + " where at most " +
                        std::to_string(most) + " can be");
        return known;
    }
    std::size_t left() const { return bytes_.size() - at_; }

  private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

}  // namespace holos::analyzer::timeline
