// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/copying.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>

#include "tracing/recorder/core/chunks.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/copier.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/growing_file.h"
#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/core/location.h"
#include "tracing/recorder/core/memory_room.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recordings/format/clock.h"

namespace holos::tracing::core {
namespace {

constexpr std::int64_t kInterval = 250'000'000;
constexpr unsigned kRoundsOfABeat = 8;
constexpr std::size_t kHurry = 16 * kChunkBytes;

CopyRoom room{256 * kChunkBytes, kChunkBytes};
std::atomic<bool> isStarted{false};
std::atomic<bool> isRunning{false};
std::atomic<bool> isReady{false};  ///< the thread that copies has its files
std::atomic<std::uint32_t> roundsDone{0};
HelperThread copierThread;

void run(HelperThread& thread, void*) {
    if (!separateFiles()) {
        fail(EPERM);
        isReady.store(true);
        return;
    }
    Copier copier;
    isReady.store(true);
    std::int64_t next = nanoseconds(CLOCK_MONOTONIC);
    unsigned rounds = 0;
    do {
        const bool beats = rounds++ % kRoundsOfABeat == 0;
        if (beats) beat();
        copier.round();
        roundsDone.fetch_add(1);
        if (beats) copier.sendStatus();
        next = std::max(next + kInterval, nanoseconds(CLOCK_MONOTONIC));
    } while (thread.sleepUntil(next));
    copier.finish();
}

void waitAMoment() noexcept {
    const timespec time{0, 100'000};
    ::syscall(SYS_nanosleep, &time, nullptr);
}

/// The program goes on when the files are open: later it may forbid that.
void start() noexcept {
    if (!interpose::may(interpose::Need::Files)) return fail(EACCES);
    isRunning.store(copierThread.start(&run, nullptr));
    if (!isRunning.load()) return fail(EAGAIN);
    while (!isReady.load()) waitAMoment();
}

}  // namespace

void beginCopy(Location& location, std::uint64_t offset, bool isUsedAgain) noexcept {
    const KeepErrno keep;
    startCopying();
    void* const memory = heap::allocate(sizeof(Copy));
    if (memory == nullptr) return fail(ENOMEM);
    const bool hasCounts = location.kind != LocationKind::Samples;
    location.copy.store(new (memory)
                            Copy{location.chunk, location.chunkBytes, offset, location.ref, location.placed,
                                 hasCounts, isUsedAgain, location.chunk, nullptr, nullptr},
                        std::memory_order_release);
}

void startCopying() noexcept {
    const KeepErrno keep;
    if (!isStarted.exchange(true)) start();
}

void endCopy(Location& location) noexcept {
    const KeepErrno keep;
    Copy* const copy = location.copy.exchange(nullptr, std::memory_order_acq_rel);
    if (copy == nullptr) return releaseChunk(location.chunk, location.chunkBytes);
    copy->end = location.next;
    if (handOver(*copy) < std::min(kHurry, room.waitingBytes / 4) || !mayAskKernel()) return;
    copierThread.wake();
    while (waitingBytes() > room.waitingBytes && recordingIsOpen.load(std::memory_order_relaxed))
        waitAMoment();
}

void measureCopyRoom() noexcept {
    const KeepErrno keep;
    room = copyRoomOf(freeMemory(""), processesOfNode());
}

std::size_t largestCopiedChunk() noexcept {
    return room.chunkBytes;
}

void copyBegin() noexcept {
    const KeepErrno keep;
    Copier().begin();
}

void copyNow() noexcept {
    const KeepErrno keep;
    if (!isRunning.load()) {
        if (!isStarted.load() && interpose::may(interpose::Need::Files)) Copier().round();
        return;
    }
    constexpr int kMostMoments = 10'000;
    for (int i = 0; i < 2; ++i) {  // one may have begun before
        const std::uint32_t before = roundsDone.load();
        copierThread.wake();
        for (int moments = 0; roundsDone.load() == before && moments < kMostMoments; ++moments) waitAMoment();
    }
}

void finishCopying() noexcept {
    const KeepErrno keep;
    if (isRunning.exchange(false))
        copierThread.stop();
    else if (!isStarted.load() && interpose::may(interpose::Need::Files))
        Copier()
            .finish();  // a thread for so little may not be made in a signal handler, which may end a program
}

}  // namespace holos::tracing::core
