// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "tracing/recordings/archive/process/event_file.h"

namespace holos::archive {

/// The records of one location's file without those of MPI calls that failed: their messages and operations
/// never were. What a call records may be followed by the news that it failed, so it waits for the call's
/// end.
///
///     ENTER MPI_Send, MpiSend, MpiFailed, LEAVE      ->      ENTER MPI_Send, LEAVE
class SettledEvents {
  public:
    explicit SettledEvents(EventFile file) : file_(std::move(file)) {}

    /// As `EventFile::next`.
    std::optional<Record> next();
    const EventFile& file() const noexcept { return file_; }

  private:
    struct Waiting {
        tracing::RecordKind kind;
        std::uint64_t ticks;
        std::size_t words;  ///< where they begin in `words_`
        int depth;          ///< in the call's region
        std::uint64_t began;
        std::uint64_t ended;
        bool isAfterLoss;
    };
    std::optional<Record> nextWaiting();
    void wait(const Record& record);
    void dropFailed();

    EventFile file_;
    std::vector<Waiting> waiting_;
    std::vector<std::uint64_t> words_;
    std::size_t taken_ = 0;  ///< of those that wait
    int depth_ = 0;
    bool isSettled_ = true;
};

}  // namespace holos::archive
