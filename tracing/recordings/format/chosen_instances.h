// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

namespace holos::tracing {

/// Which instances of a phase, numbered from 1, are traced. Depends on nothing but the number and what is
/// here, so that all processes of a run choose the same ones; so there are no floating-point numbers, either,
/// which a program may have computed differently.
struct ChosenInstances {
    static constexpr unsigned kFraction = 32;  ///< bits

    std::uint64_t first = 1;
    std::optional<std::uint64_t> count = {};  ///< so many from the first on; nothing: all of them
    std::optional<std::uint64_t> every = {};  ///< and as many from each `every`-th after the first on
    /// Instead of these one of so many, at random, times 2^`kFraction`.
    std::optional<std::uint64_t> oneIn = {};
    std::uint64_t seed = 0;  ///< of the choice at random

    bool operator==(const ChosenInstances&) const = default;
    bool areAtRandom() const noexcept { return oneIn.has_value(); }

    bool has(std::uint64_t instance) const noexcept {
        if (oneIn) return isDrawn(instance, *oneIn);
        if (instance < first) return false;
        const std::uint64_t since = instance - first;
        return !count || (every ? since % *every : since) < *count;
    }

    /// For a part of all instances, at most 1.
    static std::uint64_t oneInFor(double share) { return static_cast<std::uint64_t>(0x1p32 / share); }

  private:
    /// One of each `width` instances in a row is chosen, where that is no whole number of as many as lie
    /// between two of its multiples: they are spread over the whole run, and yet no period of the program can
    /// fall together with them.
    bool isDrawn(std::uint64_t instance, std::uint64_t width) const noexcept {
        std::uint64_t part = ((instance - 1) << kFraction) / width;
        if (instance > endOf(part, width)) ++part;
        const std::uint64_t begin = part == 0 ? 0 : endOf(part - 1, width);
        return instance == begin + 1 + drawBelow(endOf(part, width) - begin, part);
    }
    static std::uint64_t endOf(std::uint64_t part, std::uint64_t width) noexcept {
        return ((part + 1) * width) >> kFraction;
    }

    /// The bits are mixed as by SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
    /// Generators, 2014).
    std::uint64_t drawBelow(std::uint64_t limit, std::uint64_t part) const noexcept {
        std::uint64_t bits = seed + (part + 1) * 0x9E3779B97F4A7C15U;
        bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
        bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
        bits ^= bits >> 31U;
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((static_cast<Wide>(bits) * limit) >> 64U);
    }
};

}  // namespace holos::tracing
