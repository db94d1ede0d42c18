// SPDX-License-Identifier: BSD-3-Clause
//
// Late Sender while polling: calls such as MPI_Test and MPI_Iprobe find nothing, because the message that
// they are for was not sent yet. A row of them, of one call path, begins at a, ends at b, and takes t in the
// calls themselves:
//
//   sender    ───────────────────────┤ Send ├───────       w = t                       where E(send) ≥ b
//   receiver  ──┤T├──┤T├──┤T├──┤T├──┤T├──┤Test├─────       w = t (E(send) − a)/(b − a)  where a < E(send) < b
//               a                     b                    w = 0                       where E(send) ≤ a
//
// Time between the calls is the program's, and no wait. Where in the row each call stood is not known: they
// count as spread evenly. The row is for the message that ends it: for tests that of the next test or wait
// that completes something, for probes that of the next receive; of several the one that was sent last.
//
#include <algorithm>
#include <optional>

#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

namespace {

const algebra::Picture kPollingPicture{
    {{"sender", "Send", "--------------====--"}, {"receiver", "Test, Test, Test", "--##--##--##--==----"}},
    {{0, 14, 1, 15}}};

const Metric kPolling{
    .parent = "mpi_point2point",
    .uniqueName = "mpi_latesender_polling",
    .displayName = "Late Sender while Polling",
    .description =
        "Time in calls such as MPI_Test, MPI_Testany and MPI_Iprobe that find nothing, because the message "
        "that is "
        "received at last was not sent yet. The program waits, although no call of it blocks. Start the send "
        "earlier, or do other work between the calls.",
    .picture = &kPollingPicture,
    .meaning = "a receiver asks again and again for a message that was not sent yet",
    .activity = Activity::None};

using replay::PollRecord;
using replay::RecordRef;

/// The last of the sends whose messages a call receives.
struct LastSend {
    Ticks enter = 0;
    RecordRef call;
};

std::optional<LastSend> lastSendFor(const matching::MatchedTrace& run, trace::LocationId location,
                                    std::uint32_t call) {
    const auto& receives = run.trace[location].messages.receives;
    const auto& sendOf = run.matches.messages.sendOf[location.index()];
    const auto first = std::lower_bound(
        receives.begin(), receives.end(), call,
        [](const replay::Receive& receive, std::uint32_t wanted) { return receive.call < wanted; });
    std::optional<LastSend> last;
    for (auto at = first; at != receives.end() && at->call == call; ++at) {
        const RecordRef sent = sendOf[static_cast<std::size_t>(at - receives.begin())];
        if (!sent.isKnown()) continue;
        const auto& source = run.trace.locations[sent.location].messages;
        const std::uint32_t sends = source.sends[sent.position].call;
        const Ticks enter = source.calls[sends].enter;
        if (!last || enter > last->enter) last = {enter, {sent.location, sends}};
    }
    return last;
}

Ticks partBefore(Ticks time, const PollRecord& polls) {
    if (time <= polls.begin) return 0;
    if (time >= polls.end) return polls.inside;
    const double share =
        static_cast<double>(time - polls.begin) / static_cast<double>(polls.end - polls.begin);
    return static_cast<Ticks>(share * static_cast<double>(polls.inside));
}

void findInLocation(const matching::MatchedTrace& run, trace::LocationId location, LocationFindings& found) {
    const auto& polls = run.trace[location].polls;
    for (std::uint32_t i = 0; i < polls.size(); ++i) {
        if (polls[i].call == kNone) continue;
        const auto send = lastSendFor(run, location, polls[i].call);
        const Ticks wait = send ? partBefore(send->enter, polls[i]) : 0;
        if (wait <= 0) continue;
        found.severities.add(kPolling, polls[i].node, wait);
        found.waits.polls.push_back({i, send->call, wait});
    }
}

void visitWaits(const JudgedTrace& run, trace::LocationId location, const VisitWait& visit) {
    for (const PollWait& wait : run.waits[location.index()].polls) {
        const PollRecord& polls = run.trace[location].polls[wait.polls];
        visit({kPolling, polls.node, wait.wait, polls.begin, trace::LocationId(wait.awaited.location)});
    }
}

}  // namespace

/// Its causes are those of Late Sender.
extern const Pattern kPollingPattern{
    .metrics = {&kPolling}, .inLocation = findInLocation, .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
