// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "tracing/recordings/launch/program.h"

namespace holos::launch {

/// What to do on SIGINT, SIGTERM and SIGHUP, while an object of a class derived from it exists; those that
/// this process ignores stay ignored. One at a time. Thread safety: one thread, and the signals' handler.
class OnSignals {
  protected:
    explicit OnSignals(void (*handler)(int));
    ~OnSignals();
    OnSignals(OnSignals&&) = delete;

  private:
    std::array<struct sigaction, 3> before_{};
};

/// Notes that a signal came, instead of ending the process.
class Interruption : OnSignals {
  public:
    Interruption();

    /// False when a signal came, before or now; it ends the sleep.
    bool sleep(std::chrono::milliseconds time) const;

  private:
    static inline volatile sig_atomic_t came_ = 0;
};

/// Prints a text to standard error before the process ends by the signal.
class LastWords : OnSignals {
  public:
    explicit LastWords(std::string text);
    ~LastWords();
    LastWords(LastWords&&) = delete;

  private:
    static void speakAndEnd(int signal);
    static inline std::atomic<const std::string*> spoken_{nullptr};

    std::string text_;
};

/// Tells the user something, in a sentence.
using Announce = std::function<void(const std::string&)>;

/// From now on, processes that the program starts become children of this one when their parents end.
void adoptOrphans();

/// Waits for all that the program started and left behind: each may still begin to record. Announces it where
/// it takes long. False when a signal says not to wait any longer. `ended`: is told of each that ends.
bool waitForDescendants(const Announce& announce, const Ended& ended = {});

/// Waits for all processes of a recording that live, whoever started them; those on other machines as long
/// as they give signs of life.
bool waitForProcesses(const std::filesystem::path& recording, const Announce& announce);

}  // namespace holos::launch
