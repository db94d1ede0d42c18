// SPDX-License-Identifier: BSD-3-Clause
//
// Late Sender: a receive waits because its message was not sent yet.
//
//   sender    ─────────────────┤ Send ├───        w = min(E(send), L(receive)) − E(receive)
//   receiver  ───┤ Receive ············ ├──
//                └──── w ─────┘
//
// Wrong order: of two messages the later sent one is waited for first, so that the earlier one lies unread.
//
//   sender    ──┤ Send a ├──────┤ Send b ├──
//   receiver  ─┤ Receive b ············ ├┤ Receive a ├──     the wait at b is in wrong order because of a
//
// A receive from MPI_ANY_SOURCE has no order: it takes what comes first, which need not be what was sent
// first. OTF2 does not tell of it. It shows where one call path receives from several senders, again and
// again, and never in an order that repeats. In recordings of others such waits count, as they do for
// Scalasca.
//
#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/patterns/pattern.h"
#include "analyzer/patterns/pictures.h"

namespace holos::analyzer::patterns {

const algebra::Picture kLateSenderPicture{
    {{"sender", "Send", "--------====--------"}, {"receiver", "Recv", "---#######==--------"}},
    {{0, 8, 1, 11}}};

namespace {

const algebra::Picture kWrongOrderPicture{
    {{"sender", "Send 1, Send 2", "-----====----====---"}, {"receiver", "Recv 2", "--###########==-----"}},
    {{0, 13, 1, 14}}};

const Metric kLateSender{.parent = "mpi_point2point",
                         .uniqueName = "mpi_latesender",
                         .displayName = "Late Sender",
                         .description =
                             "Time that a receive operation waits because the matching send has not started "
                             "yet. Start the send earlier, or do other work before the receive.",
                         .picture = &kLateSenderPicture,
                         .meaning = "a receiver waits for its sender",
                         .activity = Activity::None};
const Metric kLateSenderWrongOrder{
    .parent = "mpi_latesender",
    .uniqueName = "mpi_latesender_wo",
    .displayName = "Messages in Wrong Order",
    .description =
        "Late Sender time of receives that were waited for although an earlier message was there already. "
        "Receive messages in the order in which they are sent.",
    .picture = &kWrongOrderPicture,
    .meaning = "a receiver waits although other messages have arrived"};
const Metric kWrongOrderDifferent{
    .parent = "mpi_latesender_wo",
    .uniqueName = "mpi_lswo_different",
    .displayName = "From different sources",
    .description = "Late Sender time in wrong order, where the earlier message came from another process.",
    .picture = &kWrongOrderPicture,
    .meaning = "messages of different senders are received in the wrong order"};
const Metric kWrongOrderSame{
    .parent = "mpi_latesender_wo",
    .uniqueName = "mpi_lswo_same",
    .displayName = "From same source",
    .description = "Late Sender time in wrong order, where the earlier message came from the same process.",
    .picture = &kWrongOrderPicture,
    .meaning = "messages of one sender are received in the wrong order"};
const Metric kSyncsLateSender{"syncs_recv", "mpi_sls_count", "Late Senders",
                              "Number of Late Sender instances whose message carries no bytes."};
const Metric kSyncsWrongOrder{
    "mpi_sls_count", "mpi_slswo_count", "Messages in Wrong Order",
    "Number of Late Sender instances in wrong order whose message carries no bytes."};
const Metric kCommsLateSender{"comms_recv", "mpi_cls_count", "Late Senders",
                              "Number of Late Sender instances whose message carries bytes."};
const Metric kCommsWrongOrder{"mpi_cls_count", "mpi_clswo_count", "Messages in Wrong Order",
                              "Number of Late Sender instances in wrong order whose message carries bytes."};

using replay::Call;
using replay::Receive;
using replay::RecordRef;
using replay::Send;
using trace::CallKind;
using trace::Ticks;

/// A receive that waited.
struct Instance {
    Ticks wait = 0;
    Ticks sendTime = 0;
    replay::NodeId node;
    std::uint32_t sender = 0;
    bool empty = false;        ///< a message of no bytes
    bool isOnlyOrder = false;  ///< its message could not be received in another one
    std::uint32_t call = kNone;
    std::uint32_t receive = kNone;
};

/// Keeps the latest instances and finds those that were waited for in wrong order.
class WrongOrder {
  public:
    explicit WrongOrder(LocalSeverities& severities) : severities_(severities) {}

    void remember(const Instance& instance) {
        if (recent_.size() == kMost) recent_.pop_front();
        recent_.push_back(instance);
    }

    /// A message sent at `sendTime` was received: whatever waited before for a later sent one was wrong.
    /// Where it convicts several at once, sources and counts are those of the first, and booked at its call
    /// path, as Scalasca does it; the waiting times stay where they were.
    void received(Ticks sendTime, std::uint32_t sender) {
        std::optional<Instance> first;
        const auto wrong = [&](const Instance& instance) {
            if (instance.sendTime <= sendTime) return false;
            if (!first) first = instance;
            const bool isSame = first->sender == sender;
            severities_.add(kLateSenderWrongOrder, instance.node, instance.wait);
            severities_.add(isSame ? kWrongOrderSame : kWrongOrderDifferent, first->node, instance.wait);
            severities_.add(first->empty ? kSyncsWrongOrder : kCommsWrongOrder, first->node, 1);
            return true;
        };
        recent_.erase(std::remove_if(recent_.begin(), recent_.end(), wrong), recent_.end());
    }

