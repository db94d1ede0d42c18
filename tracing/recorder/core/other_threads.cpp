// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/other_threads.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/confinement.h"

namespace holos::tracing::core {
namespace {

/// Used again when the thread has ended.
struct OtherThread {
    std::atomic<pid_t> id{0};
    ThreadOrigin origin{};
    char starter[64] = {};  ///< name of the file
    OtherThread* older = nullptr;
};
std::atomic<OtherThread*> newest{nullptr};

pid_t ownId() noexcept {
    Thread& thread = thisThread;
    if (thread.kernelId == 0) thread.kernelId = static_cast<pid_t>(::syscall(SYS_gettid));
    return thread.kernelId;
}

OtherThread* find(pid_t id) noexcept {
    OtherThread* one = newest.load(std::memory_order_acquire);
    while (one != nullptr && one->id.load(std::memory_order_acquire) != id) one = one->older;
    return one;
}

/// A place that no thread has, or a new one; null where there is no memory.
OtherThread* take() noexcept {
    constexpr pid_t kTaken = -1;
    for (OtherThread* one = newest.load(std::memory_order_acquire); one != nullptr; one = one->older)
        if (pid_t none = 0; one->id.compare_exchange_strong(none, kTaken)) return one;
    void* const memory = allocate(sizeof(OtherThread));
    if (memory == nullptr) return nullptr;
    auto* const made = new (memory) OtherThread;
    made->id.store(kTaken, std::memory_order_relaxed);
    made->older = newest.load(std::memory_order_relaxed);
    while (!newest.compare_exchange_weak(made->older, made, std::memory_order_release)) continue;
    return made;
}

void keepOrigin(pid_t id, ThreadOrigin origin, const char* starter) noexcept {
    OtherThread* const own = take();
    if (own == nullptr) return;
    own->origin = origin;
    std::snprintf(own->starter, sizeof own->starter, "%s", starter);
    own->id.store(id, std::memory_order_release);
}

const char* baseName(const char* path) noexcept {
    const char* const slash = std::strrchr(path, '/');
    return slash != nullptr ? slash + 1 : path;
}

/// What the kernel calls a thread, which is the program's name unless the program says otherwise.
void readName(pid_t id, char (&name)[32]) noexcept {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/comm", static_cast<int>(id));
    name[0] = '\0';
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t length = ::read(file, name, sizeof name - 1);
    ::close(file);
    name[length > 0 ? length : 0] = '\0';
    name[std::strcspn(name, "\n")] = '\0';
}

void write(pid_t id, ThreadOrigin origin, const char* starter) noexcept {
    char name[32];
    readName(id, name);
    const KernelCounts counts = countsOf(id);
    writeOtherThread(id, origin, counts.onProcessors, counts.waiting, name, starter);
}

bool worksAtALocation(pid_t id) noexcept {
    for (const Location* one = newestLocation(); one != nullptr; one = one->older)
        if (one->threadId.load(std::memory_order_relaxed) == id) return true;
    return false;
}

/// Threads that have written down what is known of them, and end: who waits for one, or counts those that are
/// left, may still see it, as destructors of the program may follow. The last ones suffice.
class EndingThreads {
  public:
    void add(pid_t id) noexcept { ids_[count_.fetch_add(1, std::memory_order_relaxed) % kMost].store(id); }
    bool has(pid_t id) const noexcept {
        return std::any_of(std::begin(ids_), std::end(ids_),
                           [id](const auto& one) { return one.load() == id; });
    }

  private:
    static constexpr unsigned kMost = 1024;
    std::atomic<unsigned> count_{0};
    std::atomic<pid_t> ids_[kMost] = {};
};
constinit EndingThreads endingThreads;

std::atomic<int> expected{0};

/// Of one that is listed: it may be there for a moment only, for the recorder, or have said nothing of itself
/// yet.
bool isThereUnseen(pid_t id) noexcept {
    constexpr int kMostTurns = 10'000;
    for (int i = 0; someRunForAMoment() || expected.load() > 0; ++i) {
        if (i == kMostTurns) return false;
        ::sched_yield();
    }
    return !isEnding(id) && !worksAtALocation(id) && find(id) == nullptr;
}

/// Calls `see(id)` for each thread of the process. Allocates nothing.
template <class See>
void forAllThreads(See see) noexcept {
    struct Entry {  // as getdents64(2) gives it
        std::uint64_t inode;
        std::int64_t next;
        unsigned short length;
        unsigned char type;
        char name[1];
    };
    const int folder = ::open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    alignas(Entry) char buffer[4096];
    for (long bytes = 0; (bytes = ::syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0;)
        for (long at = 0; at < bytes;) {
            const auto* const entry = reinterpret_cast<const Entry*>(buffer + at);
            at += entry->length;
            if (const int id = std::atoi(static_cast<const char*>(entry->name)); id > 0) see(id);
        }
    ::close(folder);
}

}  // namespace

void beginOtherThread(ThreadOrigin origin, const void* starter) noexcept {
    if (!interpose::may(interpose::Need::Storage)) return;
    const KeepErrno keep;
    const char* const file = starter != nullptr ? code::fileOf(starter) : nullptr;
    keepOrigin(ownId(), origin, file != nullptr ? baseName(file) : "");
}

void endOtherThread() noexcept {
    if (!interpose::may(interpose::Need::Storage)) return;
    const KeepErrno keep;
    OtherThread* const own = thisThread.kernelId != 0 ? find(thisThread.kernelId) : nullptr;
    if (own != nullptr) {
        const bool hasLocation = thisThread.hadPlace || thisThread.location != nullptr;
        if (recordingIsOpen.load(std::memory_order_relaxed) && !hasLocation) {
            constexpr std::int64_t kUnknown = -1;
            writeOtherThread(thisThread.kernelId, own->origin, nanoseconds(CLOCK_THREAD_CPUTIME_ID), kUnknown,
                             "", own->starter);
        }
        own->id.store(0, std::memory_order_release);
    }
}

void expectThread() noexcept {
    expected.fetch_add(1);
}

void noteExpectedThread() noexcept {
    expected.fetch_sub(1);
}

void noteEndingThread() noexcept {
    const KeepErrno keep;
    endingThreads.add(ownId());
}

void noteThreadsBefore() noexcept {
    const pid_t own = ownId();
    forAllThreads([own](pid_t id) {
        if (id == own) return;
        keepOrigin(id, ThreadOrigin::Earlier, "");
        write(id, ThreadOrigin::Earlier, "");
    });
}

void noteLivingThreads() noexcept {
    if (!interpose::may(interpose::Need::Files)) return;
    const KeepErrno keep;
    const pid_t own = ownId();
    forAllThreads([own](pid_t id) {
        if (id == own || worksAtALocation(id) || isEnding(id)) return;
        const OtherThread* const known = find(id);
        if (known == nullptr && (endingThreads.has(id) || !isThereUnseen(id))) return;
        write(id, known != nullptr ? known->origin : ThreadOrigin::Unknown,
              known != nullptr ? known->starter : "");
    });
}

}  // namespace holos::tracing::core
