// SPDX-License-Identifier: BSD-3-Clause
//
// Late Sender at Probe or Test: calls such as MPI_Test and MPI_Iprobe find nothing, because the message that
// they are for was not sent yet. A row of them, of one call path, begins at a, ends at b, and takes t in the
// calls themselves:
//
//   sender    ───────────────────────┤ Send ├───────       w = t                       where E(send) ≥ b
//   receiver  ──┤T├──┤T├──┤T├──┤T├──┤T├──┤Test├─────       w = t (E(send) − a)/(b − a)  where a < E(send) < b
//               a                     b                    w = 0                       where E(send) ≤ a
//
// Likewise of a nonblocking collective operation, where E is when the last rank that it needs begins it.
//
// A call such as MPI_Probe blocks until there is a message, and leaves it to another one to receive it:
//
//   sender    ───────────────┤ Send ├──────       w = min(E(send), L(probe)) − E(probe)
//   receiver  ──┤ Probe ········├┤ Recv ├──
//
// Time between the calls is the program's, and no wait; but where it sleeps right behind a call that found
// nothing, or lets others have its processor, it waits as in these calls. Where in the row each call stood is
// not known: they count as spread evenly. The row is for the message that ends it: for tests that of the next
// test or wait that completes something, for probes that of the next receive; of several the one that was
// sent last.
//
#include <algorithm>
#include <map>
#include <optional>

#include "analyzer/patterns/list.h"
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
    .displayName = "Late Sender at Probe or Test",
    .description =
        "Time in MPI_Probe and MPI_Mprobe, and in calls such as MPI_Test, MPI_Testany and MPI_Iprobe that find "
        "nothing, because the message that is received at last was not sent yet. The program waits, although "
        "the call that receives it does not block. Start the send earlier, or do other work between these "
        "calls.",
    .picture = &kPollingPicture,
    .meaning = "a receiver asks for a message that was not sent yet",
    .activity = Activity::None};

const Metric kBarrierPolling{
    .parent = "mpi_sync_collective",
    .uniqueName = "mpi_barrier_polling",
    .displayName = "Wait at Barrier while Polling",
    .description =
        "Time in calls such as MPI_Test that find a nonblocking barrier not completed, because not all "
        "processes have begun it. The program waits, although no call of it blocks. Balance the work "
        "before the barrier, or do other work between the calls.",
    .picture = &kPollingPicture,
    .meaning = "processes ask again and again for a barrier that others have not begun",
    .activity = Activity::None};

const Metric kCollectivePolling{
    .parent = "mpi_collective",
    .uniqueName = "mpi_collective_polling",
    .displayName = "Late Partners while Polling",
    .description =
        "Time in calls such as MPI_Test that find a nonblocking collective operation not completed, "
        "because a process that it needs has not begun it. The program waits, although no call of it "
        "blocks. Balance the work before the operation, or do other work between the calls.",
    .picture = &kPollingPicture,
    .meaning = "processes ask again and again for an operation that others have not begun",
    .activity = Activity::None};

const Metric kPauses{
    .parent = "system_waiting",
    .uniqueName = "system_waiting_polling",
    .displayName = "Sleep between Tests for Messages",
    .description =
        "Time that a thread sleeps, or lets others have its processor, right behind calls such as MPI_Test and "
        "MPI_Iprobe that found nothing, because the message was not sent yet. The program waits there as it does in these calls: what it waits for has to come earlier.",
    .picture = &kPollingPicture,
    .needs = Needs::SleepsForMessages,
    .meaning = "threads sleep between calls that ask for a message that was not sent yet",
    .activity = Activity::None};

const Metric kCollectivePauses{
    .parent = "system_waiting",
    .uniqueName = "system_waiting_collective_polling",
    .displayName = "Sleep between Tests for Collective Operations",
    .description =
        "Time that a thread sleeps, or lets others have its processor, right behind calls such as MPI_Test that "
        "found a nonblocking collective operation not complete, because not all ranks had begun it. The program "
        "waits there as it does in these calls: balance the work before the operation begins.",
    .picture = &kPollingPicture,
    .needs = Needs::SleepsForMessages,
    .meaning = "threads sleep between calls that ask for an operation that others have not begun",
    .activity = Activity::None};

using replay::Collective;
using replay::CollectiveRecord;
using replay::PollRecord;
using replay::RecordRef;

/// What a call that completes something needed last.
struct LastNeeded {
    Ticks enter = 0;
    RecordRef call;
    std::optional<Collective> operation = std::nullopt;  ///< not of messages
};

/// The send of a message that a location receives; nothing where it is not known.
std::optional<LastNeeded> sendOf(const matching::MatchedTrace& run, trace::LocationId location,
                                 std::size_t receive) {
    const RecordRef sent = run.matches.messages.sendOf[location.index()][receive];
    if (!sent.isKnown()) return std::nullopt;
    const auto& source = run.trace.locations[sent.location].messages;
    const std::uint32_t sends = source.sends[sent.position].call;
    return LastNeeded{source.calls[sends].enter, {sent.location, sends}};
}

