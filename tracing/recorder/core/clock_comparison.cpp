// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/clock_comparison.h"

#include <atomic>
#include <cerrno>

#include "tracing/recorder/core/events.h"

namespace holos::tracing {
namespace {

std::atomic<void (*)()> comparison{nullptr};

}  // namespace

void offerClockComparison(void (*compare)()) noexcept {
    comparison.store(compare, std::memory_order_release);
}

void compareClocks() noexcept {
    if (void (*const compare)() = comparison.load(std::memory_order_acquire); compare != nullptr)
        compareClocks(compare);
}

/// Measures also where nothing is recorded of this process: the others wait for it.
void compareClocks(void (*compare)()) noexcept {
    const int saved = errno;
    RegionDefinition definition{"holos_synchronize_clocks"};
    definition.paradigm = Paradigm::Measurement;
    definition.role = Role::Artificial;
    const RegionRef region = defineRegion(definition);
    enter(region);
    compare();
    leave(region);
    errno = saved;
}

}  // namespace holos::tracing
