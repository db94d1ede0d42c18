// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/replay/call_replay.h"

namespace holos::analyzer::replay {

/// What a location's events say of MPI's messages and collective operations becomes records, and a part of
/// the logical order. Thread safety: one thread for each location.
class MessageEvents {
  public:
    explicit MessageEvents(CallReplay& calls) : calls_(calls), records_(calls.records()) {}

    void send(std::uint64_t event, Ticks time, const Message& message);
    void startSend(std::uint64_t event, Ticks time, const Message& message, std::uint64_t request);
    void completeSend(std::uint64_t event, Ticks time, std::uint64_t request);
    void postReceive(std::uint64_t event, Ticks time, std::uint64_t request);
    void receive(std::uint64_t event, Ticks time, const Message& message);
    void completeReceive(std::uint64_t event, Ticks time, const Message& message, std::uint64_t request);
    void cancel(std::uint64_t event, Ticks time, std::uint64_t request);

    /// Also of operations on windows.
    void beginCollective(std::uint64_t event, Ticks time);
    void endCollective(std::uint64_t event, Ticks time, const CollectiveRecord& collective);
    void startCollective(std::uint64_t event, Ticks time, std::uint64_t request);
    void completeCollective(std::uint64_t event, Ticks time, const CollectiveRecord& collective,
                            std::uint64_t request);

  private:
    void noteReceive(Ticks time, std::uint32_t record);

    CallReplay& calls_;
    MessageRecorder& records_;
};

}  // namespace holos::analyzer::replay
