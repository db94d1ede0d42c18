// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "tests/unit/tracing/raw_table.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/waiting_notes.h"

namespace holos::testing {

/// What the processes of a generated run are in.
enum class RunScene {
    Barrier,    ///< all but the last one are in a barrier
    Scattered,  ///< every second one is
    Ring,       ///< each waits for a message from the next one, the last one for the first
    Pairs,      ///< two and two wait for each other
    Computing   ///< all compute
};

/// What its processes record.
struct RunShape {
    std::uint32_t processes = 4096;
    RunScene scene = RunScene::Barrier;
    std::uint32_t regions = 99;  ///< that `goOn` enters in turn
    std::uint32_t counters = 0;  ///< the n-th one counts n for each event
    bool isProfile = false;      ///< events are added up
};

/// A recording of processes that live: this one proves it.
class GeneratedRun {
  public:
    GeneratedRun(std::filesystem::path folder, const RunShape& shape);
    const std::filesystem::path& path() const { return path_; }

    /// Each leaves what it is in, enters and leaves regions, which are so many events, and is there again.
    void goOn(std::uint32_t events);
    /// All processes end in order.
    void end() const;
    /// There is no room for so many more.
    bool isFull(std::uint32_t events) const;

  private:
    /// Processes that record the same.
    struct Alike {
        std::uint32_t call;                ///< what they are in
        std::unique_ptr<RawTable> sums;    ///< of a profile
        std::vector<std::uint64_t> words;  ///< new ones of a trace
    };
    std::filesystem::path folder(std::uint32_t rank) const;
    Alike& alike(std::uint32_t rank);
    void record(Alike& processes, bool isEnter, std::uint32_t region) const;
    void writeEvents(std::uint32_t rank);
    void write(std::uint32_t rank);
    bool isWaiting(std::uint32_t rank) const;
    tracing::WaitingNote::Thing awaitedBy(std::uint32_t rank) const;
    void writeNote(std::uint32_t rank) const;

    std::filesystem::path path_;
    RunShape shape_;
    tracing::ClockSync start_{};
    std::uint64_t events_ = 0;   ///< that each has recorded, without the first one
    std::uint64_t turn_ = 0;     ///< events of regions among them
    std::uint64_t written_ = 0;  ///< words of each process
    Alike inMpi_;
    Alike computing_;
};

}  // namespace holos::testing
