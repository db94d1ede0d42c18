// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/process.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tracing/counters/perf_page.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/chunks.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/copying.h"
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/core/definition_log.h"
#include "tracing/recorder/core/environment.h"
#include "tracing/recorder/core/floating_point.h"
#include "tracing/recorder/core/growing_file.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/openmp_reports.h"
#include "tracing/recorder/core/other_threads.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/core/profiling.h"
#include "tracing/recorder/core/proof_of_life.h"
#include "tracing/recorder/core/recorded_part.h"
#include "tracing/recorder/core/storage.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recordings/format/ledger.h"

namespace holos::tracing::core {
namespace {

/// Where a program is that is named as `exec` takes it. As it was given where that is not found out.
/// Allocates nothing, is async-signal-safe, and changes errno.
class FullPath {
  public:
    /// `searches`: a name without a slash is looked for in `PATH`.
    FullPath(const char* given, bool searches) noexcept : text_(given) {
        if (given[0] == '/') return;
        if (searches && std::strchr(given, '/') == nullptr)
            search(given);
        else if (::getcwd(own_, kLongest / 2) != nullptr)
            complete(std::strlen(own_), given);
    }
    FullPath(FullPath&&) = delete;
    const char* text() const noexcept { return text_; }

  private:
    static constexpr std::size_t kLongest = 1024;

    bool complete(std::size_t folder, const char* given) noexcept {
        const int length = std::snprintf(own_ + folder, sizeof own_ - folder, "/%s", given);
        const bool fits = length > 0 && folder + static_cast<std::size_t>(length) < sizeof own_;
        if (fits) text_ = own_;
        return fits;
    }
    void search(const char* given) noexcept {
        const char* at = std::getenv("PATH");
        while (at != nullptr && *at != '\0') {
            const std::size_t bytes = std::strcspn(at, ":");
            if (bytes > 0 && bytes < kLongest / 2) {
                std::memcpy(own_, at, bytes);
                if (complete(bytes, given) && ::access(own_, X_OK) == 0) return;
            }
            at += bytes + (at[bytes] == ':' ? 1 : 0);
        }
        text_ = given;
    }

    const char* text_;
    char own_[kLongest] = {};
};

}  // namespace

}  // namespace holos::tracing::core

extern "C" int __cxa_atexit(void (*function)(void*), void* data,
                            void* library) noexcept;  // NOLINT: of C++'s ABI

