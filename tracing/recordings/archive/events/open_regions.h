// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "tracing/recordings/archive/events/location_writer.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/process/event_file.h"
#include "tracing/recordings/archive/process/thread_state.h"

namespace holos::archive {

/// For how long a location's thread was off its processors, as attributes of the next enter or leave, or the
/// next event of a team, a task or a lock:
///
///     recorded    ┤E├──────┤shortage├┤message├──┤L├        of the call around the message
///     trace       ┤E├────────────────┤message├──┤L├ WithoutProcessor
///
/// One that comes before the first or the last event of a thread is left out.
class ShortageAttributes {
  public:
    explicit ShortageAttributes(const TracePlan& plan) : plan_(plan) {}

    void add(const Record& record);
    /// The location does something else now.
    void forget() { without_ = asleepOrWithout_ = 0; }

    /// What the next such event has, with these; valid until the next call.
    OTF2_AttributeList* with(OTF2_AttributeList* attributes);
    /// Nanoseconds in which it could run, as all events together tell.
    std::uint64_t written() const { return written_; }

  private:
    const TracePlan& plan_;
    std::uint64_t without_ = 0;          ///< nanoseconds in which it could run
    std::uint64_t asleepOrWithout_ = 0;  ///< nanoseconds of which that is not known
    std::uint64_t written_ = 0;
    Attributes own_;
};

/// Writes the events of a location's regions, teams and explicit tasks, so that everything ends, and in the
/// reverse order of its start, whatever was recorded.
class OpenRegions {
  public:
    OpenRegions(LocationWriter& out, const TracePlan& plan) : out_(out), plan_(plan), shortage_(plan) {}

    void enter(std::uint32_t region, OTF2_AttributeList* attributes);
    /// Closes what is open above the region, too; without an enter of the region the leave is dropped.
    void leave(std::uint32_t region);
    /// The next leave names this file, which all who have it open changed together in the call.
    void nameFile(OTF2_IoHandleRef file) { together_ = file; }
    /// The call that is left next ended by its timeout, which was so many nanoseconds ago.
    void nameTimeout(std::uint64_t nanoseconds) { timeout_ = nanoseconds; }
    /// The next leave is not written.
    void forgetCall() {
        together_.reset();
        timeout_.reset();
    }

    /// What the next event of regions, teams, tasks and locks has to tell of the time before it.
    ShortageAttributes& shortage() { return shortage_; }
    const ShortageAttributes& shortage() const { return shortage_; }

    void fork(OTF2_Paradigm paradigm, std::uint32_t threads);
    void join(OTF2_Paradigm paradigm);
    void beginTeam(std::uint32_t team);
    void endTeam(std::uint32_t team);

    void switchTo(const TaskNumber& task);
    void complete(const TaskNumber& task);

    /// Nothing is open any more.
    void leaveAll();

    /// Regions of users that something else ended than their own leave, and how often.
    const std::map<std::uint32_t, std::uint64_t>& unended() const { return unended_; }

    bool isInTeam() const { return !state_.teams().empty(); }
    /// The outermost first: those of the thread's own share around those of a task that it works on.
    std::vector<std::uint32_t> regions() const { return state_.all(); }

  private:
    using State = ThreadState<std::uint32_t>;
    /// Writes what ends though nothing of that was recorded.
    struct Unrecorded {
        void endRegion(std::uint32_t region);
        void endTeam(const State::Team& team);
        void endTask(const TaskNumber& task);
        OpenRegions& all;
    };

    void noteUnended(std::uint32_t region);
    void writeLeave(std::uint32_t region);
    void writeComplete(const TaskNumber& task);

    LocationWriter& out_;
    const TracePlan& plan_;
    State state_;
    std::optional<OTF2_IoHandleRef> together_;
    std::optional<std::uint64_t> timeout_;
    ShortageAttributes shortage_;
    std::map<std::uint32_t, std::uint64_t> unended_;
};

}  // namespace holos::archive
