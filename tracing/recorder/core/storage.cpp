// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/storage.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/growing_file.h"
#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/profiling.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recordings/format/definition_kinds.h"
#include "tracing/recordings/format/settings.h"
#include "tracing/recordings/format/waiting_notes.h"

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

namespace holos::tracing::core {

constinit Storage storage;

namespace {

using Kind = GrowingFile::Kind;

Kind kindOfStorage = Kind::Mapped;
char onLocalDisk[PATH_MAX] = {};
int whyNotOnLocalDisk = 0;

/// The folder that was asked for. One that begins with `$NAME` is found by the process's own variable. 0 or
/// an errno.
int findLocalDisk(char* folder, std::size_t size) noexcept {
    std::string_view wanted = settings().local;
    const char* root = "";
    if (wanted.starts_with('$')) {
        char name[256];
        const std::size_t end = std::min(wanted.find('/'), wanted.size());
        if (end > sizeof name) return ENAMETOOLONG;
        std::memcpy(name, wanted.data() + 1, end - 1);
        name[end - 1] = '\0';
        root = std::getenv(name);
        if (root == nullptr || root[0] != '/') return ENOENT;
        wanted.remove_prefix(end);
    }
    const int length =
        std::snprintf(folder, size, "%s%.*s", root, static_cast<int>(wanted.size()), wanted.data());
    return length > 0 && length < static_cast<int>(size) ? 0 : ENAMETOOLONG;
}

/// Appends to a path and makes the folder of that name, unless it is there. 0 or an errno.
int makeFolderIn(char* path, std::size_t size, const char* prefix, const char* name) noexcept {
    const std::size_t before = std::strlen(path);
    const int length = std::snprintf(path + before, size - before, "/%s%s", prefix, name);
    if (length < 0 || length >= static_cast<int>(size - before)) return ENAMETOOLONG;
    return createOwnFolder(path) == 0 || errno == EEXIST ? 0 : errno;
}

/// Where the events go to the node's own disk: makes their folder there, and the link that leads to them.
int prepareLocalDisk(const char* folder) noexcept {
    const char* const run = std::getenv(kRunVariable);
    const char* const process = std::strrchr(folder, '/');
    if (run == nullptr || process == nullptr) return EINVAL;
    char path[PATH_MAX];
    int error = findLocalDisk(path, sizeof path);
    if (error == 0) error = makeFolderIn(path, sizeof path, "holos-", run);
    if (error == 0) error = makeFolderIn(path, sizeof path, "", process + 1);
    if (error != 0) return error;
    constexpr std::size_t kLongestName = 16;
    char events[PATH_MAX + kLongestName];
    char link[PATH_MAX + kLongestName];
    std::snprintf(events, sizeof events, "%s/events", path);
    std::snprintf(link, sizeof link, "%s/events", folder);
    const int file = createOwnFile(events, O_RDWR);  // the link always leads somewhere
    if (file < 0) return errno;
    ::close(file);
    if (::symlink(events, link) != 0) return errno;
    std::strcpy(onLocalDisk, path);
    return 0;
}

/// Once a page of a file has its place on the disk, it stays there.
bool keepsRoom(const char* folder) noexcept {
    struct statfs facts {};
    if (::statfs(folder, &facts) != 0) return false;
    const auto type = static_cast<unsigned long>(facts.f_type);
    return type == EXT4_SUPER_MAGIC || type == XFS_SUPER_MAGIC || type == TMPFS_MAGIC;
}

Kind kindFor(const char* folder) noexcept {
    if (const char* const wanted = std::getenv("HOLOS_STORAGE"); wanted != nullptr) {
        if (std::strcmp(wanted, "mapped") == 0) return Kind::Mapped;
        if (std::strcmp(wanted, "copied") == 0) return Kind::Copied;
    }
    return keepsRoom(folder) ? Kind::Mapped : Kind::Copied;
}

int create(GrowingFile& file, Kind kind, const char* folder, const char* name, std::size_t step) noexcept {
    char path[PATH_MAX];
    std::snprintf(path, sizeof path, "%s/%s", folder, name);
    return file.create(kind, path, step);
}

int createAll(Kind kind, const char* folder) noexcept {
    constexpr std::size_t kMegabyte = std::size_t{1} << 20;
    int error = create(storage.status, kind, folder, "status", kStatusBytes);
    if (error == 0) error = create(storage.definitions, kind, folder, "definitions", kMegabyte);
    if (error == 0 && kind == Kind::Mapped)
        error = create(storage.events, kind, folder, "events", 16 * kMegabyte);
    kindOfStorage = kind;
    return error;
}

}  // namespace

int createStorage(const char* folder) noexcept {
    const KeepErrno keep;
    if (!settings().local.empty()) whyNotOnLocalDisk = prepareLocalDisk(folder);
    Kind kind = kindFor(folder);
    if (onLocalDisk[0] != '\0' && kindFor(onLocalDisk) == Kind::Copied) kind = Kind::Copied;
    const int error = createAll(kind, folder);
    return error == ENOTSUP && kind == Kind::Mapped ? createAll(Kind::Copied, folder) : error;
}

bool storageIsCopied() noexcept {
    return kindOfStorage == Kind::Copied;
}

const char* localFolder() noexcept {
    return onLocalDisk;
}

int localFailure() noexcept {
    return whyNotOnLocalDisk;
}

}  // namespace holos::tracing::core

