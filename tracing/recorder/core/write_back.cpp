// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/write_back.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/storage.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::core {
namespace {

constexpr std::int64_t kShortest = 1'000'000;

/// Never destroyed: the thread may still run while the program ends.
struct WriteBack {
    std::int64_t interval = 0;
    HelperThread thread;
};
WriteBack* writeBack = nullptr;

void writeFile(int folder, const char* name) noexcept {
    const bool isElsewhere = localFolder()[0] != '\0' && std::strcmp(name, "events") == 0;
    const int links = isElsewhere ? 0 : O_NOFOLLOW;
    const int file = ::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | links);
    if (file < 0) return;
    // Some have neither: what cannot be synchronised was not refused.
    int error = ::fdatasync(file) != 0 && errno != EINVAL && errno != ENOSYS ? errno : 0;
    if (::close(file) != 0 && error == 0 && errno != EINTR) error = errno;
    if (error == 0) return;
    noteLateFailure(error);
    fail(error);
}

/// A folder's entry as the kernel lists it (getdents64(2)).
struct Entry {
    std::uint64_t inode;
    std::int64_t next;
    std::uint16_t bytes;
    unsigned char type;
    char name[1];
};

/// Without readdir(3), which allocates.
void writeFolder(int folder) noexcept {
    alignas(Entry) char list[8192];
    for (;;) {
        const long filled = ::syscall(SYS_getdents64, folder, list, sizeof list);
        if (filled <= 0) break;
        for (long at = 0; at < filled;) {
            const auto* entry = reinterpret_cast<const Entry*>(list + at);
            if (entry->name[0] != '.') writeFile(folder, entry->name);
            at += entry->bytes;
        }
    }
    ::fsync(folder);
}

/// The folders around it are written, too: they say that it is there.
void writeAll() noexcept {
    const int folder = ::open(directory(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    writeFolder(folder);
    for (const char* around : {"..", "../.."}) {
        const int outer = ::openat(folder, around, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (outer < 0) continue;
        ::fsync(outer);
        ::close(outer);
    }
    ::close(folder);
}

void run(HelperThread& thread, void* data) {
    const std::int64_t interval = static_cast<const WriteBack*>(data)->interval;
    if (!separateFiles()) return;
    std::int64_t next = nanoseconds(CLOCK_MONOTONIC);
    do {
        beat();
        writeAll();
        next = std::max(next + interval, nanoseconds(CLOCK_MONOTONIC));
    } while (thread.sleepUntil(next));
}

}  // namespace

void startWritingBack() noexcept {
    if (settings().writeBack <= 0) return;
    static WriteBack only;
    only.interval = std::max<std::int64_t>(settings().writeBack, kShortest);
    if (only.thread.start(&run, &only))
        writeBack = &only;
    else
        trouble("what is recorded is not written back in between: no thread could be started");
}

void stopWritingBack() noexcept {
    if (writeBack == nullptr) return;
    writeBack->thread.stop();
    writeBack = nullptr;
}

}  // namespace holos::tracing::core
