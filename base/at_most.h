// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/chosen.h"

namespace holos {

/// How much of something is wanted: so many pieces or bytes at most, or all.
class AtMost {
  public:
    AtMost() = delete;  // `{}` would leave open which of both is meant
    constexpr AtMost(All) {}
    constexpr AtMost(std::size_t number) : number_(number) {}

    /// As people write it in options: 0 is all.
    static constexpr AtMost zeroIsAll(std::size_t number) {
        return number == 0 ? AtMost(kAll) : AtMost(number);
    }
    constexpr std::size_t zeroIfAll() const { return number_.value_or(0); }

    /// The number; nothing where all are wanted.
    constexpr std::optional<std::size_t> limit() const { return number_; }

    /// How many that is of so many.
    constexpr std::size_t of(std::size_t all) const { return number_ ? std::min(*number_, all) : all; }
    /// Whether one more is wanted where so many are there.
    constexpr bool wantsMoreThan(std::size_t there) const { return !number_ || there < *number_; }

    friend bool operator==(const AtMost&, const AtMost&) = default;

  private:
    std::optional<std::size_t> number_;
};

}  // namespace holos
