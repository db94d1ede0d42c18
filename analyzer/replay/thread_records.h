// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/memory/packed_records.h"
#include "analyzer/replay/records.h"

namespace holos::analyzer::replay {

/// What a location has to say about its threads, in the order of its events. In a run of many short parallel
/// regions nothing is more than that, so that it is packed.
struct ThreadRecords {
    explicit ThreadRecords(Memory memory = heap())
        : forks(memory),
          parallels(memory),
          barriers(memory),
          shortages(memory),
          plainShortages(memory),
          forkShortages(memory),
          locks(memory),
          starts(memory),
          ends(memory),
          joins(memory),
          taskEnds(memory),
          taskStalls(memory) {}

    PackedRecords<Fork> forks;
    PackedRecords<ParallelRecord> parallels;
    PackedRecords<BarrierRecord> barriers;
    Records<BarrierShortage> shortages;  ///< of few barriers
    Records<PlainShortage> plainShortages;
    Records<ForkShortage> forkShortages;
    Records<LockRecord> locks;
    Records<ThreadStart> starts;
    Records<ThreadEnd> ends;
    Records<ThreadJoin> joins;
    Records<TaskEnd> taskEnds;
    Records<TaskStall> taskStalls;
};

// Below, `Differences` is a `DifferenceWriter` or a `DifferenceReader`, and `Record` a constant for the
// former.

template <class Differences, class Key>
void describeNext(Differences& differences, Key& team, const TeamKey& before) {
    differences.number(team.instance, before.instance + 1);
    differences.number(team.comm, before.comm);
}

template <class Differences, class Record>
requires std::is_same_v<std::remove_const_t<Record>, Fork>
void describe(Differences& differences, Record& record, const Fork& before) {
    differences.number(record.fork, before.join);
    differences.number(record.join, record.fork);
    differences.number(record.joinSlice, before.joinSlice);
    differences.id(record.parent, before.parent);
    differences.number(record.flushedBefore, 0);
    differences.number(record.flushedAfter, 0);
    describeNext(differences, record.team, before.team);
}

template <class Differences, class Record>
requires std::is_same_v<std::remove_const_t<Record>, ParallelRecord>
void describe(Differences& differences, Record& record, const ParallelRecord& before) {
    differences.number(record.enter, before.leave);
    differences.number(record.leave, record.enter);
    differences.number(record.event, before.event);
    differences.number(record.slice, before.leaveSlice + 1);
    differences.number(record.leaveSlice, record.slice + 1);
    differences.id(record.node, before.node);
    describeNext(differences, record.team, before.team);
    differences.number(record.barriers, before.barriers);
}

template <class Differences, class Record>
requires std::is_same_v<std::remove_const_t<Record>, BarrierRecord>
void describe(Differences& differences, Record& record, const BarrierRecord& before) {
    differences.number(record.enter, before.leave);
    differences.number(record.leave, record.enter);
    differences.number(record.event, before.event);
    differences.id(record.node, before.node);
    differences.number(record.slice, before.slice + 1);
    // Between barriers of different stays other slices begin.
    const bool isSameStay = record.slice == before.slice + 1;
    differences.number(record.sequence, isSameStay ? before.sequence + 1 : 0);
    differences.number(record.team.instance, before.team.instance + (isSameStay ? 0 : 1));
    differences.number(record.team.comm, before.team.comm);
    differences.number(record.tasks, 0);
    differences.flag(record.implicit);
}

}  // namespace holos::analyzer::replay
