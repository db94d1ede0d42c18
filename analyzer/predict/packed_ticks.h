// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/memory/packed_numbers.h"
#include "analyzer/memory/records.h"
#include "analyzer/trace/ids.h"

namespace holos::analyzer::predict {

using trace::Ticks;

/// A number of ticks for each mark of a location, in their order; small ones take a byte or two.
class PackedTicks {
  public:
    void append(Ticks ticks) {
        std::uint8_t bytes[kLongestNumber];
        std::uint8_t* end = bytes;
        putNumber(unfold(ticks), end);
        bytes_.insert(bytes_.end(), static_cast<const std::uint8_t*>(bytes),
                      static_cast<const std::uint8_t*>(end));
    }
    bool empty() const { return bytes_.empty(); }

    /// Reads one after the other; what is behind the last one must not be asked for. Of an empty list all are
    /// 0.
    class Reader {
      public:
        explicit Reader(const PackedTicks& ticks) : next_(ticks.empty() ? nullptr : ticks.bytes_.data()) {}
        Reader() = default;
        Ticks next() { return next_ == nullptr ? 0 : fold(takeNumber(next_)); }

      private:
        const std::uint8_t* next_ = nullptr;
    };

  private:
    Records<std::uint8_t> bytes_{heap()};
};

}  // namespace holos::analyzer::predict
