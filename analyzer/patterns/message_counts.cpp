// SPDX-License-Identifier: BSD-3-Clause
//
// Counts of messages and their bytes. A message of no bytes only synchronizes; the others are also counted by
// their size.
//
//   sender    ───┤ Send 8 bytes ├────        comms_send + 1, bytes_sent + 8, sends_64 + 1, bytes_sent_64 + 8
//   receiver  ───┤ Receive      ├────        comms_recv + 1, bytes_rcvd + 8 (the length that was sent), …
//
#include <utility>

#include "analyzer/patterns/message_sizes.h"
#include "analyzer/patterns/pattern.h"

namespace holos::analyzer::patterns {

namespace {

const Metric kSyncsSend{"syncs_p2p", "syncs_send", "Sends", "Number of messages sent that carry no bytes."};
const Metric kSyncsReceive{"syncs_p2p", "syncs_recv", "Receives",
                           "Number of messages received that carry no bytes."};
const Metric kCommsSend{"comms_p2p", "comms_send", "Sends", "Number of messages sent that carry bytes."};
const Metric kCommsReceive{"comms_p2p", "comms_recv", "Receives",
                           "Number of messages received that carry bytes."};
const Metric kBytesSent{"bytes_p2p", "bytes_sent", "Sent", "Bytes sent in messages from process to process."};
const Metric kBytesReceived{"bytes_p2p", "bytes_rcvd", "Received",
                            "Bytes received in messages from process to process."};

using OfSizes = std::array<Metric, kSizeClasses>;

template <std::size_t... kClasses>
OfSizes ofSizes(const char* parent, const char* SizeNames::*name, const char* description,
                std::index_sequence<kClasses...> /*classes*/) {
    return {Metric{parent, kSizeNames[kClasses].*name, kSizeNames[kClasses].display, description}...};
}
OfSizes ofSizes(const char* parent, const char* SizeNames::*name, const char* description) {
    return ofSizes(parent, name, description, std::make_index_sequence<kSizeClasses>());
}

const OfSizes kSends = ofSizes(
    "message_sizes_sent", &SizeNames::sends,
    "Number of messages sent that have at most this size, and more than the size before it in the list.");
const OfSizes kReceives = ofSizes(
    "message_sizes_rcvd", &SizeNames::receives,
    "Number of messages received that have at most this size, and more than the size before it in the list.");
const OfSizes kSentBytes = ofSizes(
    "bytes_sent", &SizeNames::bytesSent,
    "Bytes sent in messages that have at most this size, and more than the size before it in the list.");
const OfSizes kReceivedBytes = ofSizes(
    "bytes_rcvd", &SizeNames::bytesReceived,
    "Bytes received in messages that have at most this size, and more than the size before it in the list.");

/// Of messages in one direction.
class Counts {
  public:
    Counts(LocalSeverities& severities, const Metric& empty, const Metric& number, const Metric& bytes,
           const OfSizes& numbers, const OfSizes& sizes)
        : empty_(severities.of(empty)), number_(severities.of(number)), bytes_(severities.of(bytes)) {
        for (std::size_t i = 0; i < kSizeClasses; ++i)
            ofSize_[i] = {&severities.of(numbers[i]), &severities.of(sizes[i])};
    }

    void add(replay::NodeId node, std::uint64_t bytes) {
        if (bytes == 0) return empty_.add(node, 1);
        const auto& [number, size] = ofSize_[sizeClassOf(bytes)];
        for (NodeSums* const messages : {&number_, number}) messages->add(node, 1);
        for (NodeSums* const sum : {&bytes_, size}) sum->addBytes(node, bytes);
    }

  private:
    NodeSums& empty_;
    NodeSums& number_;
    NodeSums& bytes_;
    std::array<std::pair<NodeSums*, NodeSums*>, kSizeClasses> ofSize_;
};

void countSends(const replay::LocationTrace& local, LocalSeverities& severities) {
    Counts sent(severities, kSyncsSend, kCommsSend, kBytesSent, kSends, kSentBytes);
    for (const replay::Send& send : local.messages.sends)
        if (local.counted.has(send.event)) sent.add(local.messages.calls[send.call].node, send.bytes);
}

void countReceives(const matching::MatchedTrace& run, trace::LocationId location,
                   LocalSeverities& severities) {
    const auto& messages = run.trace[location].messages;
    const auto& sendOf = run.matches.messages.sendOf[location.index()];
    Counts received(severities, kSyncsReceive, kCommsReceive, kBytesReceived, kReceives, kReceivedBytes);
    const replay::EventRange& counted = run.trace[location].counted;
    for (std::size_t i = 0; i < messages.receives.size(); ++i) {
        if (!counted.has(messages.receives[i].event)) continue;
        const replay::NodeId node = messages.calls[messages.receives[i].call].node;
        const replay::RecordRef send = sendOf[i];
        received.add(node, send.isKnown()
                               ? run.trace.locations[send.location].messages.sends[send.position].bytes
                               : 0);
    }
}

/// A location without messages keeps no sums of them: many archives have very many.
void count(const matching::MatchedTrace& run, trace::LocationId location, LocationFindings& found) {
    const auto& messages = run.trace[location].messages;
    if (!messages.sends.empty()) countSends(run.trace[location], found.severities);
    if (!messages.receives.empty()) countReceives(run, location, found.severities);
}

std::vector<const Metric*> allMetrics() {
    std::vector<const Metric*> all{&kSyncsSend,    &kSyncsReceive, &kCommsSend,
                                   &kCommsReceive, &kBytesSent,    &kBytesReceived};
    for (const OfSizes* const sizes : {&kSends, &kReceives, &kSentBytes, &kReceivedBytes})
        for (const Metric& metric : *sizes) all.push_back(&metric);
    return all;
}

}  // namespace

extern const Pattern kMessageCountsPattern{.metrics = allMetrics(), .inLocation = count};

}  // namespace holos::analyzer::patterns
