// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "analyzer/memory/records.h"

namespace holos::analyzer {

/// Whole numbers in few bytes where most are small: seven bits to a byte, the eighth one says whether there
/// are more.

/// The most bytes that a number takes.
inline constexpr std::size_t kLongestNumber = 10;

inline std::size_t packedLength(std::uint64_t number) {
    return (static_cast<std::size_t>(std::bit_width(number | 1U)) + 6) / 7;
}
/// Moves `next` behind the number.
inline void putNumber(std::uint64_t number, std::uint8_t*& next) {
    for (; number >= 0x80U; number >>= 7U) *next++ = static_cast<std::uint8_t>(number | 0x80U);
    *next++ = static_cast<std::uint8_t>(number);
}
/// Fills all bytes up to `end`, which are enough for the number.
inline void putNumber(std::uint64_t number, std::uint8_t* next, const std::uint8_t* end) {
    for (; next + 1 != end; number >>= 7U) *next++ = static_cast<std::uint8_t>(number | 0x80U);
    *next = static_cast<std::uint8_t>(number);
}
/// What `putNumber` put there.
[[gnu::always_inline]] inline std::uint64_t takeNumber(const std::uint8_t*& next) {
    std::uint64_t number = *next++;
    if (number < 0x80U) return number;
    number &= 0x7FU;
    for (unsigned shift = 7;; shift += 7) {
        const std::uint8_t more = *next++;
        number |= std::uint64_t{more & 0x7FU} << shift;
        if (more < 0x80U) return number;
    }
}

/// Small negative numbers are small, too: 0, −1, 1, −2, …
inline std::uint64_t unfold(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    return number < 0 ? ~(bits << 1U) : bits << 1U;
}
inline std::int64_t fold(std::uint64_t bits) {
    return static_cast<std::int64_t>((bits & 1U) != 0 ? ~(bits >> 1U) : bits >> 1U);
}

/// One record as what it differs in from what is expected of it. Before the differences stands which of them
/// there are: what is as expected takes one bit.
class DifferenceWriter {
  public:
    template <class Number>
    void number(Number number, std::type_identity_t<Number> expected) {
        using Bits = std::make_unsigned_t<Number>;
        const auto difference =
            static_cast<std::make_signed_t<Number>>(static_cast<Bits>(number) - static_cast<Bits>(expected));
        if (difference != 0) {
            there_ |= std::uint64_t{1} << count_;
            putNumber(unfold(difference), next_);
        }
        ++count_;
    }
    void flag(bool flag) {
        if (flag) there_ |= std::uint64_t{1} << count_;
        ++count_;
    }
    template <class Id>
    void id(Id id, Id expected) {
        number(static_cast<std::uint32_t>(id.index()), static_cast<std::uint32_t>(expected.index()));
    }

    void appendTo(Records<std::uint8_t>& bytes) {
        std::uint8_t* const differences = bytes_.data() + kLongestNumber;
        std::uint8_t* const begin = differences - packedLength(there_);
        putNumber(there_, begin, differences);
        bytes.append(begin, next_);
    }

  private:
    static constexpr std::size_t kMostNumbers = 16;

    /// With room in front for the number that says which of them there are.
    std::array<std::uint8_t, (1 + kMostNumbers) * kLongestNumber> bytes_;
    std::uint8_t* next_ = bytes_.data() + kLongestNumber;
    std::uint64_t there_ = 0;
    unsigned count_ = 0;
};

/// Gives a record back, by the writer's functions in the writer's order.
class DifferenceReader {
  public:
    explicit DifferenceReader(const std::uint8_t* record) : next_(record), there_(takeNumber(next_)) {}
    /// Behind the record, once all of it is read.
    const std::uint8_t* next() const { return next_; }

    template <class Number>
    void number(Number& number, std::type_identity_t<Number> expected) {
        using Bits = std::make_unsigned_t<Number>;
        number = expected;
        if (isThere())
            number =
                static_cast<Number>(static_cast<Bits>(expected) + static_cast<Bits>(fold(takeNumber(next_))));
    }
    void flag(bool& flag) { flag = isThere(); }
    template <class Id>
    void id(Id& id, Id expected) {
        std::uint32_t index = 0;
        number(index, static_cast<std::uint32_t>(expected.index()));
        id = Id(index);
    }

  private:
    bool isThere() { return (std::exchange(there_, there_ >> 1U) & 1U) != 0; }

    const std::uint8_t* next_;
    std::uint64_t there_;
};

/// Records that are read from the first to the last, each as its difference from the one before. A function
/// `describe(differences, record, before)` beside the record calls the functions of a `DifferenceWriter` or a
/// `DifferenceReader` for each of its members, 16 at most, those first that are seldom as expected.
/// Thread safety: safe to read.
template <class Record>
class PackedRecords {
  public:
    explicit PackedRecords(Memory memory = heap()) : bytes_(memory) {}

    std::uint32_t size() const { return size_; }
    bool empty() const { return size_ == 0; }

    /// Reads one record after the other; what it gives is valid until the next one.
    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Record;
        using difference_type = std::ptrdiff_t;
        using pointer = const Record*;
        using reference = const Record&;

        Iterator(const std::uint8_t* next, std::uint32_t left) : next_(next), left_(left) { read(); }
        reference operator*() const { return record_; }
        pointer operator->() const { return &record_; }
        Iterator& operator++() {
            --left_;
            read();
            return *this;
        }
        bool operator==(const Iterator& other) const { return left_ == other.left_; }

      private:
        /// With all that it calls, so that a record passes through registers.
        [[gnu::flatten]] void read() {
            if (left_ == 0) return;
            const Record before = record_;
            DifferenceReader differences(next_);
            describe(differences, record_, before);
            next_ = differences.next();
        }
        const std::uint8_t* next_;
        std::uint32_t left_;
        Record record_{};
    };
    Iterator begin() const { return {bytes_.data(), size_}; }
    Iterator end() const { return {nullptr, 0}; }

    /// Describes itself to a `Packer` or `Unpacker`.
    template <class Packing>
    void pack(Packing& packing) {
        packing.list(bytes_);
        packing.value(size_);
    }

  private:
    template <class>
    friend class RecordPacker;

    Records<std::uint8_t> bytes_;
    std::uint32_t size_ = 0;
};

/// Makes packed records.
template <class Record>
class RecordPacker {
  public:
    explicit RecordPacker(Memory memory) : records_(memory) {}

    void append(const Record& record) {
        DifferenceWriter differences;
        describe(differences, record, last_);
        differences.appendTo(records_.bytes_);
        ++records_.size_;
        last_ = record;
    }
    std::uint32_t size() const { return records_.size(); }
    PackedRecords<Record> take() { return std::move(records_); }

  private:
    PackedRecords<Record> records_;
    Record last_{};
};

}  // namespace holos::analyzer
