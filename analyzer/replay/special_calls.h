// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "analyzer/replay/call_stack.h"
#include "analyzer/replay/clock.h"
#include "analyzer/replay/replayed_location.h"
#include "analyzer/replay/team_recorder.h"

namespace holos::analyzer::replay {

class CallReplay;

/// Calls that mean more than their time: those that begin and end MPI, those that find nothing, barriers,
/// parallel regions and the like. Keeps the records of the first two, and tells others of the rest.
/// Thread safety: one thread for each location.
class SpecialCalls {
  public:
    SpecialCalls(CallReplay& calls, const trace::Definitions& definitions, Memory memory);

    /// `left`: what was called last before.
    void enter(std::uint64_t event, NodeId node, trace::Special special, NodeId left);
    void leave(const Frame& call, Ticks time);
    /// The call acquires a lock, of which the record will stand at this position.
    void acquired(std::uint32_t lock, const Frame& call);
    /// The call that was entered then joins a thread, of which the record will stand at this position among
    /// those of ends.
    void joined(std::uint32_t end, Ticks enter);
    /// An explicit task of this location ended.
    void taskEnded(std::uint64_t event);
    /// An explicit task begins or goes on, in the present call, which may have waited for that.
    void taskGoesOn();
    /// The location goes on with another task, or with one that it had begun: a detached task, say, ends
    /// elsewhere.
    void taskSwitched(std::uint64_t event);
    /// What was entered last stands for several calls, which began so long before its end.
    void spread(Ticks span) { polls_.spread(span); }
    /// In the call that ended last, which found nothing.
    void pollHadNoProcessor(Ticks passed) {
        if (polls_.isInVain()) polls_.hadNoProcessor(passed);
    }

    /// In those that ended in vain shortly before `begin`: what is longer than the time since then.
    void pollsHadNoProcessor(Ticks before, Ticks begin) { polls_.hadNoProcessorBefore(before, begin); }

    /// What remains of them.
    void finish(LocationTrace& trace);

  private:
    void enterStartup(Startup& startup, std::uint64_t event, NodeId node, ClockRole role);
    /// From now on it may stand still, where it is.
    void stopAt(std::uint64_t event);
    void leaveBarrier(const Frame& call, Ticks time, bool isImplicit);
    void leavePoll(const Frame& call, Ticks time);
    /// A poll, or a pause between polls.
    PollRecorder::Took took(const Frame& call, Ticks time) const;
    void noteFound(const Frame& call);
    /// A call of MPI may have called this one.
    void noteInner(const Frame& call, Ticks time);
    /// No task has run in the call since the last one, if there was one. `goesOn`: of a barrier, it has no
    /// record yet.
    void noteStall(const Frame& call, Ticks time, std::optional<bool> isImplicitBarrier, bool goesOn);

    CallReplay& calls_;
    bool hasTasks_;               ///< the trace has explicit tasks
    Ticks shortest_;              ///< between records of tasks
    Ticks lastSwitch_ = 0;        ///< between tasks of this location, or end of one
    Ticks lastTaskRecord_ = 0;    ///< last end of a task that has a record
    std::uint64_t lastStop_ = 0;  ///< event of that, or enter of a call that may run tasks
    NodeId stopNode_;
    Ticks quietAtStop_ = 0;
    PollRecorder polls_;
    Ticks pausedBefore_ = 0;  ///< by the recorder, until the last of them was entered
    Records<InnerTime> inner_;
    Ticks ownAtInnerEnd_ = 0;  ///< exclusive time of the call around the last of them, at its end
    Startup init_;
    Startup finalize_;
};

}  // namespace holos::analyzer::replay
