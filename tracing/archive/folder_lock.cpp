// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace holos::archive {

FolderLock::FolderLock(const fs::path& directory) : path_(directory / kName) {
    while (!attempt()) continue;
}

FolderLock::~FolderLock() {
    if (!needsFinish(path_.parent_path())) ::unlink(path_.c_str());
    ::close(file_);
}

/// False where who had it before took the file away.
bool FolderLock::attempt() {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file_ < 0) throw Error(std::strerror(errno), {.file = path_.parent_path().string()});
    while (::flock(file_, LOCK_EX) != 0)
        if (errno != EINTR) return true;
    struct stat locked {};
    struct stat present {};
    const bool isPresent = ::fstat(file_, &locked) == 0 && ::stat(path_.c_str(), &present) == 0 &&
                           locked.st_ino == present.st_ino && locked.st_dev == present.st_dev;
    if (!isPresent) ::close(file_);
    return isPresent;
}

}  // namespace holos::archive
