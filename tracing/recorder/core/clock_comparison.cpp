// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/clock_comparison.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "base/fnv1a.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/keep_errno.h"

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
    const core::KeepErrno keep;
    RegionDefinition definition{"holos_synchronize_clocks"};
    definition.paradigm = Paradigm::Measurement;
    definition.role = Role::Artificial;
    const RegionRef region = defineRegion(definition);
    enter(region);
    compare();
    leave(region);
}

namespace core {

std::string machineName() {
    const char* const given = std::getenv("HOLOS_MACHINE");
    if (given != nullptr && *given != '\0') return given;
    const int file = ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    char text[64];
    const ssize_t length = ::read(file, text, sizeof text);
    ::close(file);
    std::string name(text, length > 0 ? static_cast<std::size_t>(length) : 0);
    while (!name.empty() && name.back() == '\n') name.pop_back();
    return name;
}

}  // namespace core

std::uint64_t machineNumber() noexcept try {
    const std::string name = core::machineName();
    if (name.empty()) return 0;
    return Fnv1a().add(name.data(), name.size()).value();
} catch (...) {
    return 0;
}

}  // namespace holos::tracing
