// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/known_steps.h"

namespace holos::tracing::stacks {

std::array<KnownStep, (std::size_t{1} << kKnownStepBits) + kKnownStepTries> knownSteps;

namespace {

constexpr std::uint64_t kEmpty = 0;
constexpr std::uint64_t kBeingWritten = ~std::uint64_t{0};

/// In an empty place, or else instead of what was there.
KnownStep* keep(KnownStep* const first, std::uint64_t key, Step step) noexcept {
    KnownStep* place = first;
    for (std::size_t i = 0; i < kKnownStepTries && place->key.load(std::memory_order_relaxed) != kEmpty; ++i)
        place = first + i;
    std::uint64_t before = place->key.load(std::memory_order_relaxed);
    if (before == kBeingWritten || !place->key.compare_exchange_strong(before, kBeingWritten)) return nullptr;
    place->step.store(std::bit_cast<std::uint64_t>(step), std::memory_order_release);
    place->key.store(key, std::memory_order_release);
    return place;
}

}  // namespace

Step findNewStep(std::uint64_t returnAddress, const Unloadings::Moment& now) noexcept {
    bool isLasting = false;
    const Step step = findStep(returnAddress, isLasting);
    if (!isLasting || !now.isQuiet() || unloadings.now() != now) return step;
    std::uint64_t key = keyOfStep(returnAddress, now);
    KnownStep* const kept = keep(firstKnownStep(returnAddress), key, step);
    // It must not outlive `forgetSteps`, after which this key is that of other code.
    if (kept != nullptr && unloadings.now() != now) kept->key.compare_exchange_strong(key, kEmpty);
    return step;
}

void forgetSteps() noexcept {
    for (KnownStep& step : knownSteps) step.key.store(kEmpty, std::memory_order_relaxed);
}

}  // namespace holos::tracing::stacks
