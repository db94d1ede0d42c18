// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/messages.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <tuple>
#include <unordered_map>

#include "analyzer/trace/comm_members.h"

namespace holos::analyzer::matching {

namespace {

using replay::Receive;
using replay::RecordRef;
using replay::Send;
using trace::LocationId;
using trace::ProcessId;

/// The sends of one process in the order of time, those to one destination together.
struct Outbox {
    struct Entry {
        ProcessId destination;
        RecordRef send;
    };
    std::vector<Entry> entries;

    std::pair<const Entry*, const Entry*> to(ProcessId destination) const {
        return {std::to_address(std::ranges::lower_bound(entries, destination, {}, &Entry::destination)),
                std::to_address(std::ranges::upper_bound(entries, destination, {}, &Entry::destination))};
    }
};

struct Channel {
    std::uint32_t comm;
    ProcessId source;
    std::uint32_t tag;
    friend bool operator==(const Channel&, const Channel&) = default;
};
struct ChannelHash {
    std::size_t operator()(const Channel& c) const noexcept {
        std::uint64_t h = (std::uint64_t{c.comm} << 32 | c.source.index()) * 0x9E3779B97F4A7C15U;
        h = (h ^ (h >> 29U) ^ c.tag) * 0xBF58476D1CE4E5B9U;
        return h ^ (h >> 32U);
    }
};
struct Queue {
    std::vector<RecordRef> sends;
    std::size_t next = 0;
};
using Channels = std::unordered_map<Channel, Queue, ChannelHash>;

const Records<Send>& sendsOf(const replay::LocationTrace& location) {
    return location.messages.sends;
}
const Records<Receive>& receivesOf(const replay::LocationTrace& location) {
    return location.messages.receives;
}
const Send& sendAt(const replay::ReplayedTrace& trace, RecordRef ref) {
    return sendsOf(trace.locations[ref.location])[ref.position];
}

/// The records of all threads of a process, those of a thread after each other.
template <class GetRecords>
std::vector<RecordRef> recordsOf(const replay::ReplayedTrace& trace, ProcessId process,
                                 GetRecords&& records) {
    std::vector<RecordRef> refs;
    for (const LocationId location : trace.definitions[process].threads)
        for (std::uint32_t i = 0; i < records(trace[location]).size(); ++i)
            refs.push_back({static_cast<std::uint32_t>(location.index()), i});
    return refs;
}

/// Sorts; messages of a single thread mostly are in order already.
template <class IsBefore>
std::vector<RecordRef> ordered(std::vector<RecordRef> refs, IsBefore&& isBefore) {
    if (!std::ranges::is_sorted(refs, isBefore)) std::ranges::stable_sort(refs, isBefore);
    return refs;
}

/// The sends of a process in the order of time.
std::vector<RecordRef> sendsInOrder(const replay::ReplayedTrace& trace, ProcessId process) {
    return ordered(recordsOf(trace, process, sendsOf), [&](const RecordRef& a, const RecordRef& b) {
        return sendAt(trace, a).time < sendAt(trace, b).time;
    });
}

/// When a receive was posted: the time of the call, then its place among those of the call.
using Post = std::tuple<trace::Ticks, std::uint32_t, std::uint64_t>;

Post postOf(const replay::ReplayedTrace& trace, const RecordRef& ref) {
    const replay::MessageRecords& messages = trace.locations[ref.location].messages;
    const Receive& receive = messages.receives[ref.position];
    const replay::Call* call = trace.postOf(receive);
    const trace::Ticks time = call != nullptr ? call->enter : messages.calls[receive.call].enter;
    return {time, receive.requestLocation, receive.requestEvent};
}

/// The receives of a process as they were posted, in whatever order they were completed.
std::vector<RecordRef> receivesInOrder(const replay::ReplayedTrace& trace, ProcessId process) {
    return ordered(recordsOf(trace, process, receivesOf), [&](const RecordRef& a, const RecordRef& b) {
        return postOf(trace, a) < postOf(trace, b);
    });
}

Outbox fillOutbox(const replay::ReplayedTrace& trace, ProcessId process) {
    Outbox outbox;
    for (const RecordRef& ref : sendsInOrder(trace, process)) {
        const Send& send = sendAt(trace, ref);
        if (send.cancelled) continue;
        if (const auto to =
                trace::peerProcess(trace.definitions, send.comm, LocationId(ref.location), send.receiver))
            outbox.entries.push_back({*to, ref});
    }
    std::ranges::stable_sort(outbox.entries,
                             [](const auto& a, const auto& b) { return a.destination < b.destination; });
    return outbox;
}

/// Puts everything that `source` sent to `destination` into its channels.
void openChannels(Channels& channels, const replay::ReplayedTrace& trace, const Outbox& outbox,
                  ProcessId source, ProcessId destination) {
    const auto [first, last] = outbox.to(destination);
    for (const auto* entry = first; entry != last; ++entry) {
        const Send& send = sendAt(trace, entry->send);
        channels[{send.comm, source, send.tag}].sends.push_back(entry->send);
    }
}

/// Joins all that a process received with what was sent. Returns the number of pairs.
std::uint64_t receiveAll(const replay::ReplayedTrace& trace, const std::vector<Outbox>& outboxes,
                         ProcessId destination, MessageMatches& matches) {
    Channels channels;
    std::vector<bool> opened(outboxes.size(), false);
    std::uint64_t pairs = 0;
    for (const RecordRef& ref : receivesInOrder(trace, destination)) {
        const Receive& receive = receivesOf(trace.locations[ref.location])[ref.position];
        const auto source =
            trace::peerProcess(trace.definitions, receive.comm, LocationId(ref.location), receive.sender);
        if (!source) continue;
        if (!opened[source->index()]) {
            opened[source->index()] = true;
            openChannels(channels, trace, outboxes[source->index()], *source, destination);
        }
        const auto channel = channels.find({receive.comm, *source, receive.tag});
        if (channel == channels.end() || channel->second.next == channel->second.sends.size()) continue;
        const RecordRef send = channel->second.sends[channel->second.next++];
        // Each send has one destination, so nobody else writes about it.
        matches.sendOf[ref.location][ref.position] = send;
        matches.receiveOf[send.location][send.position] = ref;
        ++pairs;
    }
    return pairs;
}

std::vector<Diagnosis> reportMessages(const replay::ReplayedTrace& trace, LocationId id,
                                      const MessageMatches& matches) {
    const Records<Send>& sends = sendsOf(trace[id]);
    const Records<Receive>& receives = receivesOf(trace[id]);
    DiagnosisLog log(trace.definitions, trace.definitions[id].reference);
    for (std::size_t i = 0; i < sends.size(); ++i)
        if (!matches.receiveOf[id.index()][i].isKnown() && !sends[i].cancelled)
            log.add(Trouble::UnmatchedMessage, "a send has no receive; it counts without waiting time");
    for (std::size_t i = 0; i < receives.size(); ++i)
        if (!matches.sendOf[id.index()][i].isKnown())
            log.add(Trouble::UnmatchedMessage,
                    "a receive has no send; it counts without its bytes and waiting time", receives[i].event,
                    receives[i].time);
    return log.all();
}

}  // namespace

MessageMatches matchMessages(const replay::ReplayedTrace& trace, workers::Workers& workers, Memory memory) {
    const std::size_t locations = trace.locations.size();
    MessageMatches matches{recordsByLocation<RecordRef>(locations, memory),
                           recordsByLocation<RecordRef>(locations, memory), 0,
                           std::vector<std::vector<Diagnosis>>(locations)};
    for (std::size_t i = 0; i < locations; ++i) {
        matches.receiveOf[i].resize(sendsOf(trace.locations[i]).size());
        matches.sendOf[i].resize(receivesOf(trace.locations[i]).size());
    }
    const std::size_t processes = trace.definitions.processes.size();
    std::vector<Outbox> outboxes(processes);
    workers.forEach(processes, [&](std::size_t p) { outboxes[p] = fillOutbox(trace, ProcessId(p)); });
    std::atomic<std::uint64_t> pairs{0};
    workers.forEach(processes,
                    [&](std::size_t p) { pairs += receiveAll(trace, outboxes, ProcessId(p), matches); });
    matches.pairs = pairs;
    workers.forEach(locations, [&](std::size_t i) {
        matches.diagnoses[i] = reportMessages(trace, LocationId(i), matches);
    });
    return matches;
}

}  // namespace holos::analyzer::matching
