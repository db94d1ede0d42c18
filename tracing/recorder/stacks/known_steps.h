// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <bit>

#include "tracing/recorder/stacks/frame_step.h"
#include "tracing/recorder/stacks/walk/unloadings.h"

/// The steps that were found, by return address. Takes no lock, allocates nothing. Thread safety: safe.
namespace holos::tracing::stacks {

/// A reader believes what it read between two equal keys. A writer changes the key first, and last.
struct KnownStep {
    std::atomic<std::uint64_t> key{0};
    std::atomic<std::uint64_t> step{0};
};
inline constexpr unsigned kKnownStepBits = 16;
inline constexpr std::size_t kKnownStepTries = 4;
extern std::array<KnownStep, (std::size_t{1} << kKnownStepBits) + kKnownStepTries> knownSteps;

/// Addresses of code have 47 bits at most. What was found before files were unloaded has another key, until
/// that was so often that keys come again (`forgetSteps`).
inline constexpr unsigned kAddressBits = 48;
inline constexpr std::uint32_t kStepKeys = 1U << (64 - kAddressBits);
inline std::uint64_t keyOfStep(std::uint64_t address, const Unloadings::Moment& moment) noexcept {
    return address | std::uint64_t{moment.unloadings()} << kAddressBits;
}

inline KnownStep* firstKnownStep(std::uint64_t address) noexcept {
    return &knownSteps[(address * 0x9E3779B97F4A7C15U) >> (64 - kKnownStepBits)];
}

/// `findStep`, and keeps what it finds.
Step findNewStep(std::uint64_t returnAddress, const Unloadings::Moment& now) noexcept;

/// Forgets all. While a file is going away, when nobody looks anything up.
void forgetSteps() noexcept;

/// `findStep`, where it was found before.
inline Step stepAt(std::uint64_t returnAddress) noexcept {
    const Unloadings::Moment now = unloadings.now();
    const std::uint64_t key = keyOfStep(returnAddress, now);
    const KnownStep* const first = firstKnownStep(returnAddress);
    for (std::size_t i = 0; now.isQuiet() && i < kKnownStepTries; ++i) {
        if (first[i].key.load(std::memory_order_acquire) != key) continue;
        const std::uint64_t step = first[i].step.load(std::memory_order_acquire);
        if (first[i].key.load(std::memory_order_relaxed) == key) return std::bit_cast<Step>(step);
    }
    return findNewStep(returnAddress, now);
}

}  // namespace holos::tracing::stacks
