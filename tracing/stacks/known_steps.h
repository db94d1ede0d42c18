// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <bit>

#include "tracing/stacks/frame_step.h"

/// The steps that were found, by return address. Takes no lock, allocates nothing.
namespace holos::tracing::stacks {

/// A reader believes what it read between two equal keys. A writer changes the key first, and last.
struct KnownStep {
    std::atomic<std::uint64_t> key{0};
    std::atomic<std::uint64_t> step{0};
};
inline constexpr unsigned kKnownStepBits = 16;
inline constexpr std::size_t kKnownStepTries = 4;
extern std::array<KnownStep, (std::size_t{1} << kKnownStepBits) + kKnownStepTries> knownSteps;

/// How often files were unloaded: what was found in their code is void.
inline std::atomic<std::uint32_t> unloadings{0};

/// Addresses of code have 47 bits at most. What was found before files were unloaded has another key.
inline std::uint64_t keyOfStep(std::uint64_t address) noexcept {
    constexpr unsigned kAddressBits = 48;
    return address | std::uint64_t{unloadings.load(std::memory_order_relaxed)} << kAddressBits;
}

inline KnownStep* firstKnownStep(std::uint64_t address) noexcept {
    return &knownSteps[(address * 0x9E3779B97F4A7C15U) >> (64 - kKnownStepBits)];
}

/// `findStep`, and keeps what it finds.
Step findNewStep(std::uint64_t returnAddress) noexcept;

/// `findStep`, where it was found before.
inline Step stepAt(std::uint64_t returnAddress) noexcept {
    const std::uint64_t key = keyOfStep(returnAddress);
    const KnownStep* const first = firstKnownStep(returnAddress);
    for (std::size_t i = 0; i < kKnownStepTries; ++i) {
        if (first[i].key.load(std::memory_order_acquire) != key) continue;
        const std::uint64_t step = first[i].step.load(std::memory_order_acquire);
        if (first[i].key.load(std::memory_order_relaxed) == key) return std::bit_cast<Step>(step);
    }
    return findNewStep(returnAddress);
}

}  // namespace holos::tracing::stacks
