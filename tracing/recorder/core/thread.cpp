// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/thread.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/interpose/confinement.h"

namespace holos::tracing::core {

constinit thread_local Thread thisThread __attribute__((tls_model("initial-exec"))){};

Location* locate(Thread& thread) noexcept {
    if (thread.location != nullptr || !recordingIsOn.load(std::memory_order_relaxed)) return thread.location;
    if (!mayAskKernel()) return nullptr;
    char name[32];
    std::snprintf(name, sizeof name, "Thread %u", thread.number);
    thread.location = makeLocation(LocationKind::Thread, kNoLocation, 0, thread.number,
                                   thread.number != 0 ? name : "Thread");
    if (thread.location == nullptr) return nullptr;
    noteBinding(thread, *thread.location);
    moveCounters(thread, nullptr, thread.location);
    stacks::startThread(thread);
    return thread.location;
}

void recordPassed(Thread& thread, std::uint64_t entered, std::uint64_t begin, const ReadCounts* counts,
                  std::uint64_t woken) noexcept {
    Location* const location = thread.location;
    if (thread.state != 0 || location == nullptr || !recordingIsOn.load(std::memory_order_relaxed)) return;
    const BusyOnce busy(thread);
    const std::uint64_t end = ticksNow();
    const bool isCounted = counts != nullptr && counts->isRead && thread.counters != nullptr;
    // Room for all first: where that takes long, it is after the region.
    const std::size_t words = recordWords(RecordKind::Enter, 0) +
                              (isCounted ? recordWords(RecordKind::Counters, countersOfProcess()) : 0);
    const std::size_t wokenWords = woken != kNotWoken ? recordWords(RecordKind::AcquireLock, 0) : 0;
    const bool hasRoom = !eventsAreWritten() || location->reserve(2 * words + wokenWords) != nullptr;
    if (!hasRoom && eventsAreWritten()) return countLost(2);
    begin = std::max(begin, thread.lastTime);
    if (isCounted) recordCounts(*counts, *location, begin);
    emit<RecordKind::Enter>(*location, begin, entered);
    if (hasLostMark()) noteShortage(thread.mark, *location, end);  // nobody knows when: it may be here
    if (woken != kNotWoken) emit<RecordKind::AcquireLock>(*location, end, woken, Paradigm::System);
    if (isCounted) recordCounters(thread, *location, end);
    emit<RecordKind::Leave>(*location, end, lowHalf(entered));
    thread.lastTime = end;
    emitFlush(*location);
    noteProcessor(*location, end);
}

void recordShortageSoFar(Thread& thread) noexcept {
    Location* const location = thread.location;
    if (location == nullptr) return;
    const BusyOnce busy(thread);
    thread.lastTime = std::max(thread.lastTime, ticksNow());
    noteShortage(thread.mark, *location, thread.lastTime);
}

void missed(const Thread& thread) noexcept {
    if (thread.state == 0 && noteUnrecordedChild()) return;
    std::atomic_thread_fence(std::memory_order_acquire);  // the reason was there before events were off
    const bool interrupted =
        (thread.state & Thread::kBusy) != 0 && recordingIsOn.load(std::memory_order_relaxed);
    const bool failed = thread.state == 0 && status().failure != 0;
    const bool silent = thread.isSilent && !thread.isOff && recordingIsOn.load(std::memory_order_relaxed);
    if (interrupted || failed || silent) countLost();
}

namespace {

constexpr std::int64_t kUnknown = -1;

/// What the file of this name says of a thread, with a zero at its end; false where there is none.
template <std::size_t kBytes>
bool read(pid_t thread, const char* name, char (&text)[kBytes]) noexcept {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/%s", static_cast<int>(thread), name);
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const ssize_t size = ::read(file, text, kBytes - 1);
    ::close(file);
    text[size > 0 ? size : 0] = '\0';
    return size > 0;
}

/// What it counts as `se.nr_migrations`.
std::int64_t migrationsOf(pid_t thread) noexcept {
    char text[4096];
    const char* const name = read(thread, "sched", text) ? std::strstr(text, "nr_migrations") : nullptr;
    const char* const colon = name != nullptr ? std::strchr(name, ':') : nullptr;
    return colon != nullptr ? std::strtoll(colon + 1, nullptr, 10) : kUnknown;
}

/// The kernel counts it where it counts that the thread got a processor.
std::int64_t waitingOf(pid_t thread) noexcept {
    char text[128];
    if (!read(thread, "schedstat", text)) return kUnknown;
    char* end = text;
    std::strtoll(end, &end, 10);  // on processors, of less use: without the turn that it has now
    const std::int64_t waited = std::strtoll(end, &end, 10);
    const std::int64_t turns = std::strtoll(end, &end, 10);
    return turns > 0 ? waited : kUnknown;
}

/// By the clock of the thread's number. clock_getcpuclockid(3) makes it of handles of the C library, which
/// are not valid any more once a thread has ended.
std::int64_t onProcessorsOf(pid_t thread) noexcept {
    constexpr auto kOfThread = 4U;
    constexpr auto kAsScheduled = 2U;
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    const auto clock = static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | kOfThread | kAsScheduled);
    timespec time{};
    if (::clock_gettime(clock, &time) != 0) return kUnknown;
    return time.tv_sec * kNanoseconds + time.tv_nsec;
}

struct Question {
    pid_t thread;
    KernelCounts counts;
};

void answer(void* data) {
    auto& question = *static_cast<Question*>(data);
    question.counts = countsOf(question.thread);
}

}  // namespace

