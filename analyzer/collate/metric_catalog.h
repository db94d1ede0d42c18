// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <variant>
#include <vector>

#include "analyzer/patterns/measured.h"
#include "analyzer/trace/classification.h"

namespace holos::analyzer::collate {

/// Where the values of a metric come from.
struct FromTime {};         ///< recorded exclusive time, idle threads included
struct FromExecution {};    ///< recorded exclusive time but overhead
struct FromComputation {};  ///< execution that is neither MPI, OpenMP nor Pthread time, nor waiting
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

/// What a metric needs in the call tree; without it the metric is left out. Unrecorded is time in which
/// recording was off. Windows are those of one-sided
/// communication; locks of OpenMP may be critical sections, those of Pthread are mutexes.
enum class Needs : std::uint8_t {
    Nothing,
    Unrecorded,
    Mpi,
    MpiFiles,
    Files,
    MpiWindows,
    OpenMp,
    OpenMpLocks,
    Pthread,
    PthreadLocks,
    Locks,
    SystemWaiting
};

/// What a call tree has of that.
class Present {
  public:
    /// By the classes of its regions.
    explicit Present(const std::vector<trace::RegionClass>& classes);
    bool has(Needs needs) const { return has_[static_cast<std::size_t>(needs)]; }

  private:
    std::array<bool, static_cast<std::size_t>(Needs::SystemWaiting) + 1> has_{};
};

/// A node of a metric tree. Parents stand before their children.
template <class From>
struct TreeEntry {
    const char* parent;  ///< unique name, or null for a root
    patterns::MetricText text;
    From source;
    Needs needs;
};
/// Of Holos' metric tree for traces.
using CatalogEntry = TreeEntry<Source>;

/// The whole tree, with Scalasca's unique names and order.
std::span<const CatalogEntry> metricCatalog();

}  // namespace holos::analyzer::collate
