// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/replay/records.h"

namespace holos::analyzer::predict {

using replay::kNone;
using replay::NodeId;
using trace::Ticks;

/// What happens in the time before a mark.
enum class Piece : std::uint8_t {
    Work,     ///< takes as long as the work does
    Message,  ///< a call of MPI: lasts until what it depends on has come, and then for its own time
    Collective,
    Apart,    ///< the same of what no network makes quicker: files, and the start and end of MPI
    Threads,  ///< the same of forks, joins, barriers and the start of threads
    Lock
};

/// How many move how much in a collective operation: what its cost depends on.
struct Exchange {
    replay::Collective operation = replay::Collective::Barrier;
    std::uint32_t participants = 0;
    std::uint64_t bytes = 0;
};

/// What comes from one mark to another.
struct Travel {
    Ticks lag = 0;            ///< how much later than the other one at least
    std::uint64_t bytes = 0;  ///< of a message
};

/// A mark waits for another one, or for a meeting.
struct Dependency {
    enum class Kind : std::uint8_t {
        Mark,
        Meeting,
        Message,     ///< mark of the sender; the message takes its time
        Rendezvous,  ///< mark of the post of a receive, without which a large message does not start
        Lock,        ///< mark of the release
        Progress     ///< mark of the other end of a message, which moves only while that is in MPI
    };
    Kind kind = Kind::Mark;
    std::uint32_t location = kNone;
    std::uint32_t position = kNone;  ///< among the awaited marks there, or of the meeting
    Ticks slack = 0;                 ///< how long before the mark it let it come, as recorded
    Travel travel;
};

/// A point in a location's time. Its recorded time is known, and what comes before it is a piece.
///
///     ──work──┤enter   MPI_Recv    leave├──work──┤…        ┤ marks
struct Mark {
    Ticks time = 0;
    std::uint32_t slice = 0;  ///< of the profile, in which the piece before it lies
    Piece piece = Piece::Work;
    bool isAwaited = false;  ///< other locations wait for it
    NodeId node;             ///< the call in which it waits before, if it does in one
    Ticks tasks = 0;         ///< of the start of a barrier: work that is done inside of it
    std::vector<Dependency> dependencies;
    std::vector<std::uint32_t> arrivals;  ///< numbers of the meetings that it counts for
    std::optional<Exchange> exchange;     ///< where a collective operation ends
};

}  // namespace holos::analyzer::predict
