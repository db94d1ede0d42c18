// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/call_ways.h"

#include <algorithm>

namespace holos::analyzer::replay {

void SeenFunctions::sample(NodeId function) {
    const LocalTree& tree = stack_.tree();
    const NodeId before = met_ == kOutside ? tree[stack_.left()].parent : met_;
    const NodeId known = std::max(stack_.current(), tree.common(before, function));
    for (NodeId met = function; met != known; met = tree[met].parent) stack_.visit(met);
    metBelow_ = met_ == kOutside ? known : std::min(metBelow_, known);
    met_ = function;
}

void SeenFunctions::event(NodeId caller, NodeId shared) {
    const LocalTree& tree = stack_.tree();
    const NodeId known = met_ == kOutside ? shared : std::max(stack_.current(), tree.common(met_, caller));
    for (NodeId met = caller; met != std::min(known, shared); met = tree[met].parent) {
        const bool isCounted = met <= known && met_ != kOutside && met > metBelow_;
        if (!isCounted) stack_.visit(met);
    }
}

using trace::ContextId;

SharedFrames::SharedFrames(const trace::Definitions& definitions)
    : definitions_(definitions),
      areKnown_(std::ranges::any_of(definitions.callingContexts,
                                    [](const auto& context) { return context.order.isKnown(); })) {}

std::optional<trace::FrameId> SharedFrames::of(ContextId before, ContextId after) {
    constexpr std::size_t kStride = 7;  // any number that spreads neighbours
    Recent& recent = recent_[(before.index() + after.index() * kStride) % recent_.size()];
    if (recent.before != before || recent.after != after) recent = {before, after, find(before, after)};
    return recent.shared;
}

NodeId SharedFrames::stay(const LocalTree& tree, const Left& left, NodeId caller, ContextId from) {
    // What was left elsewhere has nothing in common below the innermost region.
    const NodeId common = std::max(left.around, tree.common(tree[left.node].parent, caller));
    const bool isKnown = areKnown_ && left.from != trace::kNoContext && from != trace::kNoContext;
    if (common == left.around || !isKnown) return common;
    const auto frame = of(left.from, from);
    // The program does not return, other regions stay open.
    if (!frame) return left.around == kProgram || left.around == kOutside ? common : left.around;
    NodeId node = caller;  // each of the frames below the region has one
    for (trace::FrameId at = definitions_[from].frame; at != *frame && node != left.around;
         node = tree[node].parent)
        at = definitions_.frames[at].caller;
    return std::max(left.around, tree.common(common, node));
}

SharedFrames::Shared SharedFrames::find(ContextId before, ContextId after) const {
    std::optional<ContextId> one = before;
    std::optional<ContextId> other = after;
    const auto goUp = [this](std::optional<ContextId>& context) { context = definitions_[*context].parent; };
    while (definitions_[*one].depth > definitions_[*other].depth) goUp(one);
    while (definitions_[*other].depth > definitions_[*one].depth) goUp(other);
    for (; one && other; goUp(one), goUp(other))
        if (areOfOneFunction(*one, *other) && mayFollow(*one, *other)) return definitions_[*one].frame;
    return {};
}

/// One function, which was called in one way. Two contexts of its caller are two calls, also where
/// both stand in one line.
bool SharedFrames::areOfOneFunction(ContextId one, ContextId other) const {
    const trace::CallingContext& first = definitions_[one];
    const trace::CallingContext& second = definitions_[other];
    if (first.frame != second.frame || first.region != second.region) return false;
    const bool haveOneCaller = first.parent == second.parent || !first.parent || !second.parent;
    return haveOneCaller || !definitions_[*first.parent].order.isKnown() ||
           !definitions_[*second.parent].order.isKnown();
}

bool SharedFrames::mayFollow(ContextId before, ContextId after) const {
    return definitions_[after].order.mayComeAfter(definitions_[before].order);
}

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
