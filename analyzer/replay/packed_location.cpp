// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/packed_location.h"

#include "analyzer/workers/packing.h"

namespace holos::analyzer::replay {

namespace {

/// Below, `Packing` is a `workers::Packer` or a `workers::Unpacker`.
template <class Packing>
void describe(Packing& packing, MessageRecords& messages) {
    packing.list(messages.calls);
    packing.list(messages.sends);
    packing.list(messages.completions);
    packing.list(messages.receives);
    packing.list(messages.collectives);
    packing.list(messages.open);
    packing.list(messages.stray);
}

template <class Packing>
void describe(Packing& packing, ThreadRecords& threads) {
    threads.forks.pack(packing);
    threads.parallels.pack(packing);
    threads.barriers.pack(packing);
    packing.list(threads.locks);
    packing.list(threads.starts);
}

template <class Packing>
void describe(Packing& packing, CounterRecords& counters) {
    packing.list(counters.series, [&](CounterSeries& series) {
        packing.value(series.member);
        packing.list(series.values);
        packing.list(series.seen);
    });
}

template <class Packing>
void describe(Packing& packing, std::vector<Diagnosis>& diagnoses) {
    packing.list(diagnoses, [&](Diagnosis& diagnosis) {
        packing.value(diagnosis.trouble);
        packing.list(diagnosis.message);
        packing.value(diagnosis.location);
        packing.value(diagnosis.event);
        packing.value(diagnosis.time);
        packing.value(diagnosis.count);
    });
}

/// A map's keys cannot be written in place.
struct FileEntry {
    NodeId node;
    FileBytes bytes;
};

template <class Packing>
void describe(Packing& packing, FileRecords& files) {
    std::vector<FileEntry> entries;
    for (const auto& [node, bytes] : files.moved) entries.push_back({node, bytes});
    packing.list(entries);
    for (const FileEntry& entry : entries) files.moved[entry.node] = entry.bytes;
    packing.list(files.open);
}

template <class Packing>
void describe(Packing& packing, LocationTrace& location) {
    location.tree.pack(packing);
    location.taskPlaces.pack(packing);
    packing.list(location.program);
    describe(packing, location.messages);
    describe(packing, location.threads);
    describe(packing, location.counters);
    packing.list(location.rma);
    describe(packing, location.files);
    location.profile.pack(packing);
    packing.list(location.shared);
    packing.value(location.init);
    packing.value(location.finalize);
    describe(packing, location.diagnoses);
    packing.value(location.events);
}

}  // namespace

std::string pack(LocationTrace location) {
    workers::Packer packer;
    describe(packer, location);
    return packer.take();
}

LocationTrace unpack(std::string message, Memory memory) {
    LocationTrace location(memory);
    workers::Unpacker unpacker(std::move(message));
    describe(unpacker, location);
    return location;
}

}  // namespace holos::analyzer::replay