namespace holos::tracing::core {

constinit OwnFlags ownFlags;

namespace {

std::atomic<bool> begun{false};
pid_t recordedProcess = 0;
constexpr int kLongestFileName = 64;
char recordingDirectory[PATH_MAX - kLongestFileName] = {};
Status privateStatus{};
std::atomic<Status*> sharedStatus{&privateStatus};
constinit Ledger ledger;

void turnOff() noexcept {
    recordingIsOpen.store(false, std::memory_order_release);
    recordingIsOn.store(false, std::memory_order_release);
}

void addAtomically(std::uint64_t& value, std::uint64_t more = 1) noexcept {
    __atomic_fetch_add(&value, more, __ATOMIC_RELAXED);
}

bool makeDirectory(const char* folder) noexcept {
    if (makeProcessFolder(folder, recordingDirectory, sizeof recordingDirectory)) return true;
    recordingDirectory[0] = '\0';
    return false;
}

void shareStatus() noexcept {
    void* page = nullptr;
    if (const int error = storage.status.map(0, kStatusBytes, &page); error != 0) return fail(error);
    static_cast<Status*>(page)->isThere = 1;
    sharedStatus.store(static_cast<Status*>(page), std::memory_order_release);
}

/// In the child of a fork; of one made otherwise, or where the kernel does not wipe pages (before 4.14), it
/// is one of the two.
void leaveToParent() noexcept {
    turnOff();
    ownFlags.isOfThisProcess.store(false, std::memory_order_relaxed);
    thisThread.location = nullptr;
    thisThread.counters = nullptr;
    if (interpose::may(interpose::Need::Files) && ledger.isOpen() && !ledger.addFork()) {
        noteUnnotedChildren(1);
        noteUnrecordedChild();
    }
}

void keepFromChildren() noexcept {
    ::madvise(&ownFlags, sizeof ownFlags, MADV_WIPEONFORK);
    ::pthread_atfork(nullptr, nullptr, &leaveToParent);
}

/// Behind the destructors of all libraries: of the functions that are called at exit the one that was
/// registered first comes last, if it belongs to no library.
void endBehindAll(void* /*unused*/) noexcept {
    end();
}

void makeMainLocation(Thread& thread) noexcept {
    const Busy busy(thread);
    thread.location = makeLocation(LocationKind::Main, kNoLocation, 0, 0, "Master thread");
    if (thread.location == nullptr) return;
    noteBinding(thread, *thread.location);
    moveCounters(thread, nullptr, thread.location);
    stacks::startThread(thread);
}

/// Parts of the recorder that are at work from its start to its end, and end in reverse.
struct Part {
    void (*start)() noexcept;
    void (*stop)() noexcept;
};
constexpr std::array kParts{Part{&startSelected, &stopSelected}, Part{&startSampling, &stopSampling},
                            Part{&startWritingBack, &stopWritingBack}};

/// Who copies proves what was copied, in the end.
void noteEnd() noexcept {
    if (!storageIsCopied()) {
        writeLastProofs();
        proveDefinitions(writtenDefinitions().bytes);
    }
    __atomic_store_n(&status().ended, 1, __ATOMIC_RELEASE);
    if (storageIsCopied()) finishCopying();
}

/// By a thread that may make no system call: what the kernel had to be asked for is missing.
void endAlone() noexcept {
    static std::atomic<bool> hasEnded{false};
    if (directory()[0] == '\0' || hasEnded.exchange(true)) return;
    turnOff();
    noteEnd();
}

/// Behind all exit handlers of the program.
void noteOrderlyExit(int code, void* /*unused*/) noexcept {
    noteExit(ExitWay::Exit, code);
}
void endQuickly() noexcept {
    noteExit(ExitWay::Quickly, 0);
    end();
}

const char* reasonOf(int error) noexcept {
    switch (error) {
        case ENOENT:
            return "no such folder";
        case EACCES:
        case EROFS:
            return "cannot be written";
        case ENOSPC:
            return "no room";
        default:
            return "cannot be used";
    }
}

void noteLocalFailure() noexcept {
    const int error = localFailure();
    if (error == 0) return;
    char text[256];
    std::snprintf(
        text, sizeof text,
        "events could not be kept on a disk of the node (--local: %s) and were kept in the recording",
        reasonOf(error));
    trouble(text);
}

void start(const char* folder, const char* executable) noexcept {
    if (!makeDirectory(folder)) return ledger.addStart(errno != 0 ? errno : EIO, executable);
    ledger.addStart(static_cast<int>(StartKind::Recorded), executable);
    keepFromChildren();
    recordedProcess = ::getpid();
    ownFlags.isOfThisProcess.store(true, std::memory_order_relaxed);
    chooseClock();
    if (clockIsForbidden.load()) counters::forbidClock();
    limitLocations();
    chooseSinks();
    if (const int error = createStorage(recordingDirectory); error != 0) return fail(error);
    if (storageIsCopied())
        measureCopyRoom();
    else
        guardStorage();
    shareStatus();
    writeProcessFacts(executable);
    writeClockSync();
    writeProcessTime();
    writeProcessorLimit();
    writeMachineUse();
    writeChildrenTime();
    noteLocalFailure();
    noteThreadsBefore();
    chooseCounters();
    stacks::prepare();
    stacks::preparePaths();
    if (status().failure != 0) return;
    prepareMark();
    expectConfinement();
    recordingIsOpen.store(true, std::memory_order_release);
    makeMainLocation(thisThread);
    if (storageIsCopied()) copyBegin();
    for (const Part& part : kParts) part.start();
    readCounters(thisThread);
    writeClockSync();  // two make a line, whatever comes
    __cxa_atexit(&endBehindAll, nullptr, nullptr);
    ::at_quick_exit(&endQuickly);  // runs behind those that the program registers later
    ::on_exit(&noteOrderlyExit, nullptr);
}

/// Its children are counted, too.
void startUnrecorded(const char* executable) noexcept {
    ledger.addStart(static_cast<int>(StartKind::Launcher), executable);
    ::pthread_atfork(nullptr, nullptr, [] {
        if (interpose::may(interpose::Need::Files)) ledger.addFork();
    });
}

}  // namespace

void begin() noexcept {
    if (begun.load(std::memory_order_relaxed) || environ == nullptr || begun.exchange(true)) return;
    const KeepErrno keepErrno;
    const KeepFloatingPoint keep;
    char executable[PATH_MAX] = {};
    const char* const folder = recordingFolder();
    if (folder != nullptr && ::readlink("/proc/self/exe", executable, sizeof executable - 1) > 0) {
        ledger.open(folder);
        if (isLauncher(executable))
            startUnrecorded(executable);
        else
            start(folder, executable);
    }
}

void noteExit(ExitWay way, int code) noexcept {
    if (directory()[0] == '\0' || (mayAskKernel() && ::getpid() != recordedProcess)) return;
    Status& own = status();
    if (own.exitWay != static_cast<std::uint64_t>(ExitWay::NotSaid)) return;
    own.exitCode = static_cast<std::uint64_t>(code & 0xff);
    __atomic_store_n(&own.exitWay, static_cast<std::uint64_t>(way), __ATOMIC_RELEASE);
}

void noteEndOf(int process, int waitStatus) noexcept {
    if (ledger.isOpen() && interpose::may(interpose::Need::Files)) ledger.addEnd(process, waitStatus);
}

bool noteExec(bool hasRecorder, const char* program, bool searches) noexcept {
    return noteSpawn(::getpid(), Ledger::time(), hasRecorder, program, searches);
}

void noteStay() noexcept {
    if (ledger.isOpen() && interpose::may(interpose::Need::Files)) ledger.addStay();
}

bool noteSpawn(int process, long long time, bool hasRecorder, const char* program, bool searches) noexcept {
    if (!ledger.isOpen() || program == nullptr || !interpose::may(interpose::Need::Files)) return true;
    const KeepErrno keep;
    const FullPath path(program, searches);
    return ledger.addExec(process, time, hasRecorder, path.text());
}

long long timeOfLedger() noexcept {
    return Ledger::time();
}

void end() noexcept {
    static std::atomic<bool> ended{false};
    if (!mayAskKernel()) return endAlone();
    if (::getpid() != recordedProcess || directory()[0] == '\0' || ended.exchange(true)) return;
    const KeepFloatingPoint keep;
    thisThread.lastTime = ticksNow();
    noteProcessor();
    readCounters(thisThread);
    reportShares(thisThread);
    noteUnreportedOpenMp();
    annotations::noteAtEnd();
    noteLivingThreads();
    noteFinalBindings();
    if (interpose::may(interpose::Need::Files)) {
        writeProcessTime();
        writeProcessorLimit();
        writeMachineUse();
        writeChildrenTime();
    }
    std::for_each(kParts.rbegin(), kParts.rend(), [](const Part& part) { part.stop(); });
    turnOff();
    writeClockSync();
    noteEnd();
}

const char* directory() noexcept {
    return ownFlags.isOfThisProcess.load(std::memory_order_relaxed) ? recordingDirectory : "";
}

bool isRecordedProcess() noexcept {
    return directory()[0] != '\0' && ::getpid() == recordedProcess;
}

Status& status() noexcept {
    return *sharedStatus.load(std::memory_order_acquire);
}

void noteUnnotedChildren(int more) noexcept {
    __atomic_fetch_add(&status().unnotedChildren, static_cast<std::uint32_t>(more), __ATOMIC_RELAXED);
}

bool noteUnrecordedChild() noexcept {
    static std::atomic<bool> isNoted{false};
    if (recordedProcess == 0 || ownFlags.isOfThisProcess.load(std::memory_order_relaxed)) return false;
    if (!isNoted.exchange(true, std::memory_order_relaxed)) addAtomically(status().unrecordedChildren);
    return true;
}

void countLost(std::uint64_t events) noexcept {
    if (noteUnrecordedChild()) return;
    const bool ended = !recordingIsOpen.load(std::memory_order_acquire) && status().failure == 0;
    if (!ended) addAtomically(status().lostEvents, events);
}

void noteJump() noexcept {
    if (directory()[0] != '\0') __atomic_store_n(&status().hasJumped, 1, __ATOMIC_RELAXED);
}

void countLostSample() noexcept {
    addAtomically(status().lostSamples);
}

void noteEventBytes(std::uint64_t bytes) noexcept {
    std::uint64_t& noted = status().eventBytes;
    std::uint64_t before = __atomic_load_n(&noted, __ATOMIC_RELAXED);
    while (before < bytes &&
           !__atomic_compare_exchange_n(&noted, &before, bytes, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

void beat() noexcept {
    addAtomically(status().beats);
}

/// Whoever finds the recording off must find the reason, too: then what it does is lost, and not after the
/// end.
void fail(int error) noexcept {
    if (noteUnrecordedChild()) return turnOff();
    std::uint64_t none = 0;
    __atomic_compare_exchange_n(&status().failure, &none, static_cast<std::uint64_t>(error), false,
                                __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    turnOff();
}

void noteLateFailure(int error) noexcept {
    std::uint64_t none = 0;
    __atomic_compare_exchange_n(&status().lateFailure, &none, static_cast<std::uint64_t>(error), false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void* allocate(std::size_t bytes) noexcept {
    if (!mayAskKernel()) return nullptr;
    const KeepErrno keep;
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace holos::tracing::core

namespace {

/// The linker has this library's constructors run before all others (-z initfirst), so that what those do is
/// recorded; the C library's own, which sets `environ`, is one of them.
__attribute__((constructor(101))) void beginWithTheProgram(int /*unused*/, char** /*unused*/,
                                                           char** environment) {
    if (environ == nullptr) environ = environment;
    holos::tracing::core::begin();
}

}  // namespace

// The ways to end a program that do not run its exit handlers.
namespace {

using Exit = void(int);

/// The functions that end the program are needed in signal handlers and in children of `vfork`, where nothing
/// may be looked up any more.
constinit holos::tracing::interpose::Next<Exit> nextExit("_exit");
constinit holos::tracing::interpose::Next<Exit> nextC99Exit("_Exit");

__attribute__((constructor(102))) void findExits() {
    nextExit.get();
    nextC99Exit.get();
}

[[noreturn]] void endAnd(Exit* leave, int status) {
    holos::tracing::core::noteExit(holos::tracing::ExitWay::AtOnce, status);
    holos::tracing::core::end();
    leave(status);
    std::abort();
}

}  // namespace

HOLOS_INTERPOSED __attribute__((noreturn)) void _exit(int status) {
    endAnd(nextExit.behind(__builtin_return_address(0)), status);
}
HOLOS_INTERPOSED __attribute__((noreturn)) void _Exit(int status) noexcept {
    endAnd(nextC99Exit.behind(__builtin_return_address(0)), status);
}