KernelCounts countsOf(pid_t thread) noexcept {
    if (!interpose::may(interpose::Need::Files)) return {};
    return {migrationsOf(thread), onProcessorsOf(thread), waitingOf(thread)};
}

/// By the flags of the thread, which the kernel writes behind its name in brackets and five numbers.
bool isEnding(pid_t thread) noexcept {
    constexpr unsigned long kExiting = 4;  // PF_EXITING
    constexpr int kWordsBetween = 6;
    char text[512];
    if (!read(thread, "stat", text)) return true;
    const char* at = std::strrchr(text, ')');
    for (int i = 0; at != nullptr && i <= kWordsBetween; ++i) at = std::strchr(at + 1, ' ');
    return at != nullptr && (std::strtoul(at, nullptr, 10) & kExiting) != 0;
}

KernelCounts countsByHelper(pid_t thread) noexcept {
    Question question{thread, {}};
    if (interpose::may(interpose::Need::Files)) runWithOwnFiles(&answer, &question);
    return question.counts;
}

namespace {

void write(const Location& location, pid_t thread, const KernelCounts& counts) noexcept {
    std::uint64_t mask[kMostMaskWords] = {};
    const long bytes = ::syscall(SYS_sched_getaffinity, thread, sizeof mask, mask);
    std::uint32_t words = bytes > 0 ? static_cast<std::uint32_t>(bytes / sizeof(std::uint64_t)) : 0;
    while (words > 0 && mask[words - 1] == 0) --words;
    writeBinding(location.ref, counts.migrations, mask, words);
    if (counts.onProcessors >= 0) writeProcessorTime(location.ref, counts.onProcessors, counts.waiting);
}

/// Where several threads wrote to the location, the time of one of them says nothing of it. For a processor
/// that it let others have, the kernel counts the thread as waiting.
void writeEnd(const Location& location, pid_t thread, KernelCounts counts) noexcept {
    if (location.hadSeveral.load(std::memory_order_relaxed)) counts.onProcessors = -1;
    const std::int64_t given = location.givenAway.load(std::memory_order_relaxed);
    if (counts.waiting >= 0) counts.waiting = std::max<std::int64_t>(0, counts.waiting - given);
    write(location, thread, counts);
}

bool isAlive(pid_t thread) noexcept {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d", static_cast<int>(thread));
    return ::access(path, F_OK) == 0;
}

/// Only of the program's first thread the kernel has counted before this recording.
/// Locations by the last digits of their threads' numbers, the latest of each: who has a lock is found by it.
/// None goes away.
constexpr std::size_t kNumbers = 1024;
constinit std::array<std::atomic<const Location*>, kNumbers> byThread{};

std::atomic<const Location*>& placeOf(std::uint32_t kernelId) noexcept {
    return byThread[kernelId % kNumbers];
}

void belongsTo(Location& location, pid_t thread) noexcept {
    location.threadId.store(thread, std::memory_order_relaxed);
    placeOf(static_cast<std::uint32_t>(thread)).store(&location, std::memory_order_release);
}

bool isOf(const Location& location, std::uint32_t kernelId) noexcept {
    return static_cast<std::uint32_t>(location.threadId.load(std::memory_order_relaxed)) == kernelId;
}

void noteFirst(Location& location, pid_t thread) noexcept {
    if (location.since != 0) {  // one that has ended was here before, and its time was written
        location.hadSeveral.store(true, std::memory_order_relaxed);
        writeProcessorTime(location.ref, kUnknown, kUnknown);
    }
    belongsTo(location, thread);
    location.since = nanoseconds(CLOCK_MONOTONIC);
    write(location, thread, thread == ::getpid() ? countsOf(thread) : KernelCounts{0, kUnknown, kUnknown});
}

}  // namespace

