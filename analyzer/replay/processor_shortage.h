// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/replay/call_stack.h"
#include "analyzer/replay/event_times.h"
#include "analyzer/replay/explicit_tasks.h"
#include "analyzer/replay/message_recorder.h"
#include "analyzer/replay/sampled_time.h"
#include "analyzer/replay/special_calls.h"
#include "analyzer/replay/team_recorder.h"
#include "analyzer/replay/team_stays.h"

namespace holos::analyzer::replay {

/// A thread that is not waited for any more, and that has a processor, goes on at once: within so long.
Ticks longestWakeOf(const trace::Definitions& definitions);

/// Where a thread lacked a processor, in a trace whose events tell for how long. Of computation that time
/// goes to a node of its own at once; what a call lacked is noted for those who find out how long it waited.
/// Thread safety: one thread for each location.
class ProcessorShortage {
  public:
    struct Parts {
        CallStack& stack;
        TeamRecorder& teams;
        const ExplicitTasks& tasks;
        const TeamStays& stays;
        const EventTimes& times;
        const SampledTime& sampled;
        SpecialCalls& special;
        MessageRecorder& messages;
    };

    /// `isAlone`: the location is the only thread of its process.
    ProcessorShortage(const Context& context, bool isAlone, const Parts& parts);

    /// Events tell of it.
    bool isTold() const { return context_.definitions.attributeOfShortage.has_value(); }
    /// The next event has something to do.
    bool isPending() const { return !off_.isNone() || several_; }

    /// The thread had none for so long, until the next event: since the last one that can tell of it.
    void add(const TimeOff& off) { off_ += off; }
    void set(const TimeOff& off) { off_ = off; }
    TimeOff take() { return std::exchange(off_, {}); }

    /// An event happens at `time`: computation until then was not that as long as there was no processor; of
    /// calls it is noted.
    void pass(Ticks time) {
        if (!off_.isNone()) passUntil(time);
        if (several_ && parts_.stack.depth() < several_->depth) several_.reset();
    }
    /// The innermost region stands for several calls, which took `span` with the time between them; that
    /// passed in `around`.
    void standsFor(NodeId around, Ticks span);
    /// A parallel region was entered; its fork may have been before.
    void enterParallel(std::uint64_t event, NodeId node) {
        if (beforeFork_ != 0) noteAtFork(event, node);
    }
    /// A team has begun at `time`; until then its thread had no processor for that long.
    void beginTeam(const TimeOff& off, Ticks time) { beforeFork_ = sinceFork(off, time); }
    /// A call that has records, or means more than its time, was left.
    void leave(const Frame& left) {
        if (!inCalls_.empty()) [[unlikely]]
            noteOf(left);
    }

  private:
    /// Of a call that goes on.
    struct InCall {
        NodeId node = kOutside;
        Ticks enter = 0;
        TimeOff off;
        std::uint32_t slice = 0;
        Ticks quiet = 0;  ///< `quiet` of the node at its enter; or later, where it called something before
    };
    /// The calls that one event stands for, until the event behind it: only that can tell what the thread
    /// lacked between them.
    struct SeveralCalls {
        NodeId around;          ///< where the time between them passed
        std::size_t depth = 0;  ///< within the call
        Ticks enter = 0;
        Ticks span = 0;
        std::uint32_t slice = 0;
    };

    const LocalTree& tree() const { return parts_.stack.tree(); }
    Ticks now() const { return parts_.stack.now(); }
    std::uint32_t currentSlice() const { return parts_.stack.profile().current(); }
    /// How long the location was at a node so far without calling anything.
    Ticks quiet(NodeId node) const { return tree()[node].exclusive + parts_.times.paused(); }

    void passUntil(Ticks time);
    /// `before`: so long before `begin` there was none.
    void passBefore(Ticks before, Ticks begin);
    /// Where the last event is the end of several calls, moves what was lacked between them, and returns it.
    Ticks passBetweenCalls(Ticks before);
    /// `off` is that of a worker before its team began: it is woken by the fork, if it sleeps.
    Ticks sinceFork(const TimeOff& off, Ticks time) const;
    void noteInCall(NodeId node, Ticks end, const TimeOff& off);
    void noteAtFork(std::uint64_t event, NodeId node);
    void noteOf(const Frame& left);

    const Context& context_;
    bool isAlone_;
    Ticks longestWake_;
    Parts parts_;
    TimeOff off_;                  ///< since the last event that can tell of it
    Ticks beforeFork_ = 0;         ///< since the fork of a region that is not entered yet
    std::vector<InCall> inCalls_;  ///< the outermost first
    std::optional<SeveralCalls> several_;
};

}  // namespace holos::analyzer::replay
