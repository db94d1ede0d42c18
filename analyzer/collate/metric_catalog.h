// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <variant>

#include "analyzer/patterns/measured.h"
#include "analyzer/trace/classification.h"

namespace holos::analyzer::collate {

/// Where the values of a metric come from.
struct FromTime {};         ///< exclusive time, idle threads included
struct FromExecution {};    ///< exclusive time but overhead
struct FromComputation {};  ///< execution that is neither MPI nor OpenMP nor Pthread time
struct FromClass {          ///< exclusive time of the regions of a class
    trace::TimeClass timeClass;
    /// What calls of point-to-point communication wait for nonblocking operations of this class.
    patterns::Measured nonblocking = patterns::Measured::Count;
};
struct FromPointToPoint {};  ///< exclusive time but those waits
struct FromVisits {};
struct FromVisitsOf {  ///< visits of the regions of a class
    trace::TimeClass timeClass;
};
struct FromPattern {
    patterns::Measured measured;
};
struct FromIdle {};
struct FromLimited {};
struct FromChildren {};  ///< their sum

using Source = std::variant<FromTime, FromExecution, FromComputation, FromClass, FromPointToPoint, FromVisits,
                            FromVisitsOf, FromPattern, FromIdle, FromLimited, FromChildren>;

/// The paradigm that a metric needs; without it in the call tree the metric is left out.
enum class Needs : std::uint8_t { Nothing, Mpi, MpiFiles, OpenMp, Pthread };

/// A node of Holos' metric tree for traces. Parents stand before their children.
struct CatalogEntry {
    const char* parent;  ///< unique name, or null for a root
    patterns::MetricText text;
    Source source;
    Needs needs;
};

/// The whole tree, with Scalasca's unique names and order.
std::span<const CatalogEntry> metricCatalog();

}  // namespace holos::analyzer::collate
