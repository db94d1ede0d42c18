// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

namespace holos::archive {

/// The references of one process, which count from 1, and the numbers that they have for several processes.
class NumberMap {
  public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    /// Larger references than any process has are damage and forgotten.
    void set(std::uint32_t ref, std::uint32_t number) {
        constexpr std::uint32_t kMost = 1u << 24;
        if (ref >= kMost) return;
        if (ref >= numbers_.size()) numbers_.resize(std::size_t{ref} + 1, kNone);
        numbers_[ref] = number;
    }
    std::optional<std::uint32_t> find(std::uint32_t ref) const {
        const bool isKnown = ref < numbers_.size() && numbers_[ref] != kNone;
        return isKnown ? std::optional(numbers_[ref]) : std::nullopt;
    }
    std::uint32_t at(std::uint32_t ref) const {
        if (const auto number = find(ref)) return *number;
        throw std::out_of_range("a reference without a number");
    }
    /// Calls `visit(ref, number)`.
    template <class Visit>
    void forEach(Visit visit) const {
        for (std::uint32_t ref = 0; ref < numbers_.size(); ++ref)
            if (numbers_[ref] != kNone) visit(ref, numbers_[ref]);
    }
    /// `change(number)` takes the place of each number; `kNone` removes it.
    template <class Change>
    void renumber(Change change) {
        for (auto& number : numbers_)
            if (number != kNone) number = change(number);
    }

  private:
    std::vector<std::uint32_t> numbers_;  ///< by reference
};

/// The numbers of everything that a process defined.
struct Numbers {
    NumberMap regions;
    NumberMap metrics;
    NumberMap parameters;
    NumberMap comms;
    NumberMap places;  ///< the process's own among the members of each communicator
    NumberMap windows;
    NumberMap groups;
    NumberMap files;
    NumberMap handles;
};

}  // namespace holos::archive
