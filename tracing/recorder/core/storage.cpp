// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/storage.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tracing/recordings/format/waiting_notes.h"

#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

namespace holos::tracing::core {

constinit Storage storage;

namespace {

using Kind = GrowingFile::Kind;

Kind kindOfStorage = Kind::Mapped;

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
    const Kind kind = kindFor(folder);
    const int error = createAll(kind, folder);
    return error == ENOTSUP && kind == Kind::Mapped ? createAll(Kind::Copied, folder) : error;
}

bool storageIsCopied() noexcept {
    return kindOfStorage == Kind::Copied;
}

}  // namespace holos::tracing::core
