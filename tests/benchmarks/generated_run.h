// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "tests/unit/tracing/raw_recording.h"
#include "tracing/core/clock.h"
#include "tracing/core/waiting_notes.h"

namespace holos::testing {

/// What the processes of a generated run are in.
enum class RunScene {
    Barrier,    ///< all but the last one are in a barrier
    Scattered,  ///< every second one is
    Ring,       ///< each waits for a message from the next one, the last one for the first
    Pairs,      ///< two and two wait for each other
    Computing   ///< all compute
};

/// A recording of processes that live: this one proves it.
class GeneratedRun {
  public:
    GeneratedRun(std::filesystem::path folder, std::uint32_t processes, RunScene scene = RunScene::Barrier);
    const std::filesystem::path& path() const { return path_; }

    /// Each enters and leaves so many regions.
    void goOn(std::uint32_t events);
    /// There is no room for so many more.
    bool isFull(std::uint32_t events) const;

  private:
    std::filesystem::path folder(std::uint32_t rank) const;
    void put(std::vector<std::uint64_t>& words, std::uint32_t number);
    void write(std::uint32_t rank);
    bool isWaiting(std::uint32_t rank) const;
    tracing::WaitingNote::Thing awaitedBy(std::uint32_t rank) const;
    void writeNote(std::uint32_t rank) const;

    std::filesystem::path path_;
    std::uint32_t processes_;
    RunScene scene_;
    tracing::ClockSync start_{};
    std::uint64_t ticks_ = 0;
    std::uint64_t written_ = 0;
};

}  // namespace holos::testing
