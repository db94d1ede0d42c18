// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/followed_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "base/error.h"

namespace holos::launch {

namespace fs = std::filesystem;

FollowedFolder::FollowedFolder(fs::path folder)
    : folder_(std::move(folder)), descriptor_(::open(folder_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    if (!descriptor_) throw Error(std::strerror(errno), {.file = folder_.string()});
}

fs::path FollowedFolder::now() const {
    struct stat own {};
    struct stat other {};
    const bool isKnown = ::fstat(descriptor_.number(), &own) == 0;
    const auto isHere = [&](const fs::path& path) {
        return ::stat(path.c_str(), &other) == 0 && own.st_ino == other.st_ino && own.st_dev == other.st_dev;
    };
    if (isKnown && isHere(folder_)) return folder_;
    std::error_code error;
    fs::path moved = fs::read_symlink(link(), error);
    if (isKnown && !error && isHere(moved)) return moved;
    if (::stat(folder_.c_str(), &other) != 0 && errno != ENOENT && errno != ENOTDIR)
        throw Error(std::string("cannot be reached any more (") + std::strerror(errno) +
                        "): what was recorded may not be complete",
                    {.file = folder_.string()});
    throw Error("was removed, or moved to another disk, while the program ran: the recording is not complete",
                {.file = folder_.string()});
}

std::string FollowedFolder::link() const {
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor_.number());
}

}  // namespace holos::launch
