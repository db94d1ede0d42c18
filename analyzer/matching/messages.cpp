// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/messages.h"

#include <algorithm>
#include <atomic>
#include <tuple>
#include <unordered_map>

#include "analyzer/trace/peers.h"

namespace holos::analyzer::matching {

namespace {

using replay::kNone;
using replay::Receive;
using replay::Send;
using trace::LocationId;
using trace::ProcessId;

struct RecordRef {
    LocationId location;
    std::uint32_t index;
};

/// The sends of one process in the order of time, those to one destination together.
struct Outbox {
    struct Entry {
        ProcessId destination;
        RecordRef send;
    };
    std::vector<Entry> entries;

    std::pair<const Entry*, const Entry*> to(ProcessId destination) const {
        const auto range =
            std::equal_range(entries.begin(), entries.end(), Entry{destination, {}},
                             [](const Entry& a, const Entry& b) { return a.destination < b.destination; });
        return {entries.data() + (range.first - entries.begin()),
                entries.data() + (range.second - entries.begin())};
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

/// The records of all threads of a process, those of a thread after each other.
template <class GetRecords>
std::vector<RecordRef> recordsOf(const replay::ReplayedTrace& trace, ProcessId process,
                                 GetRecords&& records) {
    std::vector<RecordRef> refs;
    for (const LocationId location : trace.definitions[process].threads)
        for (std::uint32_t i = 0; i < records(trace[location]).size(); ++i) refs.push_back({location, i});
    return refs;
}

/// Those of a single thread mostly are in order already.
template <class IsBefore>
std::vector<RecordRef> ordered(std::vector<RecordRef> refs, IsBefore&& isBefore) {
    if (!std::is_sorted(refs.begin(), refs.end(), isBefore))
        std::stable_sort(refs.begin(), refs.end(), isBefore);
    return refs;
}

/// By time.
std::vector<RecordRef> sendsInOrder(const replay::ReplayedTrace& trace, ProcessId process) {
    return ordered(recordsOf(trace, process, sendsOf), [&](const RecordRef& a, const RecordRef& b) {
        return sendsOf(trace[a.location])[a.index].time < sendsOf(trace[b.location])[b.index].time;
    });
}

/// When a receive was posted: the time of the call, then its place among those of the call.
using Post = std::tuple<trace::Ticks, std::uint32_t, std::uint64_t>;

Post postOf(const replay::ReplayedTrace& trace, const RecordRef& ref) {
    const replay::MessageRecords& messages = trace[ref.location].messages;
    const Receive& receive = messages.receives[ref.index];
    const replay::Call* call = trace.postOf(receive);
    const trace::Ticks time = call != nullptr ? call->enter : messages.calls[receive.call].enter;
    return {time, receive.requestLocation, receive.requestEvent};
}

/// As they were posted, in whatever order they were completed.
std::vector<RecordRef> receivesInOrder(const replay::ReplayedTrace& trace, ProcessId process) {
    return ordered(recordsOf(trace, process, receivesOf), [&](const RecordRef& a, const RecordRef& b) {
        return postOf(trace, a) < postOf(trace, b);
    });
}

Outbox fillOutbox(const replay::ReplayedTrace& trace, ProcessId process) {
    Outbox outbox;
    for (const RecordRef& ref : sendsInOrder(trace, process)) {
        const Send& send = sendsOf(trace[ref.location])[ref.index];
        if (send.cancelled) continue;
        if (const auto to = trace::peerProcess(trace.definitions, send.comm, ref.location, send.receiver))
            outbox.entries.push_back({*to, ref});
    }
    std::stable_sort(outbox.entries.begin(), outbox.entries.end(),
                     [](const auto& a, const auto& b) { return a.destination < b.destination; });
    return outbox;
}

/// Puts everything that `source` sent to `destination` into its channels.
void openChannels(Channels& channels, const replay::ReplayedTrace& trace, const Outbox& outbox,
                  ProcessId source, ProcessId destination) {
    const auto [first, last] = outbox.to(destination);
    for (const auto* entry = first; entry != last; ++entry) {
        const Send& send = sendsOf(trace[entry->send.location])[entry->send.index];
        channels[{send.comm, source, send.tag}].sends.push_back(entry->send);
    }
}

std::uint64_t receiveAll(replay::ReplayedTrace& trace, const std::vector<Outbox>& outboxes,
                         ProcessId destination) {
    Channels channels;
    std::vector<bool> opened(outboxes.size(), false);
    std::uint64_t pairs = 0;
    for (const RecordRef& ref : receivesInOrder(trace, destination)) {
        Receive& receive = trace[ref.location].messages.receives[ref.index];
        const auto source = trace::peerProcess(trace.definitions, receive.comm, ref.location, receive.sender);
        if (!source) continue;
        if (!opened[source->index()]) {
            opened[source->index()] = true;
            openChannels(channels, trace, outboxes[source->index()], *source, destination);
        }
        const auto channel = channels.find({receive.comm, *source, receive.tag});
        if (channel == channels.end() || channel->second.next == channel->second.sends.size()) continue;
        const RecordRef found = channel->second.sends[channel->second.next++];
        // Each send has one destination, so nobody else writes to this record.
        Send& send = trace[found.location].messages.sends[found.index];
        receive.matchLocation = static_cast<std::uint32_t>(found.location.index());
        receive.matchIndex = found.index;
        send.matchLocation = static_cast<std::uint32_t>(ref.location.index());
        send.matchIndex = ref.index;
        ++pairs;
    }
    return pairs;
}

void reportMessages(replay::ReplayedTrace& trace, LocationId id) {
    replay::LocationTrace& location = trace[id];
    replay::DiagnosisLog log(trace.definitions, trace.definitions[id].reference);
    for (const Send& send : location.messages.sends)
        if (send.matchIndex == kNone && !send.cancelled)
            log.add(Trouble::UnmatchedMessage, "a send has no receive; it counts without waiting time");
    for (const Receive& receive : location.messages.receives)
        if (receive.matchIndex == kNone)
            log.add(Trouble::UnmatchedMessage,
                    "a receive has no send; it counts without its bytes and waiting time", receive.event,
                    receive.time);
    location.diagnoses.insert(location.diagnoses.end(), log.all().begin(), log.all().end());
}

}  // namespace

std::uint64_t matchMessages(replay::ReplayedTrace& trace, workers::Workers& workers) {
    const std::size_t processes = trace.definitions.processes.size();
    std::vector<Outbox> outboxes(processes);
    workers.forEach(processes, [&](std::size_t p) { outboxes[p] = fillOutbox(trace, ProcessId(p)); });
    std::atomic<std::uint64_t> pairs{0};
    workers.forEach(processes, [&](std::size_t p) { pairs += receiveAll(trace, outboxes, ProcessId(p)); });
    workers.forEach(trace.locations.size(), [&](std::size_t i) { reportMessages(trace, LocationId(i)); });
    return pairs;
}

}  // namespace holos::analyzer::matching
