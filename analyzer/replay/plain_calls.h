// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analyzer/replay/call_stack.h"

namespace holos::analyzer::replay {

/// Enters and leaves about which nothing is special, many at once: what `CallStack` makes of each of them
/// alone, with two differences that matter to the processor. What is open stands in an array that is written
/// at the end of them all; and whether one is an enter or a leave decides no branch, as a program's walk up
/// and down its call tree cannot be foreseen. Both look a node up in the tree: an enter that of its region
/// below the present one, a leave its own again, below the one around it.
///
///     nodes_      around │ open before, copied │ opened here
/// Thread safety: one thread for each location.
class PlainCalls {
  public:
    struct Call {
        Ticks time;
        RegionId region;
        bool isEnter;
    };
    /// How many there may be at once.
    static constexpr std::size_t kMost = 256;

    /// The location must be where its innermost region is. No event may be later than `latest`.
    PlainCalls(CallStack& stack, Ticks latest) : stack_(stack), latest_(latest), now_(stack.now_) {}
    PlainCalls(PlainCalls&&) = delete;

    /// Takes calls until one is special, or the first of a new call path: how many it were. `at(i)` gives
    /// each of them.
    template <class At>
    std::size_t take(std::size_t size, At&& at) {
        size = std::min(size, kMost);
        copyOpen(size);
        std::size_t taken = 0;
        while (taken < size && pass(at(taken))) ++taken;
        if (taken != 0) write();
        return taken;
    }

  private:
    /// 0 or all bits: chooses between two numbers without a branch.
    using Mask = std::uint32_t;
    static std::uint32_t choose(Mask mask, std::uint32_t yes, std::uint32_t no) {
        return (yes & mask) | (no & ~mask);
    }

    static std::uint32_t numberOf(NodeId node) { return static_cast<std::uint32_t>(node.index()); }

    void copyOpen(std::size_t size) {
        const std::vector<Frame>& frames = stack_.frames_;
        const std::size_t most = std::min(size, frames.size() - std::min(stack_.base_, frames.size()));
        std::size_t copied = 0;
        while (copied < most && isPlain(frames[frames.size() - 1 - copied])) ++copied;
        const std::size_t around = frames.size() - copied;
        nodes_[0] = numberOf(around != 0 ? frames[around - 1].node : stack_.ground_);
        for (std::size_t i = 0; i < copied; ++i) nodes_[i + 1] = numberOf(frames[around + i].node);
        top_ = lowest_ = open_ = copied;
        left_ = numberOf(stack_.left_);
    }
    bool isPlain(const Frame& frame) const {
        return frame.call == kNone && frame.from == trace::kNoContext &&
               stack_.tree_[frame.node].special == trace::Special::None;
    }

    static constexpr unsigned bit(bool is) { return static_cast<unsigned>(is); }

    bool pass(const Call& call) {
        const Mask enters = Mask{0} - static_cast<Mask>(call.isEnter);
        const NodeId current(nodes_[top_]);
        const std::uint32_t below = nodes_[top_ - static_cast<std::size_t>(top_ != 0)];
        const NodeId node = stack_.tree_.known(NodeId(choose(enters, nodes_[top_], below)), call.region);
        // All are asked at once, as a branch for each would take longer.
        const unsigned mayLeave = bit(top_ != 0) & bit(node == current);
        const unsigned isPlain = bit(node != kOutside) & bit(call.region != trace::kUndefinedRegion) &
                                 bit(stack_.tree_[node].special == trace::Special::None) &
                                 (bit(call.isEnter) | mayLeave);
        if (isPlain == 0 || call.time < now_ || call.time > latest_) [[unlikely]]
            return false;
        if (!stack_.profile_.knows(current)) [[unlikely]] {
            stack_.now_ = now_;
            stack_.touch(call.time, current);
        }
        stack_.tree_[current].exclusive += call.time - now_;
        now_ = call.time;
        stack_.tree_[node].visits +=
            stack_.counted_ & (std::uint64_t{0} - static_cast<std::uint64_t>(call.isEnter));
        nodes_[top_ + 1] = numberOf(node);  // of a leave: behind what is open
        times_[top_ + 1] = now_;
        left_ = choose(enters, left_, nodes_[top_ + 1]);
        hasLeft_ |= ~enters;
        top_ = top_ + (enters & 2U) - 1;
        lowest_ = std::min(lowest_, top_);
        return true;
    }

    void write() {
        std::vector<Frame>& frames = stack_.frames_;
        frames.resize(frames.size() - (open_ - lowest_));
        for (std::size_t i = lowest_ + 1; i <= top_; ++i)
            frames.push_back({NodeId(nodes_[i]), kNone, times_[i]});
        stack_.current_ = stack_.top();
        stack_.now_ = now_;
        if (hasLeft_ == 0) return;
        stack_.left_ = NodeId(left_);
        stack_.leftFrom_ = trace::kNoContext;
    }

    CallStack& stack_;
    const Ticks latest_;
    Ticks now_;
    std::array<std::uint32_t, 2 * kMost + 2> nodes_;
    std::array<Ticks, 2 * kMost + 2> times_;  ///< at which those were entered that were opened here
    std::size_t open_ = 0;                    ///< how many were copied
    std::size_t top_ = 0;                     ///< the present one
    std::size_t lowest_ = 0;                  ///< at the lowest, so far
    std::uint32_t left_ = 0;                  ///< the node that was left last
    Mask hasLeft_ = 0;
};

}  // namespace holos::analyzer::replay
