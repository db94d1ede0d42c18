// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/openmp/constructs.h"

#include <array>
#include <atomic>
#include <mutex>

#include "tracing/recorder/core/filtering.h"
#include "tracing/recorder/core/held_signals.h"
#include "tracing/recorder/core/own_lock.h"

namespace holos::tracing::openmp {
namespace {

struct Kind {
    const char* name;
    Role role;
};
constexpr std::array<Kind, static_cast<std::size_t>(Construct::Count)> kKinds{{
    {"!$omp parallel", Role::Parallel},
    {"!$omp teams", Role::Parallel},
    {"!$omp implicit barrier", Role::ImplicitBarrier},
    {"!$omp barrier", Role::Barrier},
    {"!$omp for", Role::Loop},
    {"!$omp distribute", Role::Loop},
    {"!$omp sections", Role::Sections},
    {"!$omp single", Role::Single},
    {"!$omp workshare", Role::Workshare},
    {"!$omp master", Role::Master},
    {"!$omp critical", Role::Critical},
    {"!$omp critical sblock", Role::CriticalBlock},
    {"!$omp atomic", Role::Atomic},
    {"!$omp ordered", Role::Ordered},
    {"!$omp ordered sblock", Role::OrderedBlock},
    {"!$omp taskwait", Role::TaskWait},
    {"!$omp taskgroup", Role::TaskWait},
    {"!$omp task", Role::Task},
    {"!$omp create task", Role::TaskCreate},
    {"!$omp implicit barrier of for", Role::ImplicitBarrier},
    {"!$omp implicit barrier of sections", Role::ImplicitBarrier},
    {"!$omp implicit barrier of single", Role::ImplicitBarrier},
}};

constexpr std::array<const char*, static_cast<std::size_t>(LockRoutine::Count)> kRoutines{
    "omp_init_lock",       "omp_destroy_lock",   "omp_set_lock",          "omp_unset_lock",
    "omp_test_lock",       "omp_init_nest_lock", "omp_destroy_nest_lock", "omp_set_nest_lock",
    "omp_unset_nest_lock", "omp_test_nest_lock"};

/// A place of the table; `region` is written before `key`, and neither changes afterwards.
struct Slot {
    std::atomic<std::uint64_t> key{0};
    std::atomic<RegionRef> region{0};
};
constexpr unsigned kSlotBits = 13;
constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
std::array<Slot, kSlots> slots;
std::mutex mutex;

/// A construct, where its call returns to, and a bit that tells a key from an empty slot.
std::uint64_t keyOf(Construct construct, const void* address) {
    constexpr unsigned kConstructBits = 5;
    static_assert(static_cast<std::size_t>(Construct::Count) <= std::size_t{1} << kConstructBits);
    return reinterpret_cast<std::uint64_t>(address) << kConstructBits |
           static_cast<std::uint64_t>(construct) | std::uint64_t{1} << 63;
}

/// Where the search for a key begins: Fibonacci hashing.
std::size_t homeOf(std::uint64_t key) {
    return (key * 0x9E3779B97F4A7C15U) >> (64 - kSlotBits);
}

/// Whether a filter may leave out constructs of this role: nobody waits at their end, and no team or task
/// begins with them.
bool canBeLeftOut(Role role) {
    switch (role) {
        case Role::Loop:
        case Role::Sections:
        case Role::Single:
        case Role::Workshare:
        case Role::Master:
        case Role::Critical:
        case Role::CriticalBlock:
        case Role::Atomic:
        case Role::Ordered:
        case Role::OrderedBlock:
            return true;
        default:
            return false;
    }
}

bool isLeftOut(Construct construct) {
    const Kind& kind = kKinds[static_cast<std::size_t>(construct)];
    return canBeLeftOut(kind.role) && core::isCallFilteredOut(kind.name);
}

RegionRef define(Construct construct, const void* returnAddress) {
    const Kind& kind = kKinds[static_cast<std::size_t>(construct)];
    RegionDefinition definition{};
    definition.name = kind.name;
    definition.paradigm = Paradigm::OpenMp;
    definition.role = kind.role;
    if (returnAddress == nullptr) return defineRegion(definition);
    // The call is before the place it returns to, and may be the last instruction of its line.
    return defineRegionAt(static_cast<const char*>(returnAddress) - 1, definition);
}

RegionRef defineOnce(std::uint64_t key, Construct construct, const void* returnAddress) {
    const core::HeldSignals held;
    const core::OwnLock lock(mutex);
    std::size_t place = homeOf(key);
    for (std::size_t tried = 0; tried < kSlots; ++tried, place = (place + 1) % kSlots) {
        const std::uint64_t there = slots[place].key.load(std::memory_order_relaxed);
        if (there == key) return slots[place].region.load(std::memory_order_relaxed);
        if (there != 0) continue;
        const bool isNone = isLeftOut(construct);
        const RegionRef region = isNone ? 0 : define(construct, returnAddress);
        if (region == 0 && !isNone) return 0;
        slots[place].region.store(region, std::memory_order_relaxed);
        slots[place].key.store(key, std::memory_order_release);
        return region;
    }
    return isLeftOut(construct) ? 0 : define(construct, returnAddress);
}

/// Stands in the table for the region of a routine that the filter excludes.
constexpr RegionRef kLeftOut = ~RegionRef{0};

}  // namespace

RegionRef regionAt(Construct construct, const void* returnAddress) noexcept {
    const std::uint64_t key = keyOf(construct, returnAddress);
    std::size_t place = homeOf(key);
    for (std::size_t tried = 0; tried < kSlots; ++tried, place = (place + 1) % kSlots) {
        const std::uint64_t there = slots[place].key.load(std::memory_order_acquire);
        if (there == key) return slots[place].region.load(std::memory_order_relaxed);
        if (there == 0) break;
    }
    return defineOnce(key, construct, returnAddress);
}

RegionRef regionOf(LockRoutine routine) noexcept {
    static std::array<std::atomic<RegionRef>, kRoutines.size()> regions{};
    std::atomic<RegionRef>& region = regions[static_cast<std::size_t>(routine)];
    if (const RegionRef known = region.load(std::memory_order_relaxed); known != 0)
        return known != kLeftOut ? known : 0;
    if (core::isCallFilteredOut(kRoutines[static_cast<std::size_t>(routine)])) {
        region.store(kLeftOut, std::memory_order_relaxed);
        return 0;
    }
    RegionDefinition definition{};
    definition.name = kRoutines[static_cast<std::size_t>(routine)];
    definition.file = "OMP";
    definition.paradigm = Paradigm::OpenMp;
    definition.role = Role::Wrapper;
    const RegionRef made = defineRegion(definition);
    region.store(made, std::memory_order_relaxed);
    return made;
}

}  // namespace holos::tracing::openmp
