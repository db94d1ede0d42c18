// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/definition_log.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/held_signals.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/storage.h"
#include "tracing/recorder/core/thread.h"

namespace holos::tracing::core {
namespace {

constexpr std::size_t kFirst = 64 * 1024;

/// The log in memory. When it grows it is mapped once more; who still writes at the old place writes to the
/// same pages, so that place stays.
std::atomic<unsigned char*> base{nullptr};
std::atomic<std::size_t> room{0};
std::atomic<std::size_t> logEnd{0};  ///< no entry that has not begun is before it
std::atomic<bool> isGrowing{false};

std::uint32_t* lengthAt(std::size_t at) noexcept {
    return reinterpret_cast<std::uint32_t*>(base.load(std::memory_order_acquire) + at);
}

std::size_t behind(std::size_t at, std::uint32_t length) noexcept {
    return at + entryBytes(length & ~kUnfinished);
}

int grow(std::size_t bytes) noexcept {
    while (isGrowing.exchange(true, std::memory_order_acquire)) ::sched_yield();
    int error = 0;
    if (room.load(std::memory_order_relaxed) < bytes) {
        const std::size_t larger = std::max(2 * room.load(), (bytes / kFirst + 1) * kFirst);
        void* memory = nullptr;
        error = storage.definitions.map(0, larger, &memory);
        if (error == 0) {
            base.store(static_cast<unsigned char*>(memory), std::memory_order_release);
            room.store(larger, std::memory_order_release);
        }
    }
    isGrowing.store(false, std::memory_order_release);
    return error;
}

void moveEnd(std::size_t to) noexcept {
    std::size_t known = logEnd.load(std::memory_order_relaxed);
    while (known < to && !logEnd.compare_exchange_weak(known, to, std::memory_order_release)) continue;
}

/// Takes the place behind the last entry by writing the length of a new one there, in one step: so a killed
/// program leaves no gap. Null on an error.
unsigned char* takePlace(std::uint32_t length) noexcept {
    for (std::size_t at = logEnd.load(std::memory_order_acquire);;) {
        const std::size_t needed = behind(at, length);
        const bool isFull = room.load(std::memory_order_acquire) < needed;
        if (isFull && !mayAskKernel()) return nullptr;
        if (const int error = isFull ? grow(needed) : 0; error != 0) {
            fail(error);
            return nullptr;
        }
        std::uint32_t other = 0;
        const bool isOurs = __atomic_compare_exchange_n(lengthAt(at), &other, length | kUnfinished, false,
                                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        const std::size_t next = isOurs ? needed : behind(at, other);
        moveEnd(next);
        if (isOurs) return base.load(std::memory_order_acquire) + at;
        at = next;
    }
}

}  // namespace

void writeEntry(unsigned char* entry, std::size_t bytes) noexcept {
    if (directory()[0] == '\0') return;
    const HeldSignals held;  // an entry that is never finished would hide those behind it
    Thread& thread = thisThread;
    const std::uint32_t state = thread.state;
    if ((state & Thread::kBusy) == 0) thread.recorder = stackPointer();
    thread.state = state | Thread::kBusy;
    const auto length = static_cast<std::uint32_t>(bytes - sizeof(std::uint32_t));
    if (unsigned char* const place = takePlace(length); place != nullptr) {
        std::memcpy(place + sizeof length, entry + sizeof length, length);
        __atomic_store_n(reinterpret_cast<std::uint32_t*>(place), length, __ATOMIC_RELEASE);
    }
    thread.state = state;
}

void makeRoomForDefinitions() noexcept {
    const std::size_t wanted = logEnd.load(std::memory_order_acquire) + kFirst;
    if (room.load(std::memory_order_acquire) >= wanted) return;
    if (const int error = grow(wanted); error != 0) fail(error);
}

WrittenLog writtenDefinitions() noexcept {
    const std::size_t bytes = logEnd.load(std::memory_order_acquire);
    return {base.load(std::memory_order_acquire), bytes};
}

}  // namespace holos::tracing::core
