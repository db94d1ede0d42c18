// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>

#include "analyzer/replay/call_stack.h"
#include "analyzer/replay/local_tree.h"
#include "analyzer/trace/definitions.h"

namespace holos::analyzer::replay {

/// Visits of functions that were not entered, but seen on the call stack, by events and by samples between
/// them. Thread safety: one thread for each location.
class SeenFunctions {
  public:
    explicit SeenFunctions(CallStack& stack) : stack_(stack) {}

    /// A sample found the thread in this function.
    void sample(NodeId function);
    /// An event was called by `caller`, and may have stayed in `shared` since the one before.
    void event(NodeId caller, NodeId shared);
    /// What samples saw since the last event is forgotten.
    void settle() { met_ = kOutside; }

  private:
    CallStack& stack_;
    NodeId met_ = kOutside;       ///< the function of the last sample since the last event
    NodeId metBelow_ = kOutside;  ///< above `met_`; what stands between was met since the last event
};

/// In which function a thread may have stayed between two events. The innermost one that the calls of both
/// have in common may have returned and been called again; where it certainly was, by the order of the calls
/// in the code (`trace::CallOrder`), it is a function further out.
///
///     run ── loop ─────────────────────────────────────────────────────
///       exchange ─────────────────────┐ ┌─ exchange ──────────────────
///         │isend│ · · · · · · · · │wait│ · · · · │isend│ · · · · │wait│
///
/// `exchange` makes no `isend` after its `wait`; `run` calls `exchange` again.
class SharedFrames {
  public:
    explicit SharedFrames(const trace::Definitions& definitions);

    /// False where the trace does not know the order of any calls.
    bool areKnown() const { return areKnown_; }
    /// Where a thread was when it left something: what it left, by which calls that had been entered, and the
    /// innermost region that stayed open.
    struct Left {
        NodeId node;
        trace::ContextId from;
        NodeId around;
    };
    /// Where it may have stayed until it enters something from there: `caller` is the call path of the
    /// function in which `from` ends.
    NodeId stay(const LocalTree& tree, const Left& left, NodeId caller, trace::ContextId from);

    /// None where no function may have made both calls: what is known contradicts itself.
    std::optional<trace::FrameId> of(trace::ContextId before, trace::ContextId after);

  private:
    using Shared = std::optional<trace::FrameId>;
    struct Recent {
        trace::ContextId before = trace::kNoContext;
        trace::ContextId after = trace::kNoContext;
        Shared shared;
    };
    Shared find(trace::ContextId before, trace::ContextId after) const;
    bool areOfOneFunction(trace::ContextId one, trace::ContextId other) const;
    bool mayFollow(trace::ContextId before, trace::ContextId after) const;

    const trace::Definitions& definitions_;
    bool areKnown_;
    std::array<Recent, 64> recent_{};
};

/// The calls that led to events: where regions stand, and where the time between two events is booked.
///
///     main ──────────────────────────────────────────────
///       run ────────────────────────┐ ┌─ check ──────────
///         solve ───┐ ┌─ solve ──────┘ │
///           │send│ · · · · │recv│ · · · · · │reduce│
///
/// Between send and recv the program was certainly in `run`, between recv and reduce in `main`. Where `solve`
/// is entered twice from one place, only the code tells whether it may have stayed (`call_ways.h`).
/// Thread safety: one thread for each location.
class CallWays {
  public:
    CallWays(const Context& context, CallStack& stack, SeenFunctions& seen)
        : definitions_(context.definitions),
          stack_(stack),
          seen_(seen),
          paths_(context.definitions, context.classes, stack.tree()),
          sharedFrames_(context.definitions) {}

    /// The calls that led into a region.
    struct Way {
        FrameId caller;                             ///< the function that calls the region
        trace::SiteId site;                         ///< where it does
        FrameId known;                              ///< what stands above the region's call path from then on
        trace::ContextId from = trace::kNoContext;  ///< the call of the region
    };
    /// Of a region that this call entered.
    Way from(trace::ContextId call) const;
    /// Of a function that was entered by this context.
    Way into(trace::ContextId entered) const;

    struct Step {
        NodeId caller;
        NodeId shared;  ///< the innermost function in which the thread may have stayed since the last event
    };
    /// From the present call path to the function that enters a region. `known`: what stands above the
    /// present one.
    Step step(const Way& way, FrameId known);
    /// A region is entered without calls that are known.
    void stepWithout() { stayed_ = stack_.current(); }
    /// The innermost region stands for so many calls from there: each of them came as the first, and what
    /// that newly met, they did.
    void repeat(std::uint64_t calls);

    NodeId ofFunction(trace::ContextId context, FrameId known) {
        return paths_.of(stack_.current(), known, definitions_[context].frame);
    }
    NodeId ofSample(trace::ContextId context, FrameId known) {
        return paths_.ofSample(stack_.current(), known, context);
    }

  private:
    const trace::Definitions& definitions_;
    CallStack& stack_;
    SeenFunctions& seen_;
    StackPaths paths_;
    SharedFrames sharedFrames_;
    NodeId stayed_ = kOutside;  ///< the innermost function that the last enter did not newly meet
};

}  // namespace holos::analyzer::replay