void noteBinding(Thread& thread, Location& location) noexcept {
    const pid_t first = location.threadId.load(std::memory_order_relaxed);
    if (first != 0 && first == thread.kernelId) return;
    if (!mayAskKernel()) return;
    const KeepErrno keep;
    if (thread.kernelId == 0) thread.kernelId = static_cast<pid_t>(::syscall(SYS_gettid));
    if (first == 0)
        noteFirst(location, thread.kernelId);
    else if (first != thread.kernelId)
        location.hadSeveral.store(true, std::memory_order_relaxed);
}

std::uint32_t locationOfThread(std::uint32_t kernelId) noexcept {
    int left = 256;
    const Location* const latest = placeOf(kernelId).load(std::memory_order_acquire);
    if (kernelId == 0 || latest == nullptr) return 0;
    if (isOf(*latest, kernelId)) return latest->ref + 1;
    for (const Location* one = newestLocation(); one != nullptr && left > 0; one = one->older, --left)
        if (isOf(*one, kernelId)) return one->ref + 1;
    return 0;
}

void noteEndedBinding(Location& location) noexcept {
    constexpr std::int64_t kLong = 10'000'000;
    const pid_t thread = location.threadId.exchange(0, std::memory_order_relaxed);
    if (thread == 0 || !mayAskKernel()) return;
    if (!location.hasMoved && nanoseconds(CLOCK_MONOTONIC) - location.since < kLong) {
        if (!location.hadSeveral.load(std::memory_order_relaxed))
            writeProcessorTime(location.ref, nanoseconds(CLOCK_THREAD_CPUTIME_ID), kUnknown);
        return;
    }
    const KeepErrno keep;
    if (isAlive(thread)) writeEnd(location, thread, countsByHelper(thread));
}

void beginSharing(Thread& thread, Location& location) noexcept {
    const KeepErrno keep;
    if (thread.kernelId == 0) thread.kernelId = static_cast<pid_t>(::syscall(SYS_gettid));
    belongsTo(location, thread.kernelId);
    location.hadSeveral.store(true, std::memory_order_relaxed);
}

void endSharing(Location& location) noexcept {
    location.threadId.store(0, std::memory_order_relaxed);
}

void noteEndedPlaces(const Thread& thread) noexcept {
    for (Location* one = newestLocation(); one != nullptr; one = one->older)
        if (one->threadId.load(std::memory_order_relaxed) == thread.kernelId) noteEndedBinding(*one);
}

void noteFinalBindings() noexcept {
    const KeepErrno keep;
    for (Location* location = newestLocation(); location != nullptr; location = location->older) {
        const pid_t thread = location->threadId.exchange(0, std::memory_order_relaxed);
        if (thread != 0 && isAlive(thread)) writeEnd(*location, thread, countsOf(thread));
    }
}

}  // namespace holos::tracing::core
