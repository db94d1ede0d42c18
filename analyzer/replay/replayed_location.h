// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/memory/packed_records.h"
#include "analyzer/replay/counter_recorder.h"
#include "analyzer/replay/file_recorder.h"
#include "analyzer/replay/local_tree.h"
#include "analyzer/replay/message_recorder.h"
#include "analyzer/replay/packed_slices.h"
#include "analyzer/replay/task_places.h"
#include "analyzer/replay/team_recorder.h"
#include "analyzer/trace/diagnosis.h"

namespace holos::analyzer::replay {

/// The innermost call that a thread was in when its process ended: one that never returned.
struct CallUntilEnd {
    NodeId node = kOutside;  ///< none
    Ticks enter = 0;
    Ticks leave = 0;  ///< with the time without events until the end
    /// The thread ended with it, and nothing else says that its process ended then: only its first thread
    /// knows when.
    bool mayHaveReturned = false;
};

/// Time that was booked on a call path and, by what samples say, passed in another one.
struct SharedTime {
    NodeId from;
    NodeId to;
    Ticks ticks = 0;
};

/// What a location called, how long it was there, and what was counted meanwhile.
struct LocationCalls {
    LocalTree tree;
    TaskPlaces taskPlaces;
    std::string program;  ///< of its ProgramBegin, without folders
    CounterRecords counters;
    PackedSlices intervals;          ///< time by node between readings of counters that it has a part in
    std::vector<SharedTime> shared;  ///< what the tree has already, and the profile has not
    CallUntilEnd untilEnd;
    std::optional<Ticks> programEnd;  ///< of the first thread of a process
    std::vector<Period> periods;      ///< in which it was recorded, where recording was switched off and on
    std::uint64_t events = 0;
};

/// What a location had to do with others.
struct LocationTrace {
    explicit LocationTrace(Memory memory = heap())
        : messages(memory), threads(memory), rma(memory), polls(memory), inner(memory), profile(memory) {}

    /// How much of a time in a call of MPI was none of its own: the recorder's, or that of what it called.
    Ticks notOwn(NodeId call, Period time) const;

    MessageRecords messages;
    ThreadRecords threads;
    Records<RmaRecord> rma;
    Records<PollRecord> polls;
    Records<InnerTime> inner;  ///< by node, then by time; those of a node do not overlap
    FileRecords files;
    PackedSlices profile;  ///< time by node between synchronizing calls; empty when not wanted
    Startup init;
    Startup finalize;
    std::vector<Period>
        pauses;          ///< in which the recorder wrote its buffer, made room in it, or had no more events
    Ticks begin = 0;     ///< of the first event
    Ticks end = 0;       ///< of the last one
    EventRange counted;  ///< whose messages and bytes count
};

inline Ticks LocationTrace::notOwn(NodeId call, Period time) const {
    Ticks sum = partWithin(pauses, time);
    auto at = std::ranges::lower_bound(inner, std::pair(call, time.begin), {},
                                       [](const InnerTime& one) { return std::pair(one.node, one.end); });
    for (; at != inner.end() && at->node == call && at->begin < time.end; ++at) {
        const Period part{std::max(at->begin, time.begin), std::min(at->end, time.end)};
        if (part.begin < part.end) sum += part.end - part.begin - partWithin(pauses, part);
    }
    return sum;
}

/// What remains of a location after its replay.
struct ReplayedLocation {
    explicit ReplayedLocation(Memory memory) : trace(memory) {}
    ReplayedLocation(LocationCalls allCalls, LocationTrace records)
        : calls(std::move(allCalls)), trace(std::move(records)) {}

    /// No event came, and nobody has anything to divide there.
    bool isNothing() const { return calls.events == 0 && calls.intervals.size() == 0; }

    LocationCalls calls;
    LocationTrace trace;
    std::vector<Diagnosis> diagnoses;
};

}  // namespace holos::analyzer::replay
