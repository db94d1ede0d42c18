// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/openmp/locks.h"

#include <array>
#include <new>
namespace holos::tracing::openmp {
namespace {

/// Chains that only ever grow at their head, so that they are read without a lock.
constexpr std::size_t kChains = 1U << 12;
std::array<std::atomic<Lock*>, kChains> chains;
std::atomic<std::uint32_t> made{0};

Lock* findIn(Lock* chain, const Lock* end, const void* address) {
    for (Lock* lock = chain; lock != end; lock = lock->next)
        if (lock->address == address) return lock;
    return nullptr;
}

}  // namespace

Lock* lockAt(const void* address) noexcept {
    auto& chain = chains[(reinterpret_cast<std::uint64_t>(address) * 0x9E3779B97F4A7C15U) >> 52];
    static_assert(kChains == std::size_t{1} << (64 - 52));
    Lock* head = chain.load(std::memory_order_acquire);
    if (Lock* const known = findIn(head, nullptr, address)) return known;
    Lock* const lock = new (std::nothrow) Lock{address, 0, 0, 0, 0, 0, head};
    if (lock == nullptr) return nullptr;
    lock->id = made.fetch_add(1, std::memory_order_relaxed);
    while (!chain.compare_exchange_weak(head, lock, std::memory_order_acq_rel, std::memory_order_acquire)) {
        // Somebody else was quicker, perhaps with the same lock.
        if (Lock* const known = findIn(head, lock->next, address)) {
            delete lock;
            return known;
        }
        lock->next = head;
    }
    return lock;
}

void recordAcquired(Lock* lock, bool isNestable) noexcept {
    if (lock == nullptr) return;
    if (!isNestable) lock->nesting = 0;  // a release may have been missed while nothing was recorded
    if (lock->nesting++ == 0) ++lock->order;
    acquireLock(Paradigm::OpenMp, lock->id, lock->order);
}

void recordReleased(Lock* lock) noexcept {
    if (lock == nullptr || lock->nesting == 0) return;
    --lock->nesting;
    releaseLock(Paradigm::OpenMp, lock->id, lock->order);
}

}  // namespace holos::tracing::openmp
