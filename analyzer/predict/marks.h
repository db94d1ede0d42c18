// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/patterns/waits.h"
#include "analyzer/predict/graph.h"

namespace holos::analyzer::predict {

/// Which marks belong to the records of a location, by the position of the record. `kNone` where a record has
/// none.
struct RecordMarks {
    std::vector<std::uint32_t> callEnters;
    std::vector<std::uint32_t> callLeaves;
    std::vector<std::uint32_t> barrierEnters;
    std::vector<std::uint32_t> barrierLeaves;
    std::vector<std::uint32_t> stayEnters;
    std::vector<std::uint32_t> stayLeaves;
    std::vector<std::uint32_t> forks;
    std::vector<std::uint32_t> joins;
    std::vector<std::uint32_t> locks;        ///< the acquisition or release itself
    std::vector<std::uint32_t> starts;       ///< of threads
    std::vector<std::uint32_t> threadJoins;  ///< the end of a call that waits for a thread's end
    std::vector<std::uint32_t> polls;        ///< by wait: the end of the calls that found nothing
    std::uint32_t initLeave = kNone;
    std::uint32_t initEnter = kNone;
    std::uint32_t finalizeLeave = kNone;
    std::uint32_t finalizeEnter = kNone;
    std::uint32_t end = kNone;
};

struct LocationMarks {
    std::vector<Mark> marks;
    TasksAtMarks tasks;
    RecordMarks of;
};

/// The marks of one location in their order, without what they depend on. `isFirst`: of its process, so that
/// it starts by itself.
LocationMarks marksOf(const replay::LocationTrace& trace, const patterns::LocationWaits& waits, bool isFirst);

}  // namespace holos::analyzer::predict
