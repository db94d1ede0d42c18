// SPDX-License-Identifier: BSD-3-Clause
//
// Messages: who receives waits for the send and the message's time, and where a large message starts only
// when its receive is posted, who sends waits for that.
//
//     rank 0  ───┤ Send ├────────             the receive ends with s + latency + bytes / bandwidth,
//                s                            and its own time
//     rank 1  ──┤ Recv ··· ├─────
//
#include <cmath>

//
// One-sided communication: an access epoch ends when its targets have opened their windows, an exposure epoch
// when its origins are through. Locks of windows wait as they did.
#include "analyzer/matching/epochs.h"
#include "analyzer/predict/graph_builder.h"

namespace holos::analyzer::predict {

using replay::RecordRef;

/// The message's time, as far as the recorded times leave room for it.
Ticks GraphBuilder::lagOf(std::uint64_t bytes, Ticks from, Ticks to) const {
    return std::clamp<Ticks>(static_cast<Ticks>(std::llround(network_.transfer(bytes))), 0,
                             std::max<Ticks>(0, to - from));
}

void GraphBuilder::addMessages(std::uint32_t location) {
    const replay::MessageRecords& messages = trace(location).messages;
    for (std::uint32_t i = 0; i < messages.receives.size(); ++i) addReceive(location, i);
    for (const replay::SendCompletion& completion : messages.completions) addCompletion(location, completion);
    for (const RecordRef received : run_.matches.messages.receiveOf[location])
        if (!received.isKnown()) ++local_[location].unmatched;
    addPolls(location);
    addProgress(location);
}

void GraphBuilder::addReceive(std::uint32_t location, std::uint32_t position) {
    const replay::Receive& receive = trace(location).messages.receives[position];
    const RecordRef sent = run_.matches.messages.sendOf[location][position];
    if (!sent.isKnown()) {
        ++local_[location].unmatched;
        return;
    }
    const replay::Send& send = trace(sent.location).messages.sends[sent.position];
    const Place sends = enterOf(sent.location, send.call);
    const std::uint32_t end = leaveOf(location, receive.call);
    if (end == kNone || !sends.isKnown()) return;
    const Ticks left = timeOf({location, end});
    How message{Dependency::Kind::Message, {lagOf(send.bytes, timeOf(sends), left), send.bytes}};
    depend(location, end, sends, message);
    const Place posts = enterOf(receive.requestLocation, receive.requestCall);
    if (!posts.isKnown() || timeOf(posts) > left) return;
    message.kind = Dependency::Kind::Rendezvous;
    message.travel.lag = lagOf(send.bytes, timeOf(posts), left);
    depend(location, end, posts, message);
}

/// Whether a call that waits until a message is on its way ended soon after its receive was posted. Also
/// small messages may need that, if the receiver is not in MPI anyway.
bool GraphBuilder::hasWaitedFor(const Place& post, std::uint32_t location, std::uint32_t position) const {
    constexpr Ticks kSoon = 8;
    const replay::Call& call = trace(location).messages.calls[position];
    const Ticks wait = timeOf(post) - call.enter;
    return wait > 0 && (call.leave - timeOf(post)) * kSoon <= wait;
}

/// A send that was through before the receive was posted did not wait for it.
void GraphBuilder::addCompletion(std::uint32_t location, const replay::SendCompletion& completion) {
    const RecordRef sent = run_.trace.sendOf(trace::LocationId(location), completion);
    const RecordRef received = matching::receiveOf(run_.matches.messages, sent);
    if (!received.isKnown()) return;
    const replay::Receive& receive = trace(received.location).messages.receives[received.position];
    const replay::Send& send = trace(sent.location).messages.sends[sent.position];
    const Place sends = enterOf(sent.location, send.call);
    const Place posts = enterOf(receive.requestLocation, receive.requestCall);
    const std::uint32_t end = leaveOf(location, completion.call);
    if (end == kNone || !posts.isKnown() || !sends.isKnown()) return;
    const Ticks left = timeOf({location, end});
    if (timeOf(posts) >= left) return;
    How how{Dependency::Kind::Rendezvous, {0, send.bytes}};
    if (isSynchronousSend(calls_, sent.location, trace(sent.location).messages.calls[send.call]))
        how.kind = Dependency::Kind::Message;
    else if (!network_.isRendezvous(send.bytes) && hasWaitedFor(posts, location, completion.call))
        how.kind = Dependency::Kind::Progress;
    how.travel.lag = lagOf(send.bytes, timeOf(posts), left);
    depend(location, end, posts, how);
    how.travel.lag = lagOf(send.bytes, timeOf(sends), left);
    depend(location, end, sends, how);
}

/// Calls that waited for the other end of a message to call MPI again.
void GraphBuilder::addProgress(std::uint32_t location) {
    for (const patterns::Dependency& wait : run_.waits[location].dependencies) {
        if (wait.kind != patterns::Kind::LateProgress) continue;
        const std::uint32_t end = leaveOf(location, wait.waiter.call);
        const Place back = enterOf(wait.causer.location, wait.causer.call);
        if (end != kNone && back.isKnown())
            depend(location, end, back,
                   {Dependency::Kind::Progress, {lagOf(0, timeOf(back), timeOf({location, end})), 0}});
    }
}

/// Calls that found nothing, because the message was not sent, or the operation not begun by all, yet. Those
/// that ended before that, as something else was done before the next ones, ended by themselves.
void GraphBuilder::addPolls(std::uint32_t location) {
    const auto& waits = run_.waits[location].dependencies;
    for (std::size_t i = 0; i < waits.size(); ++i) {
        if (!isOfPolls(waits[i])) continue;
        const Place found = enterOf(waits[i].causer.location, waits[i].causer.call);
        const std::uint32_t end = marksOf(location).polls[i];
        if (end == kNone || !found.isKnown()) continue;
        if (timeOf(found) <= timeOf({location, end}))
            depend(location, end, found);
        else
            ++local_[location].inVain;
    }
}

void GraphBuilder::addOneSided() {
    const auto isAny = [](const replay::LocationTrace& location) { return !location.rma.empty(); };
    if (std::ranges::none_of(run_.trace.locations, isAny)) return;
    const auto enter = [&](const matching::CallRef& call) {
        return call.isKnown() ? enterOf(static_cast<std::uint32_t>(call.location.index()), call.position)
                              : Place{};
    };
    const matching::Epochs epochs = matching::matchEpochs(run_.trace);
    for (const matching::AccessEpoch& access : epochs.accesses) {
        if (!access.complete.isKnown()) continue;
        const auto origin = static_cast<std::uint32_t>(access.complete.location.index());
        for (const matching::AccessEpoch::Target& target : access.targets) {
            if (!target.exposure) continue;
            const matching::Exposure& exposure = epochs.exposures[*target.exposure];
            depend(origin, leaveOf(origin, access.complete.position), enter(exposure.post));
            if (!exposure.wait.isKnown()) continue;
            const auto exposed = static_cast<std::uint32_t>(exposure.wait.location.index());
            depend(exposed, leaveOf(exposed, exposure.wait.position), enter(access.complete));
        }
    }
    for (std::uint32_t i = 0; i < marks_.size(); ++i)
        for (const patterns::Dependency& wait : run_.waits[i].dependencies)
            if (patterns::traitsOf(wait.kind).chain == patterns::Chain::OneSided)
                depend(i, leaveOf(i, wait.waiter.call), enterOf(wait.causer.location, wait.causer.call));
}

}  // namespace holos::analyzer::predict
