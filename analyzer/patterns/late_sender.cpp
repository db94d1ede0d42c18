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
#include <algorithm>
#include <deque>
#include <optional>

#include "analyzer/patterns/patterns.h"
#include "analyzer/patterns/texts.h"

namespace holos::analyzer::patterns {

const MetricText kLateSenderText{"mpi_latesender", "Late Sender", "sec",
                                 "Time that a receive operation waits because the matching send has not "
                                 "started yet. Start the send earlier, "
                                 "or do other work before the receive."};
const MetricText kLateSenderWrongOrderText{
    "mpi_latesender_wo", "Messages in Wrong Order", "sec",
    "Late Sender time of receives that were waited for although an earlier message was there already. "
    "Receive messages in the order in which they are sent."};
const MetricText kWrongOrderDifferentText{
    "mpi_lswo_different", "From different sources", "sec",
    "Late Sender time in wrong order, where the earlier message came from another process."};
const MetricText kWrongOrderSameText{
    "mpi_lswo_same", "From same source", "sec",
    "Late Sender time in wrong order, where the earlier message came from the same process."};

namespace {

using replay::Call;
using replay::Receive;
using replay::Send;
using trace::CallKind;
using trace::Ticks;

/// A receive that waited.
struct Instance {
    Ticks wait = 0;
    Ticks sendTime = 0;
    replay::NodeId node;
    std::uint32_t sender = 0;
    bool empty = false;  ///< a message of no bytes
    Receive* receive = nullptr;
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
            severities_.add(Measured::LateSenderWrongOrder, instance.node, instance.wait);
            severities_.add(isSame ? Measured::WrongOrderSame : Measured::WrongOrderDifferent, first->node,
                            instance.wait);
            severities_.add(first->empty ? Measured::SyncsWrongOrder : Measured::CommsWrongOrder, first->node,
                            1);
            return true;
        };
        recent_.erase(std::remove_if(recent_.begin(), recent_.end(), wrong), recent_.end());
    }

  private:
    static constexpr std::size_t kMost = 100;  ///< Scalasca's window
    LocalSeverities& severities_;
    std::deque<Instance> recent_;
};

void book(const Instance& instance, Call& call, LocalSeverities& severities, WrongOrder& order) {
    call.waited += instance.wait;
    severities.add(Measured::LateSender, instance.node, instance.wait);
    severities.add(instance.empty ? Measured::SyncsLateSender : Measured::CommsLateSender, instance.node, 1);
    instance.receive->wait = instance.wait;
    order.remember(instance);
}

}  // namespace

void lateSender(replay::ReplayedTrace& trace, trace::LocationId location, LocalSeverities& severities) {
    auto& messages = trace[location].messages;
    WrongOrder order(severities);
    std::uint32_t group =
        replay::kNone;  // the call that completes several receives, while its largest is sought
    Instance largest;
    const auto closeGroup = [&] {
        if (group != replay::kNone && largest.wait > 0)
            book(largest, messages.calls[group], severities, order);
        group = replay::kNone;
        largest = {};
    };
    for (Receive& receive : messages.receives) {
        if (receive.call != group) closeGroup();
        if (receive.matchIndex == replay::kNone) continue;
        Call& call = messages.calls[receive.call];
        const auto& source = trace.locations[receive.matchLocation].messages;
        const Send& send = source.sends[receive.matchIndex];
        const Ticks wait = std::min(source.calls[send.call].enter, call.leave) - call.enter;
        const Instance instance{wait, send.time, call.node, receive.sender, send.bytes == 0, &receive};
        if (wait > 0 && call.kind != CallKind::Test) {
            call.waitsForSender = true;
            if (call.kind != CallKind::WaitSeveral) book(instance, call, severities, order);
        }
        if (call.kind == CallKind::WaitSeveral) {
            group = receive.call;
            if (wait > largest.wait) largest = instance;
        }
        order.received(send.time, receive.sender);
    }
    closeGroup();
}

}  // namespace holos::analyzer::patterns
