// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/replay/context.h"
#include "analyzer/replay/local_tree.h"
#include "analyzer/replay/packed_slices.h"

namespace holos::analyzer::replay {

/// Cuts a location's time per call path into slices. A slice begins with the call that synchronizes and ends
/// before the next such call; slice 0 is what comes before the first one. What is kept grows with the call
/// paths that were active between two such calls. Switched off, it costs a comparison per event and keeps
/// nothing.
class ProfileRecorder {
  public:
    ProfileRecorder(LocalTree& tree, bool wanted, Memory memory)
        : tree_(tree), slices_(memory), stamp_(wanted ? 1 : 0), known_(stamp_) {}

    /// `knows` is never true, so that nothing passes unseen.
    void knowNothing() { known_ = kNothing; }
    /// `touch` need not be called.
    bool knows(NodeId node) const { return tree_[node].slice == known_; }
    /// Before time is booked on a node.
    void touch(NodeId node) {
        LocalTree::Node& touched = tree_[node];
        if (touched.slice == stamp_) return;
        touched.slice = stamp_;
        open_.push_back({static_cast<std::uint32_t>(node.index()), -touched.exclusive});
    }
    /// The time that is booked on a node until the next slice is not kept.
    void leaveOut(NodeId node) { tree_[node].slice = stamp_; }
    /// A slice begins with a call at `node`, of which `booked` is already in the slice before. Returns its
    /// number.
    std::uint32_t begin(NodeId node, Ticks booked);
    std::uint32_t current() const { return stamp_ == 0 ? 0 : stamp_ - 1; }

    /// By number of the node; empty when switched off.
    PackedSlices take();

  private:
    static constexpr std::uint32_t kNothing = ~std::uint32_t{0};
    void settle();

    LocalTree& tree_;
    PackedSlices slices_;
    std::vector<PathTicks>
        open_;             ///< the present slice; until it is settled, times are those up to its start
    std::uint32_t stamp_;  ///< number of the slice, plus one; 0 when switched off
    std::uint32_t known_;  ///< the same, or `kNothing`
};

/// Cuts a location's time per call path at given moments: when somebody else reads counters that this
/// location has a part in. Slice `i` is what comes after moment `i - 1`, until moment `i`. Without moments it
/// keeps nothing.
/// Thread safety: one thread for each location.
class IntervalTimes {
  public:
    /// In ascending order.
    IntervalTimes(std::span<const Ticks> moments, Memory memory) : moments_(moments), slices_(memory) {}

    bool isOn() const { return !moments_.empty(); }
    /// Time passes at a call path.
    void pass(NodeId node, Ticks from, Ticks to);
    /// Of the time that passed until `now`, so much was that of another call path. What lies in earlier
    /// slices stays there.
    void move(NodeId from, NodeId to, Ticks now, Ticks passed);

    /// One more than there are moments, by number of the node; none without moments.
    PackedSlices take();

  private:
    Ticks& at(NodeId node);
    void endSlice();

    std::span<const Ticks> moments_;
    std::size_t next_ = 0;  ///< the moment that ends the present slice
    PackedSlices slices_;
    std::vector<PathTicks> present_;    ///< of the present slice
    std::vector<std::uint32_t> place_;  ///< by node: in `present_`, from 1 on; 0 where it is not
};

using trace::FrameId;

/// What is known of the functions around a region that was entered: they stand above it in the call tree. One
/// of the frames of the trace, or this: those that have the names of regions above it.
inline constexpr FrameId kByName{~std::uint32_t{0}};

/// Call paths of functions that were not entered, but seen on the call stack when a region was entered or a
/// sample was taken. They stand below the innermost region that was open; what stands above it already is not
/// repeated.
///
///     program / main / solve / MPI_Send       entered where main > solve called it
///     program / main / solve / solver.c:17    a sample between two such events
class StackPaths {
  public:
    StackPaths(const trace::Definitions& definitions, const std::vector<trace::RegionClass>& classes,
               LocalTree& tree)
        : definitions_(definitions), classes_(classes), tree_(tree) {}

    /// The call path of `frame` where the innermost open region is `around`, and around that is `known`.
    NodeId of(NodeId around, FrameId known, FrameId frame) {
        Recent& recent = recent_[(frame.index() + around.index() * kStride) % recent_.size()];
        if (recent.key == Key{around, known, frame}) [[likely]]
            return recent.node;
        return find(recent, {around, known, frame});
    }
    /// The call path of a sample. Its source line is a call path of its own, unless it is where `around` was
    /// entered from: there `around` says more.
    NodeId ofSample(NodeId around, FrameId known, trace::ContextId sample);

  private:
    struct Key {
        NodeId around;
        FrameId known;
        FrameId frame;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };
    struct Recent {
        Key key;
        NodeId node;  ///< right for the key that it begins with: nothing was seen outside
    };
    static constexpr std::size_t kStride = 7;  ///< any number that spreads neighbours

    NodeId find(Recent& recent, const Key& key);
    NodeId make(const Key& key);
    FrameId common(FrameId known, FrameId frame) const;
    FrameId knownByName(NodeId around, FrameId frame) const;
    bool isSameFunction(RegionId entered, RegionId seen) const;

    const trace::Definitions& definitions_;
    const std::vector<trace::RegionClass>& classes_;
    LocalTree& tree_;
    std::array<Recent, 64> recent_{};
    std::unordered_map<Key, NodeId, KeyHash> found_;
};

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
    friend class PlainCalls;

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
