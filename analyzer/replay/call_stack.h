// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "analyzer/replay/context.h"
#include "analyzer/replay/interval_times.h"
#include "analyzer/replay/local_tree.h"
#include "analyzer/replay/profile_recorder.h"
#include "analyzer/replay/stack_paths.h"

namespace holos::analyzer::replay {

/// A region that was entered and not left yet.
struct Frame {
    NodeId node;
    std::uint32_t call;  ///< its record, or `kNone` while it contains no synchronization event
    Ticks enter;
    FrameId known = kByName;                    ///< the functions that stand above it in the call tree
    trace::ContextId from = trace::kNoContext;  ///< the calls that led there
};

/// Where a location is: the regions that are open, the call path of now, and the time of every call path
/// until now. Thread safety: one thread for each location.
class CallStack {
  public:
    CallStack(const Context& context, trace::LocationId self)
        : context_(context),
          profile_(tree_, context.withProfiles, context.memory),
          intervals_(context.readingTimes.of(self), context.memory) {
        if (intervals_.isOn()) profile_.knowNothing();
    }
    CallStack(const CallStack&) = delete;
    CallStack& operator=(const CallStack&) = delete;

    /// The location's time of now: of the last event.
    Ticks now() const { return now_; }
    void startAt(Ticks time) { now_ = time; }
    /// Time passes on the current call path.
    void passTo(Ticks time) { passTo(time, current_); }
    void passTo(Ticks time, NodeId node) {
        if (!profile_.knows(node)) [[unlikely]]
            touch(time, node);
        tree_[node].exclusive += time - now_;
        now_ = time;
    }
    /// A part of the time of one call path, which passed just now, was that of another one.
    void moveTime(Ticks passed, NodeId from, NodeId to) {
        profile_.touch(to);
        tree_[to].exclusive += passed;
        tree_[from].exclusive -= passed;
        if (intervals_.isOn()) intervals_.move(from, to, now_, passed);
    }

    /// Between events that of the innermost region.
    NodeId current() const { return current_; }
    void goTo(NodeId node) { current_ = node; }
    void goToTop() { current_ = top(); }
    NodeId top() const { return frames_.empty() ? ground_ : frames_.back().node; }

    /// Outermost first.
    const std::vector<Frame>& frames() const { return frames_; }
    std::size_t depth() const { return frames_.size(); }
    /// The innermost region; null outside of all.
    Frame* innermost() { return frames_.empty() ? nullptr : &frames_.back(); }
    const Frame* innermost() const { return frames_.empty() ? nullptr : &frames_.back(); }
    /// Whether a leave of the region closes the innermost one, and no other.
    bool isInnermost(RegionId region) const {
        return frames_.size() > base_ && tree_[frames_.back().node].region == region;
    }
    /// Nothing is recorded now: how regions are left is not seen, either.
    bool isOff() const { return !frames_.empty() && tree_[frames_.back().node].region == trace::kOffRegion; }

    /// Enters a region at `node` now. What is special about it is left to the caller.
    trace::Special open(NodeId node, FrameId known, trace::ContextId from) {
        LocalTree::Node& entered = tree_[node];
        entered.visits += counted_;
        current_ = node;
        frames_.push_back({node, kNone, now_, known, from});
        return entered.special;
    }
    /// Stands at `node` from now on, which is no call of its own.
    void push(NodeId node) {
        frames_.push_back({node, kNone, now_});
        current_ = node;
    }
    /// Leaves the innermost region.
    Frame pop() {
        const Frame frame = frames_.back();
        frames_.pop_back();
        current_ = top();
        left_ = frame.node;
        leftFrom_ = frame.from;
        return frame;
    }
    /// Leaves what `push` made, which nobody knows of.
    void dropTo(std::size_t depth) {
        while (frames_.size() > depth) frames_.pop_back();
        current_ = top();
    }

    /// Frames below belong to the surrounding team, and no leave may close them.
    std::size_t base() const { return base_; }
    void setBase(std::size_t base) { base_ = base; }
    /// Where the location is when no region is open.
    void setGround(NodeId node) { ground_ = node; }
    /// Goes on with other frames; the present ones are returned.
    std::vector<Frame> exchange(std::vector<Frame> frames, std::size_t base, NodeId ground) {
        base_ = base;
        ground_ = ground;
        return std::exchange(frames_, std::move(frames));
    }

    /// What was left last; its caller is the deepest function that is known then.
    NodeId left() const { return left_; }
    /// The calls that led there.
    trace::ContextId leftFrom() const { return leftFrom_; }
    void forgetLeft() {
        left_ = kOutside;
        leftFrom_ = trace::kNoContext;
    }

    /// 0: what happens now does not count, only its time.
    std::uint64_t counted() const { return counted_; }
    void setCounted(bool counts) { counted_ = counts ? 1 : 0; }
    void visit(NodeId node, std::uint64_t times = 1) { tree_[node].visits += counted_ * times; }

    LocalTree& tree() { return tree_; }
    const LocalTree& tree() const { return tree_; }
    NodeId child(NodeId parent, RegionId region, trace::SiteId site = trace::kNoSite) {
        return tree_.child(parent, region, context_.classes, site);
    }
    const trace::RegionClass& classOf(NodeId node) const {
        return context_.classes[tree_[node].region.index()];
    }
    ProfileRecorder& profile() { return profile_; }
    const ProfileRecorder& profile() const { return profile_; }
    IntervalTimes& intervals() { return intervals_; }

  private:
    /// A function of its own, so that most events cost a comparison only.
    [[gnu::noinline]] void touch(Ticks time, NodeId node) {
        profile_.touch(node);
        if (intervals_.isOn()) intervals_.pass(node, now_, time);
    }

    const Context& context_;
    LocalTree tree_;
    ProfileRecorder profile_;
    std::vector<Frame> frames_;
    NodeId current_ = kOutside;
    NodeId ground_ = kOutside;
    NodeId left_ = kOutside;
    trace::ContextId leftFrom_ = trace::kNoContext;
    Ticks now_ = 0;
    std::size_t base_ = 0;
    std::uint64_t counted_ = 1;
    IntervalTimes intervals_;
};

}  // namespace holos::analyzer::replay
