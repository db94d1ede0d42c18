// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/storage.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "tracing/recorder/core/own_files.h"
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
