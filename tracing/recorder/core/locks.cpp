// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/locks.h"

#include <array>

#include "tracing/recorder/core/binding.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing {
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

std::atomic<Lock*>& chainOf(const void* address) noexcept {
    static_assert(kChains == std::size_t{1} << (64 - 52));
    return chains[(reinterpret_cast<std::uint64_t>(address) * 0x9E3779B97F4A7C15U) >> 52];
}

/// Of memory of their own, never freed: the program's allocator may be what uses the lock. A signal handler
/// that comes meanwhile records nothing, and needs no lock.
Lock* newLock() noexcept {
    const core::Busy busy(core::thisThread);
    constexpr std::uint32_t kBlock = 64;
    thread_local Lock* block __attribute__((tls_model("initial-exec"))) = nullptr;
    thread_local std::uint32_t left __attribute__((tls_model("initial-exec"))) = 0;
    if (left == 0) {
        block = static_cast<Lock*>(core::allocate(kBlock * sizeof(Lock)));
        if (block == nullptr) return nullptr;
        left = kBlock;
    }
    return block + --left;
}

bool isAwaited(const Lock& lock) noexcept {
    return lock.isOfCondition || lock.waiters.load(std::memory_order_relaxed) != 0 ||
           lock.isTested.load(std::memory_order_relaxed);
}

}  // namespace

Lock* lockAt(const void* address) noexcept {
    auto& chain = chainOf(address);
    Lock* head = chain.load(std::memory_order_acquire);
    if (Lock* const known = findIn(head, nullptr, address)) return known;
    Lock* const lock = newLock();
    if (lock == nullptr) return nullptr;
    new (lock) Lock{address, head};
    lock->id = made.fetch_add(1, std::memory_order_relaxed);
    while (!chain.compare_exchange_weak(head, lock, std::memory_order_acq_rel, std::memory_order_acquire)) {
        // Somebody else was quicker, perhaps with the same lock.
        if (Lock* const known = findIn(head, lock->next, address)) {
            return known;  // one piece of memory is left over
        }
        lock->next = head;
    }
    return lock;
}

Lock* knownLockAt(const void* address) noexcept {
    return findIn(chainOf(address).load(std::memory_order_acquire), nullptr, address);
}

void noteAcquired(Lock& lock, bool isNestable) noexcept {
    if (!isNestable) lock.nesting = 0;  // a release may have been missed while nothing was recorded
    if (lock.nesting++ != 0) return;
    ++lock.order;
    lock.isRecorded = false;
    lock.holder.store(static_cast<std::uint32_t>(core::thisThread.kernelId), std::memory_order_relaxed);
}

bool needsRelease(Lock& lock, Paradigm paradigm) noexcept {
    if (lock.nesting == 0) return false;
    if (lock.isRecorded) return true;
    if (!isAwaited(lock) || lock.nesting != 1) return false;
    acquireLock(paradigm, lock.id, lock.order);
    lock.isRecorded = true;
    return true;
}

/// Many threads may do so all the time: it is written once.
void noteTestedInVain(Lock* lock) noexcept {
    if (lock != nullptr && !lock->isTested.load(std::memory_order_relaxed))
        lock->isTested.store(true, std::memory_order_relaxed);
}

void noteReleased(Lock& lock) noexcept {
    if (lock.nesting != 0 && --lock.nesting == 0) lock.holder.store(0, std::memory_order_relaxed);
}

bool locksAreThinned() noexcept {
    static const bool kMayBe = core::settings().locks == core::Thinning::Thin && !core::settings().addsUp;
    return kMayBe && core::thisThread.counters == nullptr;
}

Awaited awaitedLock(const Lock& lock) noexcept {
    return awaitedLock(lock, lock.holder.load(std::memory_order_relaxed));
}

Awaited awaitedLock(const Lock& lock, std::uint32_t holder) noexcept {
    return {holder, core::locationOfThread(holder), lock.id, awaitedCode(AwaitedKind::Lock)};
}

void recordAcquired(Lock* lock, bool isNestable, Paradigm paradigm) noexcept {
    if (lock == nullptr) return;
    noteAcquired(*lock, isNestable);
    lock->isRecorded = true;
    acquireLock(paradigm, lock->id, lock->order);
}

void recordReleased(Lock* lock, Paradigm paradigm) noexcept {
    if (lock == nullptr || lock->nesting == 0) return;
    noteReleased(*lock);
    if (lock->isTested.load(std::memory_order_relaxed))
        lock->isTested.store(false, std::memory_order_relaxed);
    releaseLock(paradigm, lock->id, lock->order);
}

}  // namespace holos::tracing
