// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "analyzer/memory/records.h"

namespace holos::analyzer {

/// One of each location, in the memory given. Of a large run most locations may have nothing: they take a
/// word each, and all of them read the same empty one.
/// Thread safety: one thread for each location.
template <class T>
class ByLocation {
  public:
    ByLocation() : ByLocation(0) {}
    explicit ByLocation(std::size_t locations, Memory memory = heap())
        : memory_(memory), nothing_(make()), parts_(locations, nothing_.get()) {}
    ByLocation(ByLocation&&) noexcept = default;
    ByLocation& operator=(ByLocation&& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(nothing_, other.nothing_);
        std::swap(parts_, other.parts_);
        return *this;
    }
    ByLocation(const ByLocation&) = delete;
    ByLocation& operator=(const ByLocation&) = delete;
    ~ByLocation() {
        visitOwn([](T& part) { delete &part; });
    }

    std::size_t size() const { return parts_.size(); }
    bool empty() const { return parts_.empty(); }
    const T& operator[](std::size_t location) const { return *parts_[location]; }
    /// False where nothing was ever put.
    bool has(std::size_t location) const { return parts_[location] != nothing_.get(); }

    void put(std::size_t location, T part) {
        const std::unique_ptr<T> before(has(location) ? parts_[location] : nullptr);
        parts_[location] = nothing_.get();
        parts_[location] = std::make_unique<T>(std::move(part)).release();
    }
    /// Gives away what is there; then it has nothing. Needs `has`.
    T take(std::size_t location) {
        const std::unique_ptr<T> part(std::exchange(parts_[location], nothing_.get()));
        return std::move(*part);
    }
    /// To change it: from now on it has a place of its own.
    T& own(std::size_t location) {
        T*& part = parts_[location];
        if (part == nothing_.get()) part = make().release();
        return *part;
    }
    /// Calls `visit` with those that have a place of their own.
    template <class Visit>
    void visitOwn(Visit&& visit) {
        for (T* const part : parts_)
            if (part != nothing_.get()) visit(*part);
    }

    class Iterator {
      public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = T;
        using difference_type = std::ptrdiff_t;
        using pointer = const T*;
        using reference = const T&;

        Iterator() = default;
        Iterator(const ByLocation& all, std::size_t at) : all_(&all), at_(at) {}
        reference operator*() const { return (*all_)[at_]; }
        pointer operator->() const { return &**this; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++at_;
            return before;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

      private:
        const ByLocation* all_ = nullptr;
        std::size_t at_ = 0;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

  private:
    std::unique_ptr<T> make() const {
        if constexpr (std::is_constructible_v<T, Memory>)
            return std::make_unique<T>(memory_);
        else
            return std::make_unique<T>();
    }

    Memory memory_;
    std::unique_ptr<T> nothing_;  ///< never changed
    std::vector<T*> parts_;       ///< their own, or that
};

}  // namespace holos::analyzer
