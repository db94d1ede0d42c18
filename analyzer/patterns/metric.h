// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "algebra/model/metric_guide.h"
#include "analyzer/trace/classification.h"

namespace holos::analyzer::patterns {

/// What a metric needs in the call tree; without it the metric is left out.
enum class Needs : std::uint8_t {
#define HOLOS_NEEDS(name, ...) name,
#include "analyzer/patterns/needs.def"
#undef HOLOS_NEEDS
    Count
};

/// What calls such as `MPI_Wait` wait for beside messages: their time is moved from point-to-point
/// communication to that of the operations which they complete.
enum class Nonblocking : std::uint8_t { Barrier, Collective, Communicators, File, OneSided };
inline constexpr std::size_t kNonblockingKinds = 5;

/// Where the values of a metric come from.
struct FromPattern {};      ///< a pattern measures them
struct FromTime {};         ///< recorded exclusive time, idle threads included
struct FromExecution {};    ///< recorded exclusive time but overhead
struct FromComputation {};  ///< execution that is neither MPI, OpenMP nor Pthread time, nor waiting
struct FromClass {          ///< exclusive time of the regions of a class
    trace::TimeClass timeClass;
    /// And what calls of point-to-point communication wait for such nonblocking operations.
    std::optional<Nonblocking> nonblocking = {};
};
struct FromPointToPoint {};  ///< exclusive time but those waits
struct FromVisits {};
struct FromVisitsOf {  ///< visits of the regions of a class
    trace::TimeClass timeClass;
};
struct FromIdle {};
struct FromLimited {};
struct FromChildren {};  ///< their sum

using ValueSource =
    std::variant<FromPattern, FromTime, FromExecution, FromComputation, FromClass, FromPointToPoint,
                 FromVisits, FromVisitsOf, FromIdle, FromLimited, FromChildren>;

/// Whether threads do something in such time. On the critical path, the rest is no imbalance.
enum class Activity : std::uint8_t { Some, None };

/// All about a metric: its place in the tree, what users read about it, and where its values come from.
template <class From>
struct MetricOf {
    const char* parent = nullptr;  ///< unique name; null for a root
    const char* uniqueName = "";   ///< Scalasca's where it has the metric
    const char* displayName = "";
    const char* description = "";
    From source = {};
    const algebra::Picture* picture = nullptr;
    Needs needs = Needs::Nothing;  ///< beside what its parent needs
    const char* unit = "sec";      ///< `sec`, `occ` or `bytes`: that of a root is that of all below it
    const char* meaning = "";      ///< of a wait state: who waits for whom, in a few words
    Activity activity = Activity::Some;
    /// The sibling before which it stands, where that is not the order of the list.
    const char* before = nullptr;
};
/// Of the trees of time and counts.
using Metric = MetricOf<ValueSource>;

/// The part of `parent` in which threads had no processor.
inline Metric shortageBelow(const char* parent, const char* uniqueName) {
    return {.parent = parent,
            .uniqueName = uniqueName,
            .displayName = "Waiting for Processors",
            .description =
                "Time there in which the thread could run and had no processor, beyond all wait "
                "states: other threads and programs had it, or a limit of a container or job "
                "stopped the thread.",
            .needs = Needs::Shortage};
}

}  // namespace holos::analyzer::patterns
