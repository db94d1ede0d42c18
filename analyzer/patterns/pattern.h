// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/patterns/kind.h"
#include "analyzer/patterns/severities.h"
#include "analyzer/patterns/waits.h"

namespace holos::analyzer::patterns {

/// One rank's part in a collective operation, and where its wait is noted.
struct CollectivePart {
    replay::RecordRef ref;
    const replay::CollectiveRecord* record;
    CollectiveWait* wait;

    const replay::CollectiveRecord& operator*() const { return *record; }
    const replay::CollectiveRecord* operator->() const { return record; }
};

/// One operation, or one group of it, by rank.
using CollectiveParts = std::span<const CollectivePart>;

/// How long the calls of one location have waited for messages and nonblocking operations: patterns that come
/// later take it away from what they find in the same call.
class CallWaits {
  public:
    CallWaits(std::size_t calls, Memory memory) : calls_(calls), waited_(memory) {}

    Ticks waited(std::uint32_t call) const { return waited_.empty() ? 0 : waited_[call]; }
    void add(std::uint32_t call, Ticks wait) {
        if (waited_.empty()) waited_.resize(calls_, 0);
        waited_[call] += wait;
    }
    /// A receive that it completes came before its send, even if another wait of the call counts.
    void noteLateSender(std::uint32_t call) {
        if (hasLateSender_.empty()) hasLateSender_.resize(calls_, false);
        hasLateSender_[call] = true;
    }
    bool hasLateSender(std::uint32_t call) const { return !hasLateSender_.empty() && hasLateSender_[call]; }

  private:
    std::size_t calls_;
    Records<Ticks> waited_;  ///< by call; empty where none has waited
    std::vector<bool> hasLateSender_;
};

/// What patterns have found in one location so far.
struct LocationFindings {
    LocationFindings(const replay::LocationTrace& trace, Memory memory)
        : waits(trace, memory), calls(trace.messages.calls.size(), memory) {}
    /// Of a location that has nothing.
    explicit LocationFindings(Memory memory) : waits(memory), calls(0, memory) {}

    LocationWaits waits;
    LocalSeverities severities;
    CallWaits calls;
};
using AllFindings = ByLocation<LocationFindings>;

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
