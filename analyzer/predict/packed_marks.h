// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/memory/records.h"
#include "analyzer/predict/mark.h"

namespace holos::analyzer::predict {

/// The marks of a location, to be read from the first to the last. Each is written as its difference from the
/// one before, because there may be very many: one of a short parallel region takes about six bytes.
/// Thread safety: safe to read.
class PackedMarks {
    /// What numbers are written as differences from.
    struct Last {
        Ticks time = 0;
        std::uint32_t slice = 0;
        std::uint32_t location = 0;
        std::uint32_t position = 0;
        std::uint32_t meeting = 0;
    };

  public:
    std::uint32_t size() const { return size_; }

    /// Reads one mark after the other, from the first one on.
    class Reader {
      public:
        explicit Reader(const PackedMarks& marks) : next_(marks.bytes_.data()), size_(marks.size_) { read(); }

        bool isAtEnd() const { return position_ == size_; }
        /// Of the mark that it stands at.
        std::uint32_t position() const { return position_; }
        /// Valid until the next one is read.
        const Mark& operator*() const { return mark_; }
        const Mark* operator->() const { return &mark_; }
        void next() {
            ++position_;
            read();
        }

      private:
        void read();
        void readDependencies();
        void readArrivals();

        const std::uint8_t* next_;
        std::uint32_t size_;
        std::uint32_t position_ = 0;
        Last last_;
        Mark mark_;
    };

  private:
    friend class MarkPacker;

    Records<std::uint8_t> bytes_{heap()};
    std::uint32_t size_ = 0;
};

/// Makes packed marks. Times and slices ascend.
class MarkPacker {
  public:
    void append(const Mark& mark);
    PackedMarks take() { return std::move(marks_); }

  private:
    void put(std::uint64_t number);
    void putDependencies(const std::vector<Dependency>& dependencies);
    void putArrivals(const std::vector<std::uint32_t>& arrivals);

    PackedMarks marks_;
    PackedMarks::Last last_;
};

}  // namespace holos::analyzer::predict
