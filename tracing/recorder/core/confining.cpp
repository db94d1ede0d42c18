// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/confining.h"

#include <array>
#include <atomic>

#include "tracing/counters/perf_page.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/copying.h"
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/core/definition_log.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/growing_file.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/core/profiling.h"
#include "tracing/recorder/core/storage.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recordings/format/clock.h"

namespace holos::tracing::core {
namespace {

using interpose::Ban;
using interpose::Need;

struct ReadyChunk {
    ChunkPlace place{};
    std::atomic<void*> memory{nullptr};
};
constexpr std::size_t kReadyChunks = 16;
std::array<ReadyChunk, kReadyChunks> readyChunks;

/// By one thread at a time; where another one is at it, that is enough.
void fillReadyChunks() noexcept {
    static std::atomic<bool> isAtIt{false};
    if (isAtIt.exchange(true)) return;
    for (ReadyChunk& one : readyChunks) {
        void* memory = nullptr;
        if (one.memory.load() != nullptr) continue;
        if (newChunk(kChunkBytes, one.place, &memory) != 0) break;
        one.memory.store(memory, std::memory_order_release);
    }
    isAtIt.store(false);
}

/// The heap keeps what is given back for those who ask next.
void keepBlocksForCopies() noexcept {
    std::array<void*, kReadyChunks> blocks{};
    for (void*& one : blocks) one = heap::allocate(sizeof(Copy));
    for (void* const one : blocks)
        if (one != nullptr) heap::release(one);
}

void stopCountersOf(Thread& thread) noexcept {
    if (thread.counters == nullptr) return;
    readCounters(thread);
    trouble("counters of a thread stopped: the program forbade itself the system calls that read them");
    const Busy busy(thread);
    thread.countersFailed = true;
    stopCounters(thread);
}

void takeWhatIsNeeded() noexcept {
    makeRoomForDefinitions();
    if (!eventsAreWritten()) return;
    fillReadyChunks();
    if (storageIsCopied()) keepBlocksForCopies();
}

void giveReason(const Ban& ban) noexcept {
    if (ban.everything)
        return trouble(
            "the recording of a thread stopped: the program forbade it all system calls (seccomp), and with "
            "them all clocks");
    if (ban.after.isGuessed)
        return trouble(
            "a thread was recorded without system calls, and as long as there was room without them: the "
            "program gave up new privileges (prctl, PR_SET_NO_NEW_PRIVS), and may have forbidden them");
    trouble(
        "a thread was recorded without system calls, and as long as there was room without them: the program "
        "forbade some that the recorder needs (seccomp)");
}

/// For other threads, which may have no chance to do so, too.
void stopHelpers() noexcept {
    stopSampling();
    stopWritingBack();
    if (!storageIsCopied()) return;
    fail(EPERM);
    finishCopying();
}

void seal(const Ban& ban) noexcept {
    Thread& thread = thisThread;
    const bool isNew = ban.takesAway(Need::Storage);
    if (ban.takesAway(Need::Counters)) stopCountersOf(thread);
    if (isNew) stacks::stopSamples();
    if (mayAskKernel() && (isNew || ban.everything)) {
        giveReason(ban);
        writeClockSync();
    }
    if (isNew && !ban.everything) takeWhatIsNeeded();
    if (!ban.everything) return;
    thread.isSilent = true;
    thread.state = thread.state + Thread::kOnePause;
}

void prepare(const Ban& ban) noexcept {
    if (!recordingIsOpen.load(std::memory_order_relaxed)) return;
    const KeepErrno keep;
    if (ban.clock) {
        leaveProcessorsClock();
        counters::forbidClock();
        chooseWay();
        writeClockSync();
    }
    const bool mayPrepare = ban.before.forbidden == 0 || interpose::may(Need::Storage);
    if (mayPrepare || ban.everything) seal(ban);
    if (ban.ofAllThreads && ban.forbids(Need::Storage)) stopHelpers();
}

void undo(const Ban& ban) noexcept {
    Thread& thread = thisThread;
    if (!ban.everything || !thread.isSilent) return;
    thread.isSilent = false;
    thread.state = thread.state - Thread::kOnePause;
}

}  // namespace

void expectConfinement() noexcept {
    interpose::watchConfinement({&prepare, &undo});
}

bool takeReadyChunk(ChunkPlace& place, void** memory) noexcept {
    for (ReadyChunk& one : readyChunks) {
        const ChunkPlace itsPlace = one.place;
        void* const taken = one.memory.exchange(nullptr, std::memory_order_acquire);
        if (taken == nullptr) continue;
        place = itsPlace;
        *memory = taken;
        return true;
    }
    return false;
}

}  // namespace holos::tracing::core
