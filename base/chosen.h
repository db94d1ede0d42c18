// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace holos {

/// Everything that there is to choose from.
struct All {};
inline constexpr All kAll;

/// What somebody has chosen: everything (`kAll`), or the given values only, which is nothing where none are
/// given.
template <class T>
class Chosen {
  public:
    Chosen() = delete;  // `{}` would leave open which of both is meant
    Chosen(All) : isAll_(true) {}
    Chosen(std::vector<T> given) : given_(std::move(given)) {}
    Chosen(std::initializer_list<T> given) : given_(given) {}

    /// For options that people may leave out: everything where they name nothing.
    static Chosen orAll(std::vector<T> given) {
        return given.empty() ? Chosen(kAll) : Chosen(std::move(given));
    }

    bool isAll() const { return isAll_; }
    /// The values that were given; none where everything is chosen.
    const std::vector<T>& given() const { return given_; }
    /// Whether the value, which is one that there is, has been chosen.
    bool has(const T& value) const {
        return isAll_ || std::find(given_.begin(), given_.end(), value) != given_.end();
    }
    /// How many have been chosen of that many.
    std::size_t countOf(std::size_t all) const { return isAll_ ? all : given_.size(); }

    friend bool operator==(const Chosen&, const Chosen&) = default;

  private:
    std::vector<T> given_;
    bool isAll_ = false;
};

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
