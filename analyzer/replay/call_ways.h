// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/replay/call_stack.h"
#include "analyzer/replay/seen_functions.h"
#include "analyzer/replay/shared_frames.h"

namespace holos::analyzer::replay {

/// The calls that led to events: where regions stand, and where the time between two events is booked.
///
///     main ──────────────────────────────────────────────
///       run ────────────────────────┐ ┌─ check ──────────
///         solve ───┐ ┌─ solve ──────┘ │
///           │send│ · · · · │recv│ · · · · · │reduce│
///
/// Between send and recv the program was certainly in `run`, between recv and reduce in `main`. Where `solve`
/// is entered twice from one place, only the code tells whether it may have stayed (`shared_frames.h`).
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
