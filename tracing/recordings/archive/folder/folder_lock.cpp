// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/folder/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/format/process_identity.h"

namespace holos::archive {
namespace {

/// `fe:01:4711`, as /proc/locks names files.
std::string kernelsNameOf(const std::filesystem::path& file) {
    struct stat facts {};
    if (::stat(file.c_str(), &facts) != 0) return {};
    char name[64];
    std::snprintf(name, sizeof name, "%02x:%02x:%llu", major(facts.st_dev), minor(facts.st_dev),
                  static_cast<unsigned long long>(facts.st_ino));
    return name;
}

/// The number of the process that has locked the file; empty where the kernel does not tell. Lines of
/// /proc/locks are `1: FLOCK  ADVISORY  WRITE 4711 fe:01:4711 0 EOF`; who waits stands behind an arrow.
std::string lockingProcess(const std::filesystem::path& file) {
    const std::string name = kernelsNameOf(file);
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        std::istringstream words(line);
        std::string number, kind, way, access, process, place;
        words >> number >> kind >> way >> access >> process >> place;
        if (kind != "->" && place == name) return process;
    }
    return {};
}

}  // namespace

LockOwner ownerOf(const std::filesystem::path& file) {
    const auto note = readNote(file);
    const std::string locking = lockingProcess(file);
    const bool isSame = locking.empty() || (note && locking == std::to_string(note->pid));
    if (note && note->pid != 0) {
        const Life life = lifeOf(file);
        if (life == Life::Unknown || (life == Life::Living && isSame)) return {processesText({*note}), true};
    }
    if (locking.empty() || locking == "-1" || locking == "0")
        return {"a process that is not known here", false};
    std::string name;
    std::getline(std::ifstream("/proc/" + locking + "/comm"), name);
    return {"process " + locking + (name.empty() ? "" : " (" + name + ')') +
                ", which has not said that it is holos",
            false};
}

namespace {

using namespace std::chrono_literals;
using Clock = SeenOwner::Clock;

/// Nobody else may read it: who can, could lock it.
constexpr mode_t kOwnersOnly = 0600;

[[noreturn]] void failToLock(const fs::path& file, const std::string& what) {
    throw Error(what, {.file = file.string()});
}

/// Throws `Error` where the file was not made by a lock.
void requireOurs(int file, const fs::path& path) {
    // One look: others may empty the file, or write into it, between two.
    char begin[4] = {};
    struct stat facts {};
    const bool isFile = ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
    const ssize_t count = isFile ? ::pread(file, begin, sizeof begin, 0) : -1;
    if (count != 0 && std::string_view(begin, count < 0 ? 0 : static_cast<std::size_t>(count)) != "run ")
        failToLock(path, "is no lock of holos, and is not replaced: move it away");
    if (facts.st_uid == ::geteuid() && (facts.st_mode & 0777) != kOwnersOnly) ::fchmod(file, kOwnersOnly);
}

/// One process after another has it. False where there are no locks.
class Waiting {
  public:
    Waiting(int file, const fs::path& path, const Tell& tell, const LockPatience& patience)
        : file_(file), path_(path), tell_(tell), patience_(patience) {}

    bool run() {
        while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
            if (errno != EWOULDBLOCK && errno != EINTR) return false;
            wait();
        }
        return true;
    }

  private:
    static constexpr std::chrono::milliseconds kLongestPause = 100ms;
    /// A look reads the kernel's list of all locks.
    static constexpr std::chrono::milliseconds kBetweenLooks = 250ms;

    void wait() {
        if (const auto now = Clock::now(); now >= nextLook_) {
            look(now);
            nextLook_ = now + kBetweenLooks;
        }
        std::this_thread::sleep_for(pause_);
        pause_ = std::min(2 * pause_, kLongestPause);
    }

    void look(Clock::time_point now) {
        const LockOwner owner = ownerOf(path_);
        const auto locked = seen_.see(owner, now);
        if (locked >= (owner.isHolos ? patience_.forHolos : patience_.forOthers))
            failToLock(path_,
                       "has been locked for " +
                           std::to_string(std::chrono::duration_cast<std::chrono::seconds>(locked).count()) +
                           " s by " + owner.text + "; try again when that has ended");
        if (locked < patience_.untilTold || owner.text == told_) return;
        if (tell_)
            tell_(path_.parent_path().string() + ": waiting for " + owner.text +
                  ", which has locked the folder (Ctrl-C ends that)");
        told_ = owner.text;
    }

    int file_;
    const fs::path& path_;
    const Tell& tell_;
    const LockPatience& patience_;
    std::chrono::milliseconds pause_{1};
    Clock::time_point nextLook_ = Clock::now() + std::min(patience_.untilTold, kBetweenLooks);
    SeenOwner seen_;
    std::string told_;
};

void writeOwner(int file) {
    char text[512];
    const std::size_t bytes = tracing::describeThisProcess(text, sizeof text, "", -1, false);
    // Who waits says less then, or fails earlier.
    [[maybe_unused]] const bool isWritten =
        ::ftruncate(file, 0) == 0 && ::pwrite(file, text, bytes, 0) == static_cast<ssize_t>(bytes);
}

}  // namespace

FolderLock::FolderLock(const fs::path& directory, const Tell& tell, const LockPatience& patience)
    : path_(directory / kName) {
    take([&](int file) { return Waiting(file, path_, tell, patience).run(); });
}

FolderLock::FolderLock(const fs::path& directory, const char* name) : path_(directory / name) {
    take([this](int file) {
        const bool isTaken = ::flock(file, LOCK_EX | LOCK_NB) == 0;
        if (!isTaken && errno == EWOULDBLOCK)
            throw Locked("is locked by " + ownerOf(path_).text, {.file = path_.parent_path().string()});
        return isTaken;
    });
}

void FolderLock::take(const Wait& wait) {
    try {
        while (!attempt(wait)) continue;
    } catch (...) {
        if (file_ >= 0) ::close(file_);
        throw;
    }
}

FolderLock::~FolderLock() {
    if (!needsFinish(path_.parent_path()))
        ::unlink(path_.c_str());
    else if (::ftruncate(file_, 0) != 0) {  // nobody reads it as long as nobody waits
    }
    ::close(file_);
}

/// False where who had it before took the file away.
bool FolderLock::attempt(const Wait& wait) {
    constexpr int kFlags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    file_ = ::open(path_.c_str(), kFlags, kOwnersOnly);
    if (file_ < 0) {
        const int reason = errno;
        const bool isFolders = reason == EACCES && ::access(path_.c_str(), F_OK) != 0;
        failToLock(isFolders || reason == ENOENT || reason == EROFS ? path_.parent_path() : path_,
                   reason == ELOOP || reason == EISDIR
                       ? "is no lock of holos, and is not replaced: move it away"
                       : std::strerror(reason));
    }
    requireOurs(file_, path_);
    if (!wait(file_)) return true;
    struct stat locked {};
    struct stat present {};
    const bool isPresent = ::fstat(file_, &locked) == 0 && ::lstat(path_.c_str(), &present) == 0 &&
                           locked.st_ino == present.st_ino && locked.st_dev == present.st_dev;
    if (isPresent) {
        writeOwner(file_);
        return true;
    }
    ::close(file_);
    file_ = -1;
    return false;
}

}  // namespace holos::archive
