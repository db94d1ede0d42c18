// SPDX-License-Identifier: BSD-3-Clause
//
// Late Receiver at Buffer Detach: MPI_Buffer_detach and MPI_Buffer_flush wait until all messages have left
// the buffer, some of which nobody has begun to receive.
//
//   sender    ──┤Bsend├──┤ Buffer_detach ······├──       w = min(last E(receive), L(detach)) − E(detach)
//   receiver  ─────────────────────────┤ Recv ├───
//
#include <algorithm>
#include <optional>

#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kDetachPicture{{{"sender", "Bsend, Buffer_detach", "-===--##########=---"},
                                       {"receiver", "Recv", "--------------====--"}},
                                      {{0, 2, 1, 15}}};

const Metric kDetach{.parent = "mpi",
                     .uniqueName = "mpi_buffer_detach_wait",
                     .displayName = "Late Receiver at Buffer Detach",
                     .description =
                         "Time in MPI_Buffer_detach or MPI_Buffer_flush until the last of the buffered "
                         "messages begins to be received. Receive them earlier, or detach or flush the "
                         "buffer later.",
                     .picture = &kDetachPicture,
                     .meaning = "a sender waits for receivers before it can have its buffer back"};

using replay::PollRecord;
using replay::RecordRef;
using trace::CallKind;

/// When the receive of a send began, and where.
struct Posted {
    Ticks enter = 0;
    RecordRef call;
};

std::optional<Posted> postedFor(const matching::MatchedTrace& run, RecordRef send) {
    const RecordRef received = matching::receiveOf(run.matches.messages, send);
    if (!received.isKnown()) return std::nullopt;
    const replay::Receive& receive =
        run.trace.locations[received.location].messages.receives[received.position];
    const replay::Call* const posted = run.trace.postOf(receive);
    if (posted == nullptr) return std::nullopt;
    return Posted{posted->enter, {receive.requestLocation, receive.requestCall}};
}

/// Of the messages that a location put into its buffer between two times, the one that was received last.
std::optional<Posted> lastPosted(const matching::MatchedTrace& run, std::uint32_t location, Ticks from,
                                 Ticks to) {
    const auto& messages = run.trace.locations[location].messages;
    const auto first = std::ranges::lower_bound(messages.sends, from, {}, &replay::Send::time);
    std::optional<Posted> last;
    for (auto at = first; at != messages.sends.end() && at->time < to; ++at) {
        if (messages.calls[at->call].kind != CallKind::BufferedSend) continue;
        const auto posted =
            postedFor(run, {location, static_cast<std::uint32_t>(at - messages.sends.begin())});
        if (posted && (!last || posted->enter > last->enter)) last = posted;
    }
    return last;
}

void findInLocation(const matching::MatchedTrace& run, trace::LocationId location, LocationFindings& found) {
    const auto here = static_cast<std::uint32_t>(location.index());
    Ticks before = 0;  // end of the call before, which emptied the buffer
    for (const PollRecord& detach : run.trace[location].polls) {
        if (detach.kind != CallKind::BufferDetach) continue;
        const auto last = lastPosted(run, here, before, detach.begin);
        before = detach.end;
        const Ticks wait = last ? std::min(last->enter, detach.end) - detach.begin : 0;
        if (wait <= 0) continue;
        found.waits.dependencies.push_back(
            {{here, detach.node, detach.slice, kNone, detach.event, detach.begin, detach.end},
             startOfCall(run.trace, last->call.location, last->call.position),
             &kDetach,
             wait,
             wait,
             Kind::LateReceiver});
    }
}

}  // namespace

/// Its causes are those of Late Receiver.
extern const Pattern kBufferDetachPattern{.metrics = {&kDetach}, .inLocation = findInLocation};

}  // namespace holos::analyzer::patterns
