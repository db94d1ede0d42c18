// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/copying.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>

#include "tracing/recorder/core/chunks.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/core/definition_log.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/growing_file.h"
#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/location.h"
#include "tracing/recorder/core/node_resources.h"
#include "tracing/recorder/core/own_waiting.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/profiling.h"
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

namespace {

std::atomic<Copy*> ended{nullptr};
std::atomic<std::size_t> waiting{0};  ///< bytes

int openFile(const char* name) noexcept {
    char path[PATH_MAX];
    std::snprintf(path, sizeof path, "%s/%s", directory(), name);
    return createOwnFile(path, O_WRONLY);
}

/// Writes all of it; 0 or an errno.
int writeAt(int file, const void* data, std::size_t bytes, std::uint64_t offset) noexcept {
    if (offset + bytes > largestFile()) return EFBIG;
    for (std::size_t done = 0; done < bytes;) {
        const ssize_t more = ::pwrite(file, static_cast<const char*>(data) + done, bytes - done,
                                      static_cast<off_t>(offset + done));
        if (more < 0 && errno == EINTR) continue;
        if (more <= 0) return more < 0 ? errno : ENOSPC;
        done += static_cast<std::size_t>(more);
    }
    return 0;
}

int writeZeros(int file, std::size_t bytes, std::uint64_t offset) noexcept {
    static const char zeros[kUnitBytes] = {};
    int error = 0;
    for (std::size_t done = 0; done < bytes && error == 0; done += sizeof zeros)
        error = writeAt(file, zeros, std::min(sizeof zeros, bytes - done), offset + done);
    return error;
}

/// Room that is there for good, also where other files are written to a new place each time (btrfs). File
/// systems that know no such thing refuse.
int keepRoomFor(int file) noexcept {
    int flags = 0;
    if (::ioctl(file, FS_IOC_GETFLAGS, &flags) == 0) {
        flags |= FS_NOCOW_FL;
        ::ioctl(file, FS_IOC_SETFLAGS, &flags);  // of a file that is still empty
    }
    return writeZeros(file, kStatusBytes, 0);
}

int makeReserve() noexcept {
    const int file = openFile(kReserveFile);
    if (file < 0) return errno;
    const int error = writeZeros(file, kChunkBytes, 0);
    ::close(file);
    return error;
}

/// Needs no room on any file system, and leaves some, sooner or later.
void giveUpReserve() noexcept {
    char path[PATH_MAX];
    std::snprintf(path, sizeof path, "%s/%s", directory(), kReserveFile);
    ::unlink(path);
}

/// The record behind this one; null where that cannot be known.
const std::uint64_t* behind(const std::uint64_t* record, const Copy& copy) noexcept {
    const RecordKind kind = kindOf(*record);
    if (kind == RecordKind::End) return nullptr;
    if (kind == RecordKind::Sample) return record + sampleWords(lowHalf(record[1]));
    if (kind == RecordKind::Counters && !copy.hasCounts) return nullptr;
    return record + recordWords(kind, countersOfProcess());
}

/// Enters and leaves that a record stands for that changes.
std::uint64_t eventsOf(const std::uint64_t* record, RecordKind kind) noexcept {
    if (kind == RecordKind::Polls) return 2 * record[kPollsNumber] + (record[kPollsOpen] != 0 ? 1 : 0);
    const std::uint64_t regions = record[kSectionsBlock] != 0 ? 2 : 1;
    return regions * (2 * record[kSectionsNumber] + (record[kSectionsOpen] != 0 ? 1 : 0));
}

/// What the program did.
std::uint64_t eventsBetween(const std::uint64_t* record, const std::uint64_t* end,
                            const Copy& copy) noexcept {
    std::uint64_t events = 0;
    while (record != nullptr && record < end) {
        const RecordKind kind = kindOf(*record);
        const std::uint64_t* const next = behind(record, copy);
        if (next != nullptr && isOfProgram(kind)) events += mayChange(kind) ? eventsOf(record, kind) : 1;
        record = next;
    }
    return events;
}

}  // namespace

