// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/process/process_ends.h"

namespace holos::archive {

/// Counts the processes that started, by what they and others say of them, and those that are recorded; the
/// others are named with the reason: `312 processes started, 309 recorded, 3 not: 3 of shells, launchers and
/// the like (sh)`. Nothing where nobody kept account. The law does not hold where processes are missing for a
/// reason that is not known. `others`: the processes of other MPI jobs of the run.
std::optional<Law> processesLaw(const TracePlan& plan, const std::vector<RecordedProcess>& processes,
                                const LifeRecords& records,
                                std::span<const std::vector<RecordedProcess>> others);

/// What is to be said of children that recorded programs forked and that ran no program, beside those of
/// which the notes of their parents say it; empty where there are none.
std::string noteOfForked(const std::vector<RecordedProcess>& processes, const LifeRecords& records,
                         std::span<const std::vector<RecordedProcess>> others);

/// What a recording must have of the run that it is of, whatever the program does. Each law compares two
/// numbers of different origin, so that what is missing shows.

/// What is true of the whole run:
///
/// - `processes`: those that were started are recorded, or it is said why not;
/// - `processor time`: that of each process is that of its recorded threads;
/// - `elapsed time`: each process has events, or time that is said to be unknown, until its end, for as long
///   as it ran by its own clock, and none of them were lost on the way to the disk;
/// - `messages`: those sent are those received;
/// - `span`: no event lies outside of the time of its process.
///
/// Laws of which nothing is known are left out, such as that of messages where only a part was to be
/// recorded. Once the events were written. `others`: the processes of the run that are in the traces of other
/// MPI jobs.
std::vector<Law> lawsOf(const TracePlan& plan, const std::vector<RecordedProcess>& processes,
                        const LifeRecords& lives, std::span<const std::vector<RecordedProcess>> others = {});

/// Of a run that goes on, what can be checked: its span.
std::vector<Law> lawsOfSnapshot(const TracePlan& plan);

/// What is not, in a sentence.
inline constexpr const char* kNotChecked =
    "A snapshot: whether all processes, their processor time and all messages are there is checked when the "
    "run "
    "has ended";

}  // namespace holos::archive
