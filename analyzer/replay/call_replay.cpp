// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/call_replay.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace holos::analyzer::replay {

using trace::Special;

CallReplay::CallReplay(const Context& context, trace::LocationId self, Clock* clock)
    : context_(context),
      self_(self),
      isAlone_(context.definitions[context.definitions[self].process].threads.size() == 1),
      clock_(clock),
      log_(context.definitions, context.definitions[self].reference),
      profile_(tree_, context.withProfiles, context.memory),
      prepares_(clock != nullptr),
      knowsPaths_(context.definitions.attributeOfCallPaths.has_value()),
      sharing_(context.definitions),
      messages_(self, log_, context.memory),
      special_(*this, context.memory),
      teams_(context.memory),
      counters_(context.definitions),
      paths_(context.definitions, context.classes, tree_),
      sharedFrames_(context.definitions) {}

Ticks CallReplay::adjust(std::uint64_t event, Ticks time) {
    if (time >= kLatest || time <= -kLatest) {
        log_.add(Trouble::ClockBackwards,
                 "an event lies centuries away; it was moved to its predecessor's time", event);
        time = last_;
    }
    if (!started_) {
        started_ = true;
        flushBegin_ = kLatest;
        first_ = last_ = time;
        return time;
    }
    if (time > flushBegin_) runPendingFlush();
    if (time >= last_) return time;
    log_.add(Trouble::ClockBackwards,
             "an event lies before its predecessor; it was moved to the predecessor's time", event, time);
    return last_;
}

void CallReplay::runPendingFlush() {
    const Ticks begin = std::max(flushBegin_, last_);
    const Ticks end = std::max(flushEnd_, begin);
    flushBegin_ = kLatest;
    profile_.touch(current_);
    tree_[current_].exclusive += begin - last_;
    const NodeId node = tree_.child(current_, trace::kFlushRegion, context_.classes);
    tree_[node].visits += counted_;
    profile_.touch(node);
    tree_[node].exclusive += end - begin;
    if (isBesideRegionOfFork()) teams_.flushed(end - begin);
    last_ = end;
}

void CallReplay::bufferFlush(std::uint64_t event, Ticks time, Ticks stop) {
    if (!started_) advance(event, time);
    if (flushBegin_ != kLatest) runPendingFlush();
    if (clock_ != nullptr) {
        time = clock_->later(time);
        stop = clock_->later(stop);
    }
    // The flush was written before the event that caused it, which is older, or as old by a coarse clock.
    flushBegin_ = std::clamp(time, last_, kLatest - 1);
    flushEnd_ = std::clamp(stop, flushBegin_, kLatest - 1);
}

void CallReplay::measurement(std::uint64_t event, Ticks time, bool on) {
    if (on) {
        leave(event, time, trace::kOffRegion);
        isInPeriod_ = true;
        return periods_.push_back({last_, last_});
    }
    enter(event, time, trace::kOffRegion);
    if (std::exchange(isInPeriod_, false)) periods_.back().end = last_;
    profile_.leaveOut(current_);  // it is no cause of anything
}

bool CallReplay::isOff() const {
    return !stack_.empty() && tree_[stack_.back().node].region == trace::kOffRegion;
}

void CallReplay::programBegin(std::uint64_t event, Ticks time, const std::string& name) {
    advance(event, time);
    program_ = std::filesystem::path(name).filename().string();
    if (program_.empty()) program_ = "program";
    if (!stack_.empty()) return;
    tree_[kProgram].visits += counted_;
    stack_.push_back({kProgram, kNone, last_});
    base_ = 1;
    current_ = kProgram;
}

void CallReplay::programEnd(std::uint64_t event, Ticks time) {
    advance(event, time);
    suspendTask();
    if (stack_.size() > 1 && !isOff())
        log_.add(Trouble::UnbalancedCalls, "the program ended inside of regions; they were left at its end",
                 event, time);
    closeDownTo(0, last_);
    base_ = 0;
}

bool CallReplay::unwindTo(std::uint64_t event, Ticks time, RegionId region) {
    std::size_t depth = stack_.size();
    while (depth > base_ && tree_[stack_[depth - 1].node].region != region) --depth;
    const std::string& name = context_.definitions[region].name;
    if (depth <= base_) {
        log_.add(Trouble::UnbalancedCalls, "a leave of \"" + name + "\" without its enter was left out",
                 event, time);
        return false;
    }
    log_.add(Trouble::UnbalancedCalls,
             "the leave of \"" + name +
                 "\" comes before those of regions inside of it; "
                 "they were left with it",
             event, time);
    closeDownTo(depth, time);
    return true;
}