Copier::Copier() noexcept
    : status_(openFile("status")), definitions_(openFile("definitions")), events_(openFile("events")) {
    if (definitions_ < 0 || events_ < 0 || status_ < 0) stop(errno);
}

Copier::~Copier() {
    closeFiles();
}

/// What a file system refuses that it has taken before, it says here (network file systems, FUSE).
void Copier::closeFiles() noexcept {
    for (int* const file : {&events_, &definitions_}) {
        const int number = std::exchange(*file, -1);
        if (number >= 0 && ::close(number) != 0 && errno != EINTR) noteLateFailure(errno);
    }
    if (status_ < 0) return;
    if (status().lateFailure != 0) writeStatus();
    if (::close(std::exchange(status_, -1)) != 0 && errno != EINTR) giveUpReserve();
}

void Copier::begin() noexcept {
    int error = keepRoomFor(status_);
    if (error == 0) error = makeReserve();
    if (error != 0) stop(error);
    round();
}

void Copier::round() noexcept {
    writeDefinitions(false);
    writeEvents();
    writeStatus();
}

void Copier::finish() noexcept {
    writeDefinitions(true);
    writeEvents();
    proveCurrent();
    proveTables();
    writeLastProofs();
    writeDefinitions(true);
    proveDefinitions(definitionBytes_);
    writeStatus();
}

void Copier::writeEvents() noexcept {
    for (Location* one = newestLocation(); one != nullptr; one = one->older) {
        Copy* const current = one->copy.load(std::memory_order_acquire);
        writeEnded();  // those of this location that ended before, too
        if (current != nullptr && one->copy.load(std::memory_order_acquire) == current)
            writeCurrent(*one, *current);
    }
    writeEnded();
    writeTables();
}

/// Of chunks that are not full.
void Copier::proveCurrent() noexcept {
    if (hasFailed_) return;
    for (Location* one = newestLocation(); one != nullptr; one = one->older)
        if (Copy* const copy = one->copy.load(std::memory_order_acquire); copy != nullptr)
            noteProof(copy->location, {copy->offset, copy->bytes}, copy->kept,
                      proofOf(copy->memory, std::max<const std::uint64_t*>(copy->done, copy->memory + 1)));
}

/// Copies definitions that are written by now; in the end also what a thread left that was killed meanwhile.
void Copier::writeDefinitions(bool isLast) noexcept {
    const WrittenLog log = writtenDefinitions();
    std::size_t end = definitionBytes_;
    while (end < log.bytes) {
        const std::uint32_t length =
            __atomic_load_n(reinterpret_cast<const std::uint32_t*>(log.begin + end), __ATOMIC_ACQUIRE);
        if ((length & kUnfinished) != 0 && !isLast) break;
        end += entryBytes(length & ~kUnfinished);
    }
    const int error =
        writeAt(definitions_, log.begin + definitionBytes_, end - definitionBytes_, definitionBytes_);
    if (error != 0) return stop(error);
    definitionBytes_ = end;
}

void Copier::writeCurrent(const Location& location, Copy& copy) noexcept {
    const std::uint64_t* const now = __atomic_load_n(&location.next, __ATOMIC_ACQUIRE);
    const bool hasEnded = now <= copy.memory || now > copy.memory + copy.bytes / sizeof *now;
    if (hasEnded) return;
    const std::uint64_t* const settled = settledEnd(location, now);
    advance(copy, now);
    // Once more in the next round: it may change until there is another one behind.
    if (!hasFailed_) copy.done = settled;
}

/// Oldest first: a later one may have the same place. What their events refer to comes before them.
void Copier::writeEnded() noexcept {
    Copy* oldest = nullptr;
    for (Copy* one = ended.exchange(nullptr, std::memory_order_acquire); one != nullptr;)
        oldest = std::exchange(one, std::exchange(one->next, oldest));
    if (oldest != nullptr) writeDefinitions(false);
    while (oldest != nullptr) {
        Copy* const copy = std::exchange(oldest, oldest->next);
        advance(*copy, copy->end);
        noteProof(copy->location, {copy->offset, copy->bytes}, copy->kept,
                  hasFailed_ ? ChunkProof{} : proofOf(copy->memory, copy->end));
        releaseChunk(copy->memory, copy->bytes);
        waiting.fetch_sub(copy->bytes, std::memory_order_relaxed);
        heap::release(copy);
    }
}

