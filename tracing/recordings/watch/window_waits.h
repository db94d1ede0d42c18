// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracing/recordings/watch/process_waits.h"
#include "tracing/recordings/watch/waits.h"

namespace holos::watch {

/// For which other processes one waits to use a window of MPI: at a lock, or until they expose their memory
/// or have ended their accesses (MPI_Win_start, MPI_Win_complete, MPI_Win_wait). A lock belongs to a process,
/// not to one of its threads. MPI may grant it later than MPI_Win_lock returns, so who has asked for it and
/// not given it back has it for sure only where an operation under it is complete, or the memory is its own.
class WindowWaits {
  public:
    WindowWaits(const WaitContext& context, const Communicators& communicators)
        : context_(context), communicators_(communicators) {}

    /// Adds those who are waited for to the wait, and says what it is in words.
    std::string awaitLock(const ThreadAt& at, const AwaitedThing& thing, Wait& wait) const;

    std::string awaitEpoch(const ThreadAt& at, const AwaitedThing& thing, Wait& wait) const;

  private:
    /// How often a process has begun or ended to use a window together with a rank of the world, by a call of
    /// this name.
    std::int64_t epochsOf(std::size_t process, const archive::RecordedWindow& window, std::uint32_t with,
                          std::string_view call) const;
    /// Of all its threads, from their starts on.
    bool knowsEpochsOf(std::size_t process) const;
    /// What a process has asked for at a target of the window, its own or that of all targets.
    struct Use {
        std::uint32_t target = 0;
        WindowLock lock;
        bool isGranted = false;
    };
    std::vector<Use> usesOf(std::size_t process, const archive::RecordedWindow& window) const;
    /// Ranks of the world that keep others from such a lock, or may do so.
    struct Others {
        std::vector<std::uint32_t> holders;
        std::vector<std::uint32_t> askers;
    };
    Others othersThatUse(const ThreadAt& at, const archive::RecordedWindow& window, std::uint32_t target,
                         bool isExclusive) const;
    std::string awaitCompletion(const ThreadAt& at, const archive::RecordedWindow& window,
                                std::uint32_t target, Wait& wait) const;
    std::string targetText(const ThreadAt& at, const archive::RecordedWindow& window,
                           std::uint32_t target) const;
    bool waitsThere(std::size_t process, const archive::RecordedWindow& window) const;
    bool isOwnMemory(std::size_t process, const archive::RecordedWindow& window, std::uint32_t target) const;
    const archive::RecordedWindow* find(std::size_t process, std::uint32_t window) const;

    const WaitContext& context_;
    const Communicators& communicators_;
};

}  // namespace holos::watch
