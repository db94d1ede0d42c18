// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/packed_location.h"

#include "base/packing.h"

namespace holos::analyzer::replay {

namespace {

/// Below, `Packing` is a `Packer` or a `Unpacker`.
template <class Packing>
void describe(Packing& packing, MessageRecords& messages) {
    packing.list(messages.calls);
    packing.list(messages.sends);
    packing.list(messages.completions);
    packing.list(messages.receives);
    packing.list(messages.collectives);
    packing.list(messages.open);
    packing.list(messages.stray);
    packing.list(messages.shortages);
}

template <class Packing>
void describe(Packing& packing, ThreadRecords& threads) {
    threads.forks.pack(packing);
    threads.parallels.pack(packing);
    threads.barriers.pack(packing);
    packing.list(threads.shortages);
    packing.list(threads.plainShortages);
    packing.list(threads.forkShortages);
    packing.list(threads.locks);
    packing.list(threads.starts);
    packing.list(threads.ends);
    packing.list(threads.joins);
    packing.list(threads.taskEnds);
    packing.list(threads.taskStalls);
}

template <class Packing>
void describe(Packing& packing, CounterRecords& counters) {
    packing.list(counters.series, [&](CounterSeries& series) {
        packing.value(series.member);
        packing.list(series.values);
        packing.list(series.seen);
        packing.list(series.levels.values);
        packing.list(series.levels.seen);
        packing.value(series.risen);
        packing.value(series.fallen);
    });
    packing.list(counters.growths, [&](Growths& growths) {
        packing.value(growths.metricClass);
        packing.list(growths.ends);
        packing.list(growths.values);
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
void describe(Packing& packing, LocationCalls& calls) {
    calls.tree.pack(packing);
    calls.taskPlaces.pack(packing);
    packing.list(calls.program);
    describe(packing, calls.counters);
    calls.intervals.pack(packing);
    packing.list(calls.shared);
    packing.list(calls.periods);
    packing.value(calls.events);
}

template <class Packing>
void describe(Packing& packing, LocationTrace& trace) {
    describe(packing, trace.messages);
    describe(packing, trace.threads);
    packing.list(trace.rma);
    packing.list(trace.polls);
    describe(packing, trace.files);
    trace.profile.pack(packing);
    packing.value(trace.init);
    packing.value(trace.finalize);
    packing.list(trace.pauses);
    packing.value(trace.begin);
    packing.value(trace.end);
    packing.value(trace.counted);
}

template <class Packing>
void describe(Packing& packing, ReplayedLocation& location) {
    describe(packing, location.calls);
    describe(packing, location.trace);
    describe(packing, location.diagnoses);
}

}  // namespace

std::string pack(ReplayedLocation location) {
    Packer packer;
    describe(packer, location);
    return packer.take();
}

ReplayedLocation unpack(std::string message, Memory memory) {
    ReplayedLocation location(memory);
    Unpacker unpacker(std::move(message));
    describe(unpacker, location);
    return location;
}

}  // namespace holos::analyzer::replay
