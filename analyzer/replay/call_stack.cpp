// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/call_stack.h"

#include <algorithm>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::replay {

void ProfileRecorder::settle() {
    for (PathTicks& entry : open_) entry.ticks += tree_[NodeId(entry.path)].exclusive;
}

std::uint32_t ProfileRecorder::begin(NodeId node, Ticks booked) {
    if (stamp_ == 0) return 0;
    Ticks moved = 0;
    for (PathTicks& entry : open_) {
        entry.ticks += tree_[NodeId(entry.path)].exclusive;
        if (entry.path != node.index()) continue;
        moved = std::clamp<Ticks>(booked, 0, std::max<Ticks>(0, entry.ticks));
        entry.ticks -= moved;
    }
    slices_.append(open_);
    open_.clear();
    ++stamp_;
    if (known_ != kNothing) known_ = stamp_;
    touch(node);
    open_.back().ticks += moved;
    return current();
}

PackedSlices ProfileRecorder::take() {
    if (stamp_ != 0) {
        settle();
        slices_.append(open_);
    }
    return std::move(slices_);
}

Ticks& IntervalTimes::at(NodeId node) {
    if (place_.size() <= node.index()) place_.resize(node.index() + 1);
    std::uint32_t& place = place_[node.index()];
    if (place == 0) {
        present_.push_back({static_cast<std::uint32_t>(node.index()), 0});
        place = static_cast<std::uint32_t>(present_.size());
    }
    return present_[place - 1].ticks;
}

void IntervalTimes::endSlice() {
    slices_.append(present_);
    for (const PathTicks& entry : present_) place_[entry.path] = 0;
    present_.clear();
    ++next_;
}

void IntervalTimes::pass(NodeId node, Ticks from, Ticks to) {
    while (next_ < moments_.size() && moments_[next_] < to) {
        if (from < moments_[next_]) {
            at(node) += moments_[next_] - from;
            from = moments_[next_];
        }
        endSlice();
    }
    if (from < to) at(node) += to - from;
}

void IntervalTimes::move(NodeId from, NodeId to, Ticks now, Ticks passed) {
    const Ticks moved = next_ == 0 ? passed : std::min(passed, now - moments_[next_ - 1]);
    at(from) -= moved;
    at(to) += moved;
}

PackedSlices IntervalTimes::take() {
    if (isOn())
        while (next_ <= moments_.size()) endSlice();
    return std::move(slices_);
}

using trace::kNoFrame;

std::size_t StackPaths::KeyHash::operator()(const Key& key) const {
    return trace::tripleHash(key.around.index(), key.frame.index(), key.known.index());
}

NodeId StackPaths::find(Recent& recent, const Key& key) {
    const auto [found, isNew] = found_.try_emplace(key);
    if (isNew) found->second = make(key);
    recent = {key, found->second};
    return recent.node;
}

NodeId StackPaths::make(const Key& key) {
    const FrameId known =
        key.known == kByName ? knownByName(key.around, key.frame) : common(key.known, key.frame);
    std::vector<FrameId> seen;
    for (FrameId frame = key.frame; frame != known; frame = definitions_.frames[frame].caller)
        seen.push_back(frame);
    NodeId node = key.around;
    for (auto frame = seen.rbegin(); frame != seen.rend(); ++frame)
        node = tree_.child(node, definitions_.frames[*frame].function, classes_,
                           definitions_.frames[*frame].site);
    return node;
}

NodeId StackPaths::ofSample(NodeId around, FrameId known, trace::ContextId sample) {
    const trace::CallingContext& taken = definitions_[sample];
    const NodeId node = of(around, known, taken.frame);
    const LocalTree::Node& found = tree_[node];
    const bool isWithinCall =
        node == around && known != kByName &&
        (found.site == taken.site || definitions_[found.region].paradigm == trace::Paradigm::Mpi);
    if (!taken.line || isWithinCall) return node;
    return tree_.child(node, *taken.line, classes_);
}

/// What stands in place of callers that are not known may be others each time.
FrameId StackPaths::common(FrameId known, FrameId frame) const {
    const FrameId found = definitions_.frames.common(known, frame);
    if (found == kNoFrame) return kNoFrame;
    const trace::Region& function = definitions_[definitions_.frames[found].function];
    return function.role == trace::Role::Artificial ? kNoFrame : found;
}

/// The innermost function that was entered and is on the call stack, too.
FrameId StackPaths::knownByName(NodeId around, FrameId frame) const {
    for (NodeId node = around; node != kOutside && node != kProgram; node = tree_[node].parent) {
        if (tree_[node].adopted) continue;
        for (FrameId seen = frame; seen != kNoFrame; seen = definitions_.frames[seen].caller)
            if (isSameFunction(tree_[node].region, definitions_.frames[seen].function)) return seen;
    }
    return kNoFrame;
}

/// Functions that compilers tell of, or with which threads begin, and those of call stacks may be defined
/// twice.
bool StackPaths::isSameFunction(RegionId entered, RegionId seen) const {
    const trace::Region& function = definitions_[entered];
    const bool mayBeTwice =
        function.paradigm == trace::Paradigm::Compiler || function.paradigm == trace::Paradigm::Pthread;
    return entered == seen || (mayBeTwice && function.name == definitions_[seen].name &&
                               function.file == definitions_[seen].file);
}

}  // namespace holos::analyzer::replay
