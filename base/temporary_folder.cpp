// SPDX-License-Identifier: BSD-3-Clause
#include "base/temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace holos {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPrefix = "holos-temporary-";

int openFolder(const fs::path& path) {
    return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool isStillThere(int file, const fs::path& path) {
    struct stat opened {};
    struct stat present {};
    return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &present) == 0 &&
           opened.st_ino == present.st_ino && opened.st_dev == present.st_dev;
}

/// This user's.
void removeAbandoned(const fs::path& place) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(place, ignored)) {
        if (!entry.path().filename().string().starts_with(kPrefix)) continue;
        const int file = openFolder(entry.path());
        if (file < 0) continue;
        struct stat facts {};
        const bool isOwn = ::fstat(file, &facts) == 0 && facts.st_uid == ::geteuid();
        if (isOwn && ::flock(file, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), ignored);
        ::close(file);
    }
}

}  // namespace

fs::path placeOfTemporaries() {
    const char* const folder = std::getenv("TMPDIR");
    return folder != nullptr && *folder != '\0' ? folder : "/var/tmp";
}

TemporaryFolder::TemporaryFolder(const fs::path& place) {
    removeAbandoned(place);
    while (file_ < 0) make(place);
}

/// Another process may take it for an abandoned one before it is locked.
void TemporaryFolder::make(const fs::path& place) {
    std::string name = (place / (std::string(kPrefix) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr)
        throw Error("no folder can be made there: " + std::string(std::strerror(errno)) +
                        " (TMPDIR names another place)",
                    {.file = place.string()});
    path_ = name;
    file_ = openFolder(path_);
    if (file_ < 0) {
        const int reason = errno;
        if (!fs::exists(path_)) return;  // taken for an abandoned one
        ::rmdir(path_.c_str());
        throw Error(std::strerror(reason), {.file = path_.string()});
    }
    if (::flock(file_, LOCK_EX) == 0 && !isStillThere(file_, path_)) {
        ::close(file_);
        file_ = -1;
    }
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    ::close(file_);
}

}  // namespace holos