namespace holos::tracing::core {
namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;

std::atomic<bool> isLow{false};
std::atomic<std::uint64_t> lookAt{0};     ///< bytes of events at which to look again
std::atomic<std::uint64_t> freeFirst{0};  ///< bytes that were free at the first look
std::atomic<std::uint64_t> usedFirst{0};  ///< bytes of events then

/// Nothing where that is not known, as of a folder that was moved.
std::optional<std::uint64_t> freeBytes() noexcept {
    const KeepErrno keep;
    struct statfs facts {};
    const char* const folder = localFolder()[0] != '\0' ? localFolder() : directory();
    if (::statfs(folder, &facts) != 0) return std::nullopt;
    return static_cast<std::uint64_t>(facts.f_bavail) * static_cast<std::uint64_t>(facts.f_bsize);
}

/// Where events are copied, file systems give them their place on the disk late (btrfs), and say that it is
/// free until then.
std::uint64_t withoutDelayed(std::uint64_t free, std::uint64_t used) noexcept {
    const std::uint64_t first = freeFirst.load(std::memory_order_relaxed);
    if (first == 0) {
        usedFirst.store(used, std::memory_order_relaxed);
        return free;
    }
    const std::uint64_t own = used - std::min(used, usedFirst.load(std::memory_order_relaxed));
    return storageIsCopied() ? std::min(free, first - std::min(first, own)) : free;
}

/// The reserve, and room for the trace, which is made while the recording is still there: it has three
/// quarters of what has been written since, by all processes, or less.
std::uint64_t neededBytes(std::uint64_t free) noexcept {
    std::uint64_t first = 0;
    if (freeFirst.compare_exchange_strong(first, free, std::memory_order_relaxed)) first = free;
    const std::uint64_t written = first - std::min(first, free);
    return settings().diskReserve + written / 4 * 3;
}

/// Other processes may fill the disk meanwhile: the less is left, the sooner.
std::uint64_t untilNextLook(std::uint64_t room) noexcept {
    constexpr std::uint64_t kProcesses = 64;
    constexpr std::uint64_t kMost = 16 * kMegabyte;
    return std::min(room / kProcesses, kMost);
}

void note(const char* what) noexcept {
    const auto reserve = static_cast<unsigned long long>(settings().diskReserve / kMegabyte);
    char text[256];
    std::snprintf(text, sizeof text,
                  "the disk had less than %llu MB left beside room for the trace (--disk-reserve): %s",
                  reserve, what);
    trouble(text);
}

void react() noexcept {
    if (settings().whenDiskLow == WhenDiskLow::Stop) {
        note("the recording stopped");
        return fail(ENOSPC);
    }
    if (eventsAreAdded()) {
        note("no more was traced, and all was added up to the end");
        return stopWriting();
    }
    note(kAddedUpInstead);
    addInstead();
}

}  // namespace

bool diskIsLow() noexcept {
    if (settings().diskReserve == 0) return false;
    if (isLow.load(std::memory_order_relaxed)) return true;
    const std::uint64_t used = __atomic_load_n(&status().eventBytes, __ATOMIC_RELAXED);
    if (used < lookAt.load(std::memory_order_relaxed)) return false;
    auto free = freeBytes();
    if (free) free = withoutDelayed(*free, used);
    const std::uint64_t needed = free ? neededBytes(*free) : 0;
    if (!free || *free >= needed) {
        lookAt.store(used + untilNextLook(free ? *free - needed : kMegabyte * kMegabyte),
                     std::memory_order_relaxed);
        return false;
    }
    if (!isLow.exchange(true)) react();
    return true;
}

}  // namespace holos::tracing::core

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
