// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "base/error.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"

namespace holos::archive {

/// Takes a sentence for the user.
using Tell = std::function<void(const std::string&)>;

/// Who has a lock.
struct LockOwner {
    std::string
        text;  ///< `process 17 on node5`, or `process 4711 (sleep), which has not said that it is holos`
    bool isHolos = false;  ///< a process that wrote into the file who it is, and lives as far as is known
};

LockOwner ownerOf(const std::filesystem::path& file);

/// Somebody else has it.
class Locked : public Error {
  public:
    using Error::Error;
};

/// How long each of the others is waited for.
struct LockPatience {
    std::chrono::milliseconds untilTold{1000};        ///< whom it waits for
    std::chrono::milliseconds forHolos{10 * 60'000};  ///< that make a trace, which may take long
    std::chrono::milliseconds forOthers{10'000};
};

/// Who has a lock that is waited for, look by look. A thousand commands of a job that have it one after the
/// other, each for a moment, are no long lock.
class SeenOwner {
  public:
    using Clock = std::chrono::steady_clock;

    /// Returns how long it has been the same one.
    Clock::duration see(const LockOwner& owner, Clock::time_point now) {
        if (owner.text != text_) since_ = now;
        text_ = owner.text;
        return now - since_;
    }

  private:
    std::string text_;
    Clock::time_point since_;
};

/// While one exists, no other process changes which measurement is in the folder: prepares it, makes its
/// trace, removes the recording. The kernel ends it with the process that holds it, whatever happens to that.
/// The lock is a file in the folder that goes with it, which only its owner may open, and which says who has
/// it. On file systems without locks it does nothing.
class FolderLock {
  public:
    /// Waits for others, and tells for whom where that takes long. Throws `Error` where nothing can be
    /// written in the folder, where the wait becomes too long, and where the file is not one of Holos.
    explicit FolderLock(const fs::path& directory, const Tell& tell = {}, const LockPatience& patience = {});
    /// One of another name, for something else than the measurement. Throws `Locked` at once where somebody
    /// has it.
    FolderLock(const fs::path& directory, const char* name);
    ~FolderLock();
    static constexpr const char* kName = ".holos-lock";

    FolderLock(FolderLock&&) = delete;

  private:
    using Wait = std::function<bool(int file)>;  ///< false where there are no locks
    void take(const Wait& wait);
    bool attempt(const Wait& wait);

    fs::path path_;
    int file_ = -1;
};

}  // namespace holos::archive