bool CallReplay::mayPassOver(const trace::QuietCalls& calls) const {
    const bool counts = clock_ == nullptr || counting_ == Counting::Now || clock_->counting() != counting_;
    const bool isPlain = started_ && run_.task == nullptr && held_.empty() && !knowsPaths_ &&
                         !sharing_.isOn() && current_ == top();
    if (counts || !isPlain || stack_.size() - std::min(base_, stack_.size()) < calls.left.size())
        return false;
    return std::equal(
        calls.left.begin(), calls.left.end(), stack_.rbegin(),
        [&](RegionId region, const Frame& frame) { return tree_[frame.node].region == region; });
}

bool CallReplay::passOver(const trace::QuietCalls& calls) {
    if (!mayPassOver(calls)) return false;
    for (const trace::QuietCalls::Path& path : calls.met) {
        NodeId node = path.left < stack_.size() ? stack_[stack_.size() - 1 - path.left].node : kOutside;
        for (const RegionId region : path.regions) node = tree_.child(node, region, context_.classes);
    }
    const Ticks time = advance(calls.end, calls.latest);
    for (std::size_t i = 0; i < calls.left.size(); ++i) pop(time);
    for (const RegionId region : calls.entered)
        open(tree_.child(current_, region, context_.classes), calls.end, time, kByName);
    left_ = kOutside;  // something else than what was left before them
    leftFrom_ = trace::kNoContext;
    return true;
}

void CallReplay::closeDownTo(std::size_t depth, Ticks time) {
    while (stack_.size() > depth) pop(time);
    current_ = top();
}

void CallReplay::pop(Ticks time) {
    const Frame frame = stack_.back();
    stack_.pop_back();
    current_ = top();
    left_ = frame.node;
    leftFrom_ = frame.from;
    if (frame.call != kNone || tree_[frame.node].special != Special::None) [[unlikely]]
        special_.leave(frame, time);
}

void CallReplay::enterSpecial(std::uint64_t event, NodeId node, Special special) {
    if (special == Special::TaskCreate) noteTaskPlace(node);
    special_.enter(event, node, special, left_ == node);
}

std::uint32_t CallReplay::currentCall(std::uint64_t event) {
    if (stack_.empty())
        return messages_.openCall(kOutside, trace::CallKind::NotMpi, last_, profile_.begin(kOutside, 0),
                                  event);
    Frame& frame = stack_.back();
    if (frame.call == kNone)
        frame.call = messages_.openCall(frame.node, classOf(frame.node).call, frame.enter,
                                        profile_.begin(frame.node, last_ - frame.enter), event);
    return frame.call;
}

void CallReplay::finish(std::uint64_t events, ReplayedLocation& result) {
    if (!held_.empty()) release(current_, current_, trace::kNoSite);
    if (sampledUntil_ > last_) {  // it went on, even if no event tells of it
        if (sharing_.isOn()) shareInterval(sampledUntil_);
        profile_.touch(current_);
        tree_[current_].exclusive += sampledUntil_ - last_;
        last_ = sampledUntil_;
    }
    if (started_ && flushBegin_ != kLatest) runPendingFlush();
    suspendTask();
    while (!outerRuns_.empty()) {
        closeDownTo(0, last_);
        resumeOuterTask();
        suspendTask();
    }
    if (stack_.size() > base_ && !isOff())
        log_.add(Trouble::UnbalancedCalls, "the last " + std::to_string(stack_.size() - base_) +
                                               " regions were never left; they end with the last event");
    closeDownTo(0, last_);
    if (const auto parent = teams_.cutFork()) context_.board.announceCut({self_, *parent});
    context_.board.finish(self_);
    LocationCalls& calls = result.calls;
    LocationTrace& trace = result.trace;
    trace.counted = countedEvents_;
    trace.profile = profile_.take();
    calls.shared = shareTimes();
    calls.tree = std::move(tree_);
    calls.taskPlaces = std::move(taskPlaces_);
    calls.program = std::move(program_);
    calls.counters = counters_.take();
    if (isInPeriod_) periods_.back().end = last_;
    calls.periods = std::move(periods_);
    calls.diagnoses = log_.all();
    calls.events = events;
    trace.messages = messages_.take();
    special_.finish(trace);
    trace.threads = teams_.take();
    trace.begin = first_;
    trace.end = last_;
}

}  // namespace holos::analyzer::replay
