// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/call_ways.h"

namespace holos::analyzer::replay {

CallWays::Way CallWays::from(trace::ContextId call) const {
    const trace::CallingContext& known = definitions_[call];
    return {known.frame, known.site, known.frame, call};
}

CallWays::Way CallWays::into(trace::ContextId entered) const {
    const trace::CallingContext& known = definitions_[entered];
    if (!known.parent) return {trace::kNoFrame, trace::kNoSite, known.frame};
    const trace::CallingContext& parent = definitions_[*known.parent];
    return {parent.frame, parent.site, known.frame};
}

CallWays::Step CallWays::step(const Way& way, FrameId known) {
    const NodeId caller = paths_.of(stack_.current(), known, way.caller);
    stayed_ = sharedFrames_.stay(stack_.tree(), {stack_.left(), stack_.leftFrom(), stack_.current()}, caller,
                                 way.from);
    seen_.event(caller, stayed_);
    return {caller, stayed_};
}

void CallWays::repeat(std::uint64_t calls) {
    const LocalTree& tree = stack_.tree();
    for (NodeId met = tree[stack_.current()].parent; met > stayed_; met = tree[met].parent)
        stack_.visit(met, calls - 1);
}

}  // namespace holos::analyzer::replay
