// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::matching {

/// The two ends of messages. A record that stayed alone has an end that is not known.
struct MessageMatches {
    std::vector<Records<replay::RecordRef>> receiveOf;  ///< by location and send
    std::vector<Records<replay::RecordRef>> sendOf;     ///< by location and receive
    std::uint64_t pairs = 0;
    std::vector<std::vector<Diagnosis>> diagnoses;  ///< by location: of what stays alone
};

/// Where what was sent was received.
inline replay::RecordRef receiveOf(const MessageMatches& matches, replay::RecordRef send) {
    return send.isKnown() ? matches.receiveOf[send.location][send.position] : replay::RecordRef{};
}

/// Pairs sends and receives: the n-th send with the n-th receive that was posted, of equal communicator,
/// source, destination and tag (MPI standard, non-overtaking rule), in whatever order they are completed.
/// Processes stand for their threads: where several threads communicate, their events are taken by time. The
/// result is kept in `memory`.
MessageMatches matchMessages(const replay::ReplayedTrace& trace, workers::Workers& workers, Memory memory);

}  // namespace holos::analyzer::matching
