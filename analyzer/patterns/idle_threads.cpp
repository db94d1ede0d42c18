// SPDX-License-Identifier: BSD-3-Clause
//
// Idle threads: those that are reserved for parallel regions, while their master works alone, and those that
// a region does not use. The assembly of the experiment finds them, since they are time in which nothing is
// recorded.
//
//   master    ──────┤ parallel ├──────
//   thread 1  ······┤ parallel ├······
//   thread 2  ························        limited parallelism, while the others are in the region
//
#include <algorithm>

#include "analyzer/patterns/list.h"

namespace holos::analyzer::patterns {

bool countsIdleThreads(const std::vector<trace::RegionClass>& classes) {
    const auto areAny = [&](trace::TimeClass wanted) {
        return std::ranges::any_of(classes, [&](const trace::RegionClass& one) { return one.has(wanted); });
    };
    return areAny(trace::TimeClass::OmpRegion) && !areAny(trace::TimeClass::PthreadManagement);
}

const algebra::Picture kIdlePicture{{{"master", "parallel", "-----==========-----"},
                                     {"thread 1", "parallel", "#####==========#####"},
                                     {"thread 2", "parallel", "#####==========#####"}}};

const algebra::Picture kLimitedPicture{{{"master", "parallel", "---==============---"},
                                        {"thread 1", "parallel", "   ==============   "},
                                        {"not used", "parallel", "   ##############   "}}};

const Metric kIdleThreads{
    .parent = "time",
    .uniqueName = "omp_idle_threads",
    .displayName = "Idle threads",
    .description = "Time of threads that are reserved for parallel regions, but not used.",
    .source = FromIdle{},
    .picture = &kIdlePicture,
    .needs = Needs::OpenMp,
    .activity = Activity::None};
const Metric kLimitedParallelism{
    "omp_idle_threads",    "omp_limited_parallelism",
    "Limited parallelism", "Time of threads that are idle inside of parallel regions.",
    FromLimited{},         &kLimitedPicture};

extern const Pattern kIdleThreadsPattern{
    .metrics = {&kIdleThreads, &kLimitedParallelism},
    .delays = {{Kind::OmpIdle, "delay_omp", "delay_ompidle", "Idleness delay costs",
                "Work of the master outside of parallel regions, which leaves its threads idle.",
                &kIdlePicture}}};

}  // namespace holos::analyzer::patterns