/// The last of the sends whose messages a call receives.
std::optional<LastNeeded> lastSendFor(const matching::MatchedTrace& run, trace::LocationId location,
                                      std::uint32_t call) {
    const auto& receives = run.trace[location].messages.receives;
    const auto first = std::ranges::lower_bound(receives, call, {}, &replay::Receive::call);
    std::optional<LastNeeded> last;
    for (auto at = first; at != receives.end() && at->call == call; ++at) {
        const auto sent = sendOf(run, location, static_cast<std::size_t>(at - receives.begin()));
        if (sent && (!last || sent->enter > last->enter)) last = sent;
    }
    return last;
}

/// The send that a probe waited for: of the messages received after it the first one that was sent meanwhile.
/// Nothing where all of these were sent before or after it.
std::optional<LastNeeded> sendDuring(const matching::MatchedTrace& run, trace::LocationId location,
                                     const PollRecord& probe) {
    constexpr std::ptrdiff_t kMostProbed = 64;  // before the first of them is received
    const auto& receives = run.trace[location].messages.receives;
    const auto first = std::ranges::lower_bound(receives, probe.found, {}, &replay::Receive::call);
    const auto last = first + std::min<std::ptrdiff_t>(kMostProbed, receives.end() - first);
    for (auto at = first; at != last; ++at) {
        if (at->requestEvent < probe.event) continue;  // probes do not see what is to be received already
        const auto sent = sendOf(run, location, static_cast<std::size_t>(at - receives.begin()));
        if (sent && sent->enter > probe.begin && sent->enter <= probe.end) return sent;
    }
    return std::nullopt;
}

/// Of the ranks that the operations need which a call completes, the one that begins last; by that call.
std::map<std::uint32_t, LastNeeded> lastBegins(const matching::MatchedTrace& run, trace::LocationId location,
                                               const LocationFindings& found) {
    std::map<std::uint32_t, LastNeeded> last;
    const auto& collectives = run.trace[location].messages.collectives;
    for (std::size_t i = 0; i < collectives.size(); ++i) {
        const CollectiveRecord& record = collectives[i];
        const RecordRef needed = found.waits.collectives[i].needed;
        if (!record.isNonblocking() || !needed.isKnown() || needed.location == location.index()) continue;
        const CollectiveRecord& other =
            run.trace.locations[needed.location].messages.collectives[needed.position];
        LastNeeded& known = last[record.call];
        if (!known.operation || other.begin > known.enter)
            known = {other.begin, {other.beginLocation, other.beginCall}, record.operation};
    }
    return last;
}

const Metric& metricOf(const PollRecord& polls, std::optional<Collective> operation) {
    if (polls.isPause) return operation ? kCollectivePauses : kPauses;
    if (!operation) return kPolling;
    return operation == Collective::Barrier ? kBarrierPolling : kCollectivePolling;
}

End rowOf(std::uint32_t location, const PollRecord& polls) {
    return {location, polls.node, polls.slice, kNone, polls.event, polls.begin, polls.end};
}

/// What ended the polls, when that began.
std::optional<LastNeeded> neededBy(const matching::MatchedTrace& run, trace::LocationId location,
                                   const PollRecord& polls,
                                   const std::map<std::uint32_t, LastNeeded>& begins) {
    if (polls.kind == trace::CallKind::BlockingProbe)
        if (const auto sent = sendDuring(run, location, polls)) return sent;
    auto last = lastSendFor(run, location, polls.found);
    const auto begin = begins.find(polls.found);
    if (begin != begins.end() && (!last || begin->second.enter > last->enter)) last = begin->second;
    return last;
}

void findInLocation(const matching::MatchedTrace& run, trace::LocationId location, LocationFindings& found) {
    const auto& polls = run.trace[location].polls;
    if (polls.empty()) return;
    const auto begins = lastBegins(run, location, found);
    for (std::size_t i = 0; i < polls.size(); ++i) {
        if (polls[i].found == kNone || !isOfMpi(polls[i])) continue;
        const auto last = neededBy(run, location, polls[i], begins);
        const Ticks wait = last ? insideBefore(polls[i], last->enter) : 0;
        if (wait <= 0) continue;
        found.waits.dependencies.push_back({rowOf(static_cast<std::uint32_t>(location.index()), polls[i]),
                                            startOfCall(run.trace, last->call.location, last->call.position),
                                            &metricOf(polls[i], last->operation), wait, wait,
                                            last->operation ? kindOf(*last->operation) : Kind::LateSender});
        if (!last->operation || polls[i].isPause) continue;
        const bool isBarrier = last->operation == Collective::Barrier;
        found.severities.add(isBarrier ? Nonblocking::Barrier : Nonblocking::Collective, polls[i].node, wait);
    }
}

}  // namespace

/// The causes of polls for messages are those of Late Sender, of others those of their operation.
extern const Pattern kPollingPattern{
    .metrics = {&kPolling, &kBarrierPolling, &kCollectivePolling, &kPauses, &kCollectivePauses},
    .inLocation = findInLocation};

}  // namespace holos::analyzer::patterns
