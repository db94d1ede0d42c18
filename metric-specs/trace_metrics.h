// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace holos::specs {

/// Metrics that the analysis finds without any counter, under their unique names. Formulas may use them. A
/// test of the analyzer compares them with its catalog.
inline constexpr std::string_view kTraceMetrics[] = {"time",
                                                     "execution",
                                                     "comp",
                                                     "overhead",
                                                     "mpi",
                                                     "mpi_communication",
                                                     "mpi_point2point",
                                                     "mpi_collective",
                                                     "mpi_synchronization",
                                                     "mpi_io",
                                                     "omp_time",
                                                     "omp_synchronization",
                                                     "omp_idle_threads",
                                                     "pthread_time",
                                                     "visits",
                                                     "comms",
                                                     "syncs",
                                                     "bytes_sent",
                                                     "bytes_rcvd"};

/// What findings may compare beside metrics: the percentage of the machine's memory bandwidth, as it was
/// measured, that a call path uses.
inline constexpr std::string_view kBandwidthShare = "bandwidth_share";

inline bool isTraceMetric(std::string_view name) {
    return std::find(std::begin(kTraceMetrics), std::end(kTraceMetrics), name) != std::end(kTraceMetrics);
}

/// Whether it is a time, of which others may be a part.
inline bool isTraceTime(std::string_view name) {
    constexpr std::string_view kCounts[] = {"visits", "comms", "syncs", "bytes_sent", "bytes_rcvd"};
    return isTraceMetric(name) &&
           std::find(std::begin(kCounts), std::end(kCounts), name) == std::end(kCounts);
}

}  // namespace holos::specs
