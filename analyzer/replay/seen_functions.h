// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/replay/call_stack.h"

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

}  // namespace holos::analyzer::replay