void Copier::advance(Copy& copy, const std::uint64_t* to) noexcept {
    if (to <= copy.done) return;
    if (!hasFailed_)
        if (const int error = writeRecords(copy, to); error != 0) stop(error);
    if (hasFailed_)
        countLost(eventsBetween(std::max<const std::uint64_t*>(copy.done, copy.memory + 1), to, copy));
    copy.done = to;
}

/// Without its first word, what is behind is not there.
int Copier::writeRecords(Copy& copy, const std::uint64_t* to) noexcept {
    const auto place = [&copy](const std::uint64_t* word) {
        return copy.offset + static_cast<std::uint64_t>(word - copy.memory) * sizeof *word;
    };
    int error = std::exchange(copy.isUsedAgain, false) ? writeZeros(events_, copy.bytes, copy.offset) : 0;
    if (error == 0 && copy.done == copy.memory) {
        error = writeAt(events_, copy.done, sizeof *copy.done, copy.offset);
        ++copy.done;
    }
    if (error != 0 || copy.done == to) return error;
    const std::uint64_t* const rest = copy.done + 1;
    error = writeAt(events_, rest, static_cast<std::size_t>(to - rest) * sizeof *rest, place(rest));
    return error != 0 ? error : writeAt(events_, copy.done, sizeof *copy.done, place(copy.done));
}

/// As a whole each time: any of their cells may have changed. What they refer to comes before them.
void Copier::writeTables() noexcept {
    if (newestTableChunk() == nullptr || hasFailed_) return;
    writeDefinitions(false);
    for (const TableChunk* one = newestTableChunk(); one != nullptr; one = one->older)
        if (const int error = writeAt(events_, one->memory, one->bytes, one->offset); error != 0)
            return stop(error);
}

/// Once more, from a copy: a thread that goes on may change what is proven otherwise. Also on a disk that is
/// full: they are small, and the reserve has left some room.
void Copier::proveTables() noexcept {
    void* memory = nullptr;
    if (newestTableChunk() == nullptr || mapShared(kChunkBytes, &memory) != 0) return;
    auto* const words = static_cast<std::uint64_t*>(memory);
    for (const TableChunk* one = newestTableChunk(); one != nullptr; one = one->older) {
        std::memcpy(words, one->memory, one->bytes);
        if (const int error = writeAt(events_, words, one->bytes, one->offset); error != 0)
            stop(error);
        else
            noteProof(lowHalf(*words) - 1, {one->offset, one->bytes}, nullptr,
                      proofOf(words, words + one->bytes / sizeof *words));
    }
    unmapShared(memory, kChunkBytes);
}

/// Once more in the next round, where it cannot be written: perhaps there is room then.
void Copier::writeStatus() noexcept {
    status().isCopied = 1;
    if (const int error = writeAt(status_, &status(), usedStatusBytes(), 0); error != 0) stop(error);
}

void Copier::sendStatus() const noexcept {
    ::sync_file_range(status_, 0, 0, SYNC_FILE_RANGE_WRITE);
}

void Copier::stop(int error) noexcept {
    if (std::exchange(hasFailed_, true)) return;
    fail(error);
    giveUpReserve();
}

std::size_t handOver(Copy& copy) noexcept {
    const std::size_t bytes = copy.bytes;  // before it is somebody else's
    copy.next = ended.load(std::memory_order_relaxed);
    while (!ended.compare_exchange_weak(copy.next, &copy, std::memory_order_release)) continue;
    return waiting.fetch_add(bytes, std::memory_order_relaxed) + bytes;
}

std::size_t waitingBytes() noexcept {
    return waiting.load(std::memory_order_relaxed);
}

}  // namespace holos::tracing::core
