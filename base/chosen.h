// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
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

}  // namespace holos