  private:
    static constexpr std::size_t kMost = 100;  ///< Scalasca's window
    LocalSeverities& severities_;
    std::deque<Instance> recent_;
};

void book(const Instance& instance, LocationFindings& found, WrongOrder& order) {
    found.calls.add(instance.call, instance.wait);
    found.severities.add(kLateSender, instance.node, instance.wait);
    found.severities.add(instance.empty ? kSyncsLateSender : kCommsLateSender, instance.node, 1);
    found.waits.receives[instance.receive] = instance.wait;
    if (!instance.isOnlyOrder) order.remember(instance);
}

/// Whether senders follow each other in an order that repeats, at least once.
bool repeats(const std::vector<std::uint32_t>& senders) {
    std::vector<std::size_t> borders(senders.size(), 0);  // of each start: the longest one that also ends it
    for (std::size_t i = 1, border = 0; i < senders.size(); ++i) {
        while (border > 0 && senders[i] != senders[border]) border = borders[border - 1];
        if (senders[i] == senders[border]) ++border;
        borders[i] = border;
    }
    return 2 * borders.back() >= senders.size();
}

/// Call paths of a location that take whatever message comes.
std::unordered_set<std::uint32_t> pathsInAnyOrder(const replay::LocationTrace& location) {
    constexpr std::size_t kRounds = 2;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> senders;
    for (const Receive& receive : location.messages.receives)
        senders[static_cast<std::uint32_t>(location.messages.calls[receive.call].node.index())].push_back(
            receive.sender);
    std::unordered_set<std::uint32_t> found;
    for (const auto& [node, all] : senders) {
        const std::unordered_set<std::uint32_t> different(all.begin(), all.end());
        if (different.size() > 1 && all.size() >= kRounds * different.size() && !repeats(all))
            found.insert(node);
    }
    return found;
}

/// Collective operations have their order: their messages cannot be received in another one. Sends do not
/// begin in calls that complete them, but for such operations.
bool isOfNeighbours(const Call& sends) {
    return sends.kind == CallKind::Neighbours || trace::isWait(sends.kind);
}

void findInLocation(const matching::MatchedTrace& run, trace::LocationId location, LocationFindings& found) {
    const auto& messages = run.trace[location].messages;
    const auto& sendOf = run.matches.messages.sendOf[location.index()];
    WrongOrder order(found.severities);
    const auto inAnyOrder = run.trace.definitions.attributeOfShortage ? pathsInAnyOrder(run.trace[location])
                                                                      : std::unordered_set<std::uint32_t>();
    std::uint32_t group = kNone;  // the call that completes several receives, while its largest is sought
    Instance largest;
    const auto closeGroup = [&] {
        if (group != kNone && largest.wait > 0) book(largest, found, order);
        group = kNone;
        largest = {};
    };
    for (std::uint32_t i = 0; i < messages.receives.size(); ++i) {
        const Receive& receive = messages.receives[i];
        if (receive.call != group) closeGroup();
        const RecordRef sent = sendOf[i];
        if (!sent.isKnown()) continue;
        const Call& call = messages.calls[receive.call];
        // The enter of its call was not recorded: nobody knows since when it waited.
        if (call.kind == CallKind::NotMpi) continue;
        const auto& source = run.trace.locations[sent.location].messages;
        const Send& send = source.sends[sent.position];
        const Ticks until = std::min(source.calls[send.call].enter, call.leave);
        const Ticks wait = until - call.enter - run.trace[location].notOwn(call.node, {call.enter, until});
        const bool isFixed = isOfNeighbours(source.calls[send.call]);
        const bool isAny = inAnyOrder.contains(static_cast<std::uint32_t>(call.node.index()));
        const Instance instance{.wait = wait,
                                .sendTime = send.time,
                                .node = call.node,
                                .sender = receive.sender,
                                .empty = send.bytes == 0,
                                .isOnlyOrder = isFixed || isAny,
                                .call = receive.call,
                                .receive = i};
        if (wait > 0 && call.kind != CallKind::Test) {
            found.calls.noteLateSender(receive.call);
            if (call.kind != CallKind::WaitSeveral) book(instance, found, order);
        }
        if (call.kind == CallKind::WaitSeveral) {
            group = receive.call;
            if (wait > largest.wait) largest = instance;
        }
        if (!isFixed) order.received(send.time, receive.sender);
    }
    closeGroup();
}

void visitWaits(const JudgedTrace& run, trace::LocationId location, const VisitWait& visit) {
    const auto& messages = run.trace[location].messages;
    const auto& waits = run.waits[location.index()].receives;
    const auto& sendOf = run.matches.messages.sendOf[location.index()];
    for (std::size_t i = 0; i < waits.size(); ++i) {
        if (waits[i] <= 0) continue;
        const Call& call = messages.calls[messages.receives[i].call];
        visit({kLateSender, call.node, waits[i], call.enter, trace::LocationId(sendOf[i].location)});
    }
}

}  // namespace

extern const Pattern kLateSenderPattern{
    .metrics = {&kLateSender, &kLateSenderWrongOrder, &kWrongOrderDifferent, &kWrongOrderSame,
                &kSyncsLateSender, &kSyncsWrongOrder, &kCommsLateSender, &kCommsWrongOrder},
    .delays = {{Kind::LateSender, "delay_p2p", "delay_latesender", "Late Sender",
                "Delays that make receivers wait for a late sender.", &kDelay}},
    .inLocation = findInLocation,
    .visitWaits = visitWaits};

}  // namespace holos::analyzer::patterns
