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
// Likewise of a nonblocking collective operation, where E is when the last rank that it needs begins it, or
// is back in MPI, and of a send that is synchronous or large, where E is when its receive is posted.
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
#include "analyzer/patterns/stays.h"

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

const Metric kReceiverPolling{
    .parent = "mpi_point2point",
    .uniqueName = "mpi_latereceiver_polling",
    .displayName = "Late Receiver at Test",
    .description =
        "Time in calls such as MPI_Test that find a synchronous send, or one of a large message, not completed, "
        "because its receive was not posted yet. The program waits, although no call of it blocks. Post the "
        "receive earlier, or do other work between these calls.",
    .picture = &kPollingPicture,
    .meaning = "a sender asks again and again for the end of a send whose receive is not posted yet",
    .activity = Activity::None};

const Metric kBarrierPolling{
    .parent = "mpi_sync_collective",
    .uniqueName = "mpi_barrier_polling",
    .displayName = "Wait at Barrier while Polling",
    .description =
        "Time in calls such as MPI_Test that find a nonblocking barrier not completed, because not all "
        "processes have begun it, or one of them computes outside of MPI since. The program waits, although no call of it blocks. Balance the work "
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
        "because a process that it needs has not begun it, or computes outside of MPI since. The program waits, although no call of it "
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

const Metric kReceiverPauses{
    .parent = "system_waiting",
    .uniqueName = "system_waiting_receiver_polling",
    .displayName = "Sleep between Tests for Sends",
    .description =
        "Time that a thread sleeps, or lets others have its processor, right behind calls such as MPI_Test that "
        "found a synchronous send, or one of a large message, not completed, because its receive was not posted "
        "yet. The program waits there as it does in these calls: the receive has to be posted earlier.",
    .picture = &kPollingPicture,
    .needs = Needs::SleepsForMessages,
    .meaning = "threads sleep between calls that ask for the end of a send whose receive is not posted yet",
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
    End causer;
    std::optional<Collective> operation = std::nullopt;  ///< not of messages
    bool isReceive = false;                              ///< of a send: its receive was posted

    Kind kind() const {
        if (operation) return kindOf(*operation);
        return isReceive ? Kind::LateReceiver : Kind::LateSender;
    }
};

/// Keeps the one which came last.
void keepLast(std::optional<LastNeeded>& last, const std::optional<LastNeeded>& other) {
    if (other && (!last || other->enter > last->enter)) last = other;
}

/// The send of a message that a location receives; nothing where it is not known.
std::optional<LastNeeded> sendOf(const matching::MatchedTrace& run, trace::LocationId location,
                                 std::size_t receive) {
    const RecordRef sent = run.matches.messages.sendOf[location.index()][receive];
    if (!sent.isKnown()) return std::nullopt;
    const std::uint32_t sends = run.trace.locations[sent.location].messages.sends[sent.position].call;
    const End causer = startOfCall(run.trace, sent.location, sends);
    return LastNeeded{causer.begin, causer};
}

/// The last of the sends whose messages a call receives.
std::optional<LastNeeded> lastSendFor(const matching::MatchedTrace& run, trace::LocationId location,
                                      std::uint32_t call) {
    const auto& receives = run.trace[location].messages.receives;
    const auto first = std::ranges::lower_bound(receives, call, {}, &replay::Receive::call);
    std::optional<LastNeeded> last;
    for (auto at = first; at != receives.end() && at->call == call; ++at)
        keepLast(last, sendOf(run, location, static_cast<std::size_t>(at - receives.begin())));
    return last;
}

/// The post of the receive that a send needs to complete: one that is synchronous, or too large to be sent
/// ahead. Nothing of others, or where it is not known.
std::optional<LastNeeded> postFor(const matching::MatchedTrace& run, RecordRef sent) {
    const RecordRef received = matching::receiveOf(run.matches.messages, sent);
    if (!received.isKnown()) return std::nullopt;
    const auto& source = run.trace.locations[sent.location].messages;
    const replay::Send& send = source.sends[sent.position];
    const bool isSynchronous = source.calls[send.call].kind == trace::CallKind::Send;
    const replay::Receive& receive =
        run.trace.locations[received.location].messages.receives[received.position];
    if ((!isSynchronous && send.bytes < kLarge) || run.trace.postOf(receive) == nullptr) return std::nullopt;
    const End causer = startOfCall(run.trace, receive.requestLocation, receive.requestCall);
    return LastNeeded{.enter = causer.begin, .causer = causer, .isReceive = true};
}

/// The last of these posts for the sends that a call completes.
std::optional<LastNeeded> lastPostFor(const matching::MatchedTrace& run, trace::LocationId location,
                                      std::uint32_t call) {
    const auto& completions = run.trace[location].messages.completions;
    const auto first = std::ranges::lower_bound(completions, call, {}, &replay::SendCompletion::call);
    std::optional<LastNeeded> last;
    for (auto at = first; at != completions.end() && at->call == call; ++at)
        if (const RecordRef sent = run.trace.sendOf(location, *at); sent.isKnown())
            keepLast(last, postFor(run, sent));
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

/// How long tests that found nothing had no processor, by the call that completes what they asked for.
std::map<std::uint32_t, Ticks> lackedInTests(const replay::LocationTrace& location) {
    std::map<std::uint32_t, Ticks> lacked;
    for (const PollRecord& polls : location.polls)
        if (polls.kind == trace::CallKind::Test && polls.found != kNone)
            lacked[polls.found] += polls.shortage;
    return lacked;
}

/// Whether a call that completes an operation shows that another rank was needed when it was back in MPI.
bool wasNeeded(const replay::MessageRecords& messages, const LateReturn& other,
               const std::map<std::uint32_t, Ticks>& lacked) {
    const CollectiveRecord& record = messages.collectives[other.record];
    const auto lack = lacked.find(record.call);
    const Ticks after = messages.calls[record.call].leave - other.causer.begin;
    return other.isNeeded || endSoonAfter(after, std::min(other.causer.begin - record.begin, other.sinceTest),
                                          lack != lacked.end() ? lack->second : 0);
}

/// Of the ranks that the operations need which a call completes, the one that begins last, or is the last to
/// be back in MPI; by that call.
std::map<std::uint32_t, std::optional<LastNeeded>> lastRanks(const matching::MatchedTrace& run,
                                                             trace::LocationId location,
                                                             const LocationFindings& found) {
    std::map<std::uint32_t, std::optional<LastNeeded>> last;
    const auto& messages = run.trace[location].messages;
    const auto& collectives = messages.collectives;
    for (std::size_t i = 0; i < collectives.size(); ++i) {
        const CollectiveRecord& record = collectives[i];
        const RecordRef needed = found.waits.collectives[i].needed;
        if (!record.isNonblocking() || !needed.isKnown() || needed.location == location.index()) continue;
        const CollectiveRecord& other =
            run.trace.locations[needed.location].messages.collectives[needed.position];
        keepLast(last[record.call],
                 LastNeeded{other.begin, startOfCall(run.trace, other.beginLocation, other.beginCall),
                            record.operation});
    }
    if (found.returns.empty()) return last;
    const auto lacked = lackedInTests(run.trace[location]);
    for (const LateReturn& other : found.returns) {
        const CollectiveRecord& record = collectives[other.record];
        if (other.isBack && wasNeeded(messages, other, lacked))
            keepLast(last[record.call], LastNeeded{other.causer.begin, other.causer, record.operation});
    }
    return last;
}

const Metric& metricOf(const PollRecord& polls, const LastNeeded& last) {
    if (last.isReceive) return polls.isPause ? kReceiverPauses : kReceiverPolling;
    if (polls.isPause) return last.operation ? kCollectivePauses : kPauses;
    if (!last.operation) return kPolling;
    return last.operation == Collective::Barrier ? kBarrierPolling : kCollectivePolling;
}

/// What ended the polls, when that began.
std::optional<LastNeeded> neededBy(const matching::MatchedTrace& run, trace::LocationId location,
                                   const PollRecord& polls,
                                   const std::map<std::uint32_t, std::optional<LastNeeded>>& ranks) {
    if (polls.kind == trace::CallKind::BlockingProbe)
        if (const auto sent = sendDuring(run, location, polls)) return sent;
    auto last = lastSendFor(run, location, polls.found);
    if (polls.kind != trace::CallKind::Test) return last;
    keepLast(last, lastPostFor(run, location, polls.found));
    if (const auto rank = ranks.find(polls.found); rank != ranks.end()) keepLast(last, rank->second);
    return last;
}

void findInLocation(const matching::MatchedTrace& run, trace::LocationId location, LocationFindings& found) {
    const auto& polls = run.trace[location].polls;
    if (polls.empty()) return;
    const auto ranks = lastRanks(run, location, found);
    for (std::size_t i = 0; i < polls.size(); ++i) {
        if (polls[i].found == kNone || !isOfMpi(polls[i])) continue;
        const auto last = neededBy(run, location, polls[i], ranks);
        const Ticks wait = last ? insideBefore(polls[i], last->enter) : 0;
        if (wait <= 0) continue;
        found.waits.dependencies.push_back({pollsEnd(static_cast<std::uint32_t>(location.index()), polls[i]),
                                            last->causer, &metricOf(polls[i], *last), wait, wait,
                                            last->kind()});
        if (!last->operation || polls[i].isPause) continue;
        const bool isBarrier = last->operation == Collective::Barrier;
        found.severities.add(isBarrier ? Nonblocking::Barrier : Nonblocking::Collective, polls[i].node, wait);
    }
}

}  // namespace

/// The causes of polls for messages are those of Late Sender, of sends those of Late Receiver, and of others
/// those of their operation.
extern const Pattern kPollingPattern{
    .metrics = {&kPolling, &kReceiverPolling, &kBarrierPolling, &kCollectivePolling, &kPauses,
                &kReceiverPauses, &kCollectivePauses},
    .inLocation = findInLocation};

}  // namespace holos::analyzer::patterns
