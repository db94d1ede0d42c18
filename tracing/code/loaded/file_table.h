// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "tracing/code/loaded/frame_rules.h"

/// The files that are loaded, for C libraries that cannot tell a signal handler of them (glibc before 2.35).
namespace holos::code {

/// From now on `findLoadedFile` looks into the table. Where the C library has no other way it always does.
void useFileTable() noexcept;
bool isFileTableUsed() noexcept;

/// Takes down what is loaded now. Not in a signal handler: it waits for the dynamic linker.
void takeFileTable() noexcept;
/// Nothing is known any more, and nobody is still using what was. Does not wait for the dynamic linker.
void clearFileTable() noexcept;
/// While one lives, files may go away: nothing is known of any. Taken anew when the last one ends.
class FilesGoAway {
  public:
    FilesGoAway() noexcept;
    ~FilesGoAway();
    FilesGoAway(const FilesGoAway&) = delete;
    FilesGoAway& operator=(const FilesGoAway&) = delete;
};
/// Whether an address was looked for in vain since the table was taken: a file may have come.
bool isFileTableOld() noexcept;

/// As `findLoadedFile`. False also while the table is being taken.
bool findInFileTable(std::uint64_t address, LoadedFile& file) noexcept;

/// While one lives, no file of the table goes away. Async-signal-safe.
class FileTableUse {
  public:
    FileTableUse() noexcept {
        own = own + 1;
        users.fetch_add(1);
    }
    ~FileTableUse() {
        users.fetch_sub(1);
        own = own - 1;
    }
    /// The calling thread does not come back to where its own ones live.
    static void abandon() noexcept {
        users.fetch_sub(own);
        own = 0;
    }
    FileTableUse(const FileTableUse&) = delete;
    FileTableUse& operator=(const FileTableUse&) = delete;

  private:
    friend void clearFileTable() noexcept;
    static std::atomic<int> users;
    static thread_local volatile int own
        __attribute__((tls_model("initial-exec")));  ///< of the calling thread
};

/// What the linker wrote into a loaded file to tell its build from others (`NT_GNU_BUILD_ID`), in hexadecimal
/// digits; empty where it wrote none. Read from memory: the file may have been replaced since.
class BuildId {
  public:
    /// Reads nothing outside of the file. Async-signal-safe.
    explicit BuildId(const LoadedFile& file) noexcept;

    const char* text() const noexcept { return text_.data(); }

  private:
    static constexpr std::size_t kMostBytes = 32;

    void take(ByteReader notes) noexcept;

    std::array<char, 2 * kMostBytes + 1> text_{};
};

}  // namespace holos::code
