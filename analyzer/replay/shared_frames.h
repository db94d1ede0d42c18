// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>

#include "analyzer/replay/local_tree.h"
#include "analyzer/trace/definitions.h"

namespace holos::analyzer::replay {

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

}  // namespace holos::analyzer::replay
