// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/own_waiting.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recordings/format/waiting_notes.h"

namespace holos::tracing {
namespace core {
namespace {

WaitingNote* noteAt(std::uint64_t number) noexcept {
    auto* const bytes = reinterpret_cast<unsigned char*>(&status());
    return reinterpret_cast<WaitingNote*>(bytes + kFirstNote + number * sizeof(WaitingNote));
}

/// A free one becomes the thread's own; null where there is none.
WaitingNote* takeNote(Thread& thread) noexcept {
    if (thread.hasNoNote || !mayAskKernel()) return nullptr;
    if (thread.kernelId == 0) thread.kernelId = static_cast<std::int32_t>(::syscall(SYS_gettid));
    const std::uint64_t own = pair(0, static_cast<std::uint32_t>(thread.kernelId));
    for (std::uint64_t i = 0; i < kMostNotes; ++i) {
        std::uint64_t none = 0;
        if (!__atomic_compare_exchange_n(&noteAt(i)->thread, &none, own, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_RELAXED))
            continue;
        std::uint64_t& used = status().waitingNotes;
        std::uint64_t before = __atomic_load_n(&used, __ATOMIC_RELAXED);
        while (before < i + 1 && !__atomic_compare_exchange_n(&used, &before, i + 1, true, __ATOMIC_RELEASE,
                                                              __ATOMIC_RELAXED)) {
        }
        return thread.waiting = noteAt(i);
    }
    thread.hasNoNote = true;
    return nullptr;
}

/// The calling thread's note, marked as being written; null where nothing is recorded.
inline WaitingNote* openNote(Thread& thread) noexcept {
    const bool records = thread.state == 0 && recordingIsOn.load(std::memory_order_relaxed);
    if (!records || thread.location == nullptr) [[unlikely]]
        return nullptr;
    WaitingNote* const note = thread.waiting != nullptr ? thread.waiting : takeNote(thread);
    if (note == nullptr) [[unlikely]]
        return nullptr;
    __atomic_store_n(&note->since, 0, __ATOMIC_RELAXED);
    std::atomic_signal_fence(std::memory_order_release);
    note->thread = pair(thread.location->ref + 1, static_cast<std::uint32_t>(thread.kernelId));
    return note;
}

inline void closeNote(WaitingNote& note, std::uint64_t since) noexcept {
    __atomic_store_n(&note.since, since, __ATOMIC_RELEASE);
}

}  // namespace

std::size_t usedStatusBytes() noexcept {
    return kFirstNote + __atomic_load_n(&status().waitingNotes, __ATOMIC_ACQUIRE) * sizeof(WaitingNote);
}

void releaseWaitingNote() noexcept {
    Thread& thread = thisThread;
    if (thread.waiting == nullptr || !recordingIsOpen.load(std::memory_order_relaxed)) return;
    closeNote(*thread.waiting, 0);
    __atomic_store_n(&thread.waiting->thread, 0, __ATOMIC_RELEASE);
    thread.waiting = nullptr;
}

}  // namespace core

void awaits(Awaited thing) noexcept {
    core::Thread& thread = core::thisThread;
    WaitingNote* const note = core::openNote(thread);
    if (note == nullptr) [[unlikely]]
        return;
    note->count = pair(1, 0);
    note->things[0] = {pair(thing.peer, thing.comm), pair(thing.tag, thing.code)};
    core::closeNote(*note, thread.lastTime);
}

void awaits(const Awaited* things, std::size_t known, std::uint32_t count, bool oneIsEnough) noexcept {
    core::Thread& thread = core::thisThread;
    WaitingNote* const note = core::openNote(thread);
    if (note == nullptr) [[unlikely]]
        return;
    note->count = pair(count, oneIsEnough ? 1 : 0);
    for (std::size_t i = 0; i < WaitingNote::kMostThings; ++i)
        if (i < known && i < count)
            note->things[i] = {pair(things[i].peer, things[i].comm), pair(things[i].tag, things[i].code)};
        else
            note->things[i] = {};
    core::closeNote(*note, thread.lastTime);
}

}  // namespace holos::tracing
