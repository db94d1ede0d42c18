// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>

namespace holos::algebra {

/// A dense index with a type of its own, so that a call path cannot be taken for a metric.
template <class Tag>
class Id {
  public:
    constexpr Id() = default;
    constexpr explicit Id(std::size_t index) : index_(static_cast<std::uint32_t>(index)) {}
    /// The position in the table that the id belongs to.
    constexpr std::size_t index() const { return index_; }
    friend constexpr auto operator<=>(Id, Id) = default;

  private:
    std::uint32_t index_ = 0;
};

/// All ids of a table in ascending order: `for (const MetricId id : forest.ids())`.
template <class OneId>
class Ids {
  public:
    class Iterator {
      public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = OneId;
        using difference_type = std::ptrdiff_t;
        using pointer = const OneId*;
        using reference = OneId;
        Iterator() = default;
        explicit Iterator(std::size_t at) : at_(at) {}
        OneId operator*() const { return OneId(at_); }
        Iterator& operator++() { return ++at_, *this; }
        Iterator operator++(int) { return Iterator(at_++); }
        friend bool operator==(Iterator, Iterator) = default;

      private:
        std::size_t at_ = 0;
    };
    explicit Ids(std::size_t count) : count_(count) {}
    Iterator begin() const { return Iterator(0); }
    Iterator end() const { return Iterator(count_); }

  private:
    std::size_t count_;
};

using MetricId = Id<struct MetricTag>;
using RegionId = Id<struct RegionTag>;
using CallPathId = Id<struct CallPathTag>;
using SystemNodeId = Id<struct SystemNodeTag>;
using ProcessId = Id<struct ProcessTag>;
using LocationId = Id<struct LocationTag>;

}  // namespace holos::algebra

template <class Tag>
struct std::hash<holos::algebra::Id<Tag>> {
    std::size_t operator()(holos::algebra::Id<Tag> id) const noexcept { return id.index(); }
};
