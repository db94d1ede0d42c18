// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "analyzer/patterns/collective_part.h"
#include "analyzer/patterns/findings.h"
#include "analyzer/patterns/kind.h"

namespace holos::analyzer::patterns {

/// How the ranks of a collective operation wait for each other.
struct CollectiveRule {
    std::vector<replay::Collective> operations;
    Kind kind;
    /// Notes the waits of all ranks of an operation, which has two at least.
    void (*find)(CollectiveParts);
    const Metric* wait;
    const Metric* completion = nullptr;  ///< null where it is not measured
    /// What the wait is in a call that completes nonblocking operations of any kind.
    Nonblocking nonblocking = Nonblocking::Collective;
};

/// One wait, as a user looks at it in a timeline.
struct SingleWait {
    const Metric& metric;
    replay::NodeId node;
    trace::Ticks wait;
    trace::Ticks begin;                        ///< of the call that waits
    std::optional<trace::LocationId> awaited;  ///< whom it waits for, where that is one
};
using VisitWait = std::function<void(const SingleWait&)>;

/// What it costs others that somebody comes late: three metrics of causes, one for what follows directly, one
/// for what is handed on, and their sum.
struct Delay {
    Kind kind;
    const char* parent;
    const char* uniqueName;  ///< of the first; `_longterm` and `_aggregate` make those of the others
    const char* displayName;
    const char* description;
    const algebra::Picture* picture = nullptr;
    Needs needs = Needs::Nothing;  ///< beside what the parent needs
    const char* before = nullptr;  ///< the sum that it stands before, where that is not the order of the list
};

/// All about a wait state, or about what is counted in one place: its metrics, and how they are found. A
/// pattern is defined in its file and named in the list; nothing else knows it. Each of the steps is done for
/// all patterns, in the order of the list, before the next one is; what a pattern does not need is null.
struct Pattern {
    std::vector<const Metric*> metrics = {};
    std::vector<Delay> delays = {};
    /// Before all steps: the search asks for the one that has an operation.
    std::vector<CollectiveRule> collectives = {};
    /// First step, of one location.
    void (*inLocation)(const matching::MatchedTrace&, trace::LocationId, LocationFindings&) = nullptr;
    /// Second step, of all locations together.
    void (*inTrace)(const matching::MatchedTrace&, AllFindings&) = nullptr;
    /// Third step, of one location: books the waits that were found in it, but not its dependencies.
    void (*book)(const matching::MatchedTrace&, trace::LocationId, const LocationWaits&,
                 LocalSeverities&) = nullptr;
    /// The single waits of one location, after all of that; not its dependencies.
    void (*visitWaits)(const JudgedTrace&, trace::LocationId, const VisitWait&) = nullptr;
};

}  // namespace holos::analyzer::patterns
