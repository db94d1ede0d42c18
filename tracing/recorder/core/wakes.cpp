// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/wakes.h"

namespace holos::tracing {
namespace {

/// Whatever else is or was at an address: user space ends far below.
const void* keyOf(const void* address, WaitPlace kind) noexcept {
    constexpr unsigned kFirstFree = 60;
    const auto bits = reinterpret_cast<std::uint64_t>(address) | static_cast<std::uint64_t>(kind)
                                                                     << kFirstFree;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a key, at which nothing is read
    return reinterpret_cast<const void*>(bits);
}

}  // namespace

Lock* waitPlaceAt(const void* address, WaitPlace kind) noexcept {
    return lockAt(keyOf(address, kind));
}

Lock* knownWaitPlaceAt(const void* address, WaitPlace kind) noexcept {
    return knownLockAt(keyOf(address, kind));
}

Lock* awaitedPlaceAt(const void* address, WaitPlace kind) noexcept {
    Lock* const place = knownWaitPlaceAt(address, kind);
    return place != nullptr && place->waiters.load(std::memory_order_relaxed) != 0 ? place : nullptr;
}

void recordWake(Lock& place) noexcept {
    releaseLock(Paradigm::System, place.id, place.steps.fetch_add(1, std::memory_order_relaxed) + 1);
}

std::uint32_t wokenOrder(const Lock& place) noexcept {
    return place.steps.load(std::memory_order_relaxed) + 1;
}

void recordWoken(const Lock& place) noexcept {
    acquireLock(Paradigm::System, place.id, wokenOrder(place));
}

Turn recordTurn(Lock& place) noexcept {
    const Turn turn{place.id, place.steps.fetch_add(1, std::memory_order_relaxed) + 1};
    acquireLock(Paradigm::System, turn.place, turn.number);
    return turn;
}

void recordEnd(Turn turn) noexcept {
    if (turn.number != 0) releaseLock(Paradigm::System, turn.place, turn.number);
}

void beginBarrier(Lock& barrier, std::uint32_t members) noexcept {
    barrier.firstStep.store(barrier.steps.load(std::memory_order_relaxed), std::memory_order_relaxed);
    barrier.members.store(members, std::memory_order_relaxed);
}

Arrival::Arrival(Lock* barrier) noexcept : barrier_(barrier) {
    const std::uint32_t members = barrier != nullptr ? barrier->members.load(std::memory_order_relaxed) : 0;
    if (members == 0) {
        barrier_ = nullptr;
        return;
    }
    own_ = barrier->steps.fetch_add(1, std::memory_order_relaxed) + 1;
    const std::uint32_t before = own_ - 1 - barrier->firstStep.load(std::memory_order_relaxed);
    last_ = own_ - before % members + members - 1;
}

void Arrival::record() const noexcept {
    if (barrier_ != nullptr) releaseLock(Paradigm::System, barrier_->id, own_);
}

void Arrival::recordEnd() const noexcept {
    if (barrier_ != nullptr) acquireLock(Paradigm::System, barrier_->id, last_ + 1);
}

}  // namespace holos::tracing
