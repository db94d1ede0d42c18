// SPDX-License-Identifier: BSD-3-Clause
#include "base/output_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <random>

#include "base/error.h"

namespace holos {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as Linux follows at most
constexpr int kMostNames = 100;
constexpr mode_t kNewFile = 0666;  // as far as the user's mask lets it
constexpr mode_t kPermissions = 0777;

/// Links of /proc name what a program has open; they are opened, and not followed by name.
bool isOnProc(const fs::path& folder) {
    struct statfs system {};
    return ::statfs(folder.c_str(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

fs::path folderOf(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// The file that a path means: where its links lead, whether there is a file or not.
fs::path followed(fs::path file) {
    std::error_code none;
    for (int links = 0; links < kMostLinks && fs::is_symlink(fs::symlink_status(file, none)); ++links) {
        if (isOnProc(folderOf(file))) return file;
        const fs::path next = fs::read_symlink(file, none);
        if (none) return file;
        file = next.is_absolute() ? next : folderOf(file) / next;
    }
    return file;
}

/// Whoever made the folder may have put it there, to have another file written.
void refuseLink(const fs::path& file) {
    struct stat earlier {};
    if (::lstat(file.c_str(), &earlier) != 0 || S_ISREG(earlier.st_mode) || S_ISDIR(earlier.st_mode)) return;
    std::error_code none;
    const fs::path to = fs::read_symlink(file, none);
    throw Error((none ? std::string("is no ordinary file") : "is a link to " + to.string()) +
                    ", and was not written: give another file with -o, or that one if it is meant",
                Place{.file = file.string()});
}

/// Another one each time.
fs::path nameBeside(const fs::path& file) {
    constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::random_device chance;
    std::string ending = ".";
    for (int i = 0; i < 8; ++i) ending += kLetters[chance() % kLetters.size()];
    return file.string() + ending;
}

void writeAll(int descriptor, std::string_view bytes, const auto& fail) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(descriptor, bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) fail();
        bytes.remove_prefix(static_cast<std::size_t>(done));
    }
}

}  // namespace

OutputFile::OutputFile(const fs::path& file, Links links)
    : name_(file), target_(links == Links::Followed ? followed(file) : file) {
    if (links == Links::Refused) refuseLink(file);
    struct stat earlier {};
    if (::stat(target_.c_str(), &earlier) != 0) {
        if (errno != ENOENT) failWithErrno("cannot be written");
    } else if (S_ISDIR(earlier.st_mode)) {
        throw Error("is a folder, not a file to write", Place{.file = name_.string()});
    } else if (!S_ISREG(earlier.st_mode) || isOnProc(folderOf(target_))) {
        openSpecial();
    } else if (::faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) {
        failWithErrno("cannot be written");
    }
    openBeside(special_ ? fs::temp_directory_path() / "holos-result" : target_);
}

OutputFile::~OutputFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

/// A file without a name vanishes with the program. Not every file system has such.
void OutputFile::openBeside(const fs::path& file) {
    content_ = Descriptor(::open(folderOf(file).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kNewFile));
    for (int tries = 0; !content_ && tries < kMostNames; ++tries) {
        temporary_ = nameBeside(file);
        content_ = Descriptor(::open(temporary_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kNewFile));
        if (content_) return;
        temporary_.clear();
        if (errno != EEXIST) break;
    }
    if (!content_) failWithErrno("cannot be written");
}

/// What a program's output goes to may be a log that others write as well: nothing in it is replaced.
void OutputFile::openSpecial() {
    special_ = Descriptor(::open(target_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY));
    if (!special_) failWithErrno("cannot be written");
}

void OutputFile::write(std::string_view bytes) {
    size_ += bytes.size();
    writeAll(content_.number(), bytes, [this] { failWithErrno("cannot be written"); });
}

void OutputFile::rewrite(std::uint64_t offset, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t done =
            ::pwrite(content_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) failWithErrno("cannot be written");
        bytes.remove_prefix(static_cast<std::size_t>(done));
        offset += static_cast<std::uint64_t>(done);
    }
}

void OutputFile::commit() {
    if (special_) return copyToSpecial();
    keepOwnerAndPermissions();
    // A disk that is full is reported here at the latest.
    if (::fsync(content_.number()) != 0 && errno != EINVAL && errno != ENOSYS)
        failWithErrno("cannot be written");
    giveName();
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) failWithErrno("cannot be put in place");
    temporary_.clear();
}

/// Owner and permissions are those of the file that is replaced.
void OutputFile::keepOwnerAndPermissions() const {
    struct stat earlier {
    }, now{};
    if (::lstat(target_.c_str(), &earlier) != 0 || ::fstat(content_.number(), &now) != 0) return;
    const bool sameOwner = earlier.st_uid == now.st_uid && earlier.st_gid == now.st_gid;
    // Ordinary users cannot give files away: then the file is theirs.
    [[maybe_unused]] const bool isGiven =
        sameOwner || ::fchown(content_.number(), earlier.st_uid, earlier.st_gid) == 0;
    if (::fchmod(content_.number(), earlier.st_mode & kPermissions) != 0)
        failWithErrno("cannot get the permissions of the file that it replaces");
}

/// A name beside the target, where there is none yet: links do not replace files, renaming does.
void OutputFile::giveName() {
    const std::string open = "/proc/self/fd/" + std::to_string(content_.number());
    for (int tries = 0; temporary_.empty() && tries < kMostNames; ++tries) {
        const fs::path name = nameBeside(target_);
        if (::linkat(AT_FDCWD, open.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0)
            temporary_ = name;
        else if (errno != EEXIST)
            break;
    }
    if (temporary_.empty()) failWithErrno("cannot be put in place");
}

void OutputFile::copyToSpecial() const {
    constexpr std::size_t kPart = 1U << 16;
    std::array<char, kPart> part{};
    for (std::uint64_t at = 0;;) {
        const ssize_t got = ::pread(content_.number(), part.data(), part.size(), static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) failWithErrno("cannot be written");
        if (got == 0) return;
        writeAll(special_.number(), {part.data(), static_cast<std::size_t>(got)},
                 [this] { failWithErrno("cannot be written"); });
        at += static_cast<std::uint64_t>(got);
    }
}

void OutputFile::failWithErrno(const char* what) const {
    throw Error(std::string(what) + ": " + std::strerror(errno), Place{.file = name_.string()});
}

void writeFile(const fs::path& file, std::string_view text, Links links) {
    OutputFile out(file, links);
    out.write(text);
    out.commit();
}

}  // namespace holos
