// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tracing/recordings/archive/process/profile_cells.h"
#include "tracing/recordings/archive/process/recorded_process.h"
#include "tracing/recordings/archive/process/thread_state.h"
#include "tracing/recordings/watch/followed_events.h"
#include "tracing/recordings/watch/picture.h"

namespace holos::watch {

class RegionActivities;

/// What a thread that adds up has done so far, and where it is.
struct AddedUp {
    std::array<std::uint64_t, kActivities> times{};  ///< ticks
    std::vector<OpenRegion> open;
    /// What was left last since the innermost of them was entered, with the time of the last event.
    std::optional<OpenRegion> left;
    std::uint64_t since = 0;  ///< ticks from which on it was added up; 0: from its start on
    std::uint64_t last = 0;   ///< ticks of its last event
    bool isOff = false;       ///< nothing is recorded at present
    Amounts amounts;
    std::int64_t collectives = 0;         ///< blocking operations that it has completed, of all communicators
    std::vector<std::uint64_t> counters;  ///< their newest values; empty where none were read
};

/// From its cells, which may change while they are read: numbers are as of about the same moment. Nothing
/// where there is no event yet. `isPlace`: a place in a team of OpenMP, as `ThreadActivity` has it.
std::optional<AddedUp> addedUp(const archive::ProfileCells& cells, const archive::RecordedProcess& process,
                               const RegionActivities& regions, bool isPlace);

/// What records say that stand for several calls, one directly after the other: polls, locks that are set and
/// unset, critical sections.
struct RepeatedCalls {
    std::uint64_t ended = 0;                         ///< ticks of the last end
    std::array<std::uint64_t, kActivities> times{};  ///< ticks in the calls
    std::uint64_t between = 0;                       ///< ticks since the start that were in none of them
    std::uint64_t number = 0;                        ///< of calls that are over
    std::optional<OpenRegion> left;                  ///< the region that was left last, with the time of that
    std::vector<OpenRegion> open;                    ///< another one that is not over yet
};

/// The calls that a record of polls, or sections, stands for. `since`: what was before is told already.
RepeatedCalls repeatedCalls(const archive::Record& record, std::uint64_t since,
                            const RegionActivities& regions);
/// The calls that one or two such records stand for.
RepeatedCalls repeatedCalls(const Unfinished& records, std::uint64_t since, const RegionActivities& regions);

/// Messages of one sender, receiver and tag, as one of both names them.
struct MessageKey {
    std::uint32_t comm = 0;  ///< of the process
    std::uint32_t peer = 0;  ///< rank in it
    std::uint32_t tag = 0;
    auto operator<=>(const MessageKey&) const = default;
};

/// How many messages a thread has sent and received.
struct Messages {
    /// Of more different ones nothing is said.
    static constexpr std::size_t kMostKeys = std::size_t{1} << 16;

    std::map<MessageKey, std::int64_t> sent;
    std::map<MessageKey, std::int64_t> received;
    std::int64_t posted = 0;     ///< receives that were begun and not waited for
    std::int64_t completed = 0;  ///< of those
    bool isComplete = true;
};

/// Operations of communicators that a thread has begun and other calls complete (`MPI_Ibarrier`).
struct BegunOperations {
    struct UnderWay {
        std::uint32_t comm;
        std::int64_t number;  ///< of those that were begun in the communicator, from 1
    };
    std::map<std::uint32_t, std::int64_t> begun;  ///< how many, by communicator of the process
    /// Operations that it has not completed, by the tag of their requests. Other threads may have.
    std::unordered_map<std::uint32_t, UnderWay> underWay;
};

/// The last thing that a thread did with a lock.
struct LockUse {
    bool isHeld = false;
    bool ended = false;  ///< the waiting of others; or came to a barrier
    std::uint64_t ticks = 0;
};

/// Memory of MPI that others can lock.
struct WindowTarget {
    std::uint32_t window = 0;  ///< of the process
    std::uint32_t target = 0;  ///< rank in its communicator, or `kAllProcesses`
    auto operator<=>(const WindowTarget&) const = default;
};
/// The last thing that a thread did with the lock of such memory.
struct WindowLock {
    bool isAsked = false;  ///< and not given back
    bool isExclusive = false;
    bool isUsed = false;     ///< operations need it
    bool isGranted = false;  ///< one of them is complete
    std::uint64_t ticks = 0;
};

/// The group with which a call of MPI, such as MPI_Win_post, began or ended to use a window.
struct WindowEpoch {
    std::uint32_t window = 0;  ///< of the process, like the others
    std::uint32_t group = 0;
    std::uint32_t region = 0;  ///< of the call
    auto operator<=>(const WindowEpoch&) const = default;
};

/// What a region's own time is.
Activity activityOf(const archive::RecordedRegion& region);

/// What the own time of each region is, by its reference.
class RegionActivities {
  public:
    /// Of all regions that a process has defined so far.
    void update(const archive::RecordedProcess& process);
    bool knows(std::uint32_t region) const { return region < known_.size() && known_[region] != kUnknown; }
    Activity of(std::uint32_t region) const {
        return knows(region) ? static_cast<Activity>(known_[region]) : Activity::Computation;
    }

  private:
    static constexpr std::uint8_t kUnknown = 0xFF;
    std::vector<std::uint8_t> known_;
    std::size_t regions_ = 0;
};

/// Follows what one thread does, record by record.
class ThreadActivity {
  public:
    using Ticks = std::array<std::uint64_t, kActivities>;

    /// `isPlace`: a place in a team of OpenMP, where nothing is done but in parallel regions.
    ThreadActivity(const RegionActivities& regions, bool isPlace) : regions_(regions), isPlace_(isPlace) {}

    /// It does something before its first record.
    void begin(std::uint64_t ticks) { last_ = ticks; }
    void take(const archive::Record& record);
    /// What goes on: polls, locks or sections as they are now.
    void takeUnfinished(const Unfinished& records);
    /// It adds up what it does: what it did until now, instead of all records; but for those before the time
    /// from which on it does so.
    void show(const AddedUp& sums);
    /// Records are missing between the last one and the next: it is not known what the thread is in.
    void forget();

    /// Times by activity until then; what the thread did last it still does.
    Ticks timesAt(std::uint64_t now) const;
    /// What it does since the last record.
    Activity now() const;
    const std::vector<OpenRegion>& open() const { return state_.open(); }
    /// The region that it polls in, with the time of the first poll in a row.
    const std::optional<OpenRegion>& polling() const { return polling_; }
    /// The section that it is in, and its block, where that belongs to a record that changes.
    const std::vector<OpenRegion>& openInSections() const {
        static const std::vector<OpenRegion> kNone;
        return goingOn_ ? goingOn_->open : kNone;
    }
    /// The region that it left last, with the time of that.
    const std::optional<OpenRegion>& left() const { return goingOn_ ? goingOn_->left : left_; }
    bool mayHaveMore() const { return mayHaveMore_; }
    bool hasEnded() const { return hasEnded_; }
    /// Nothing before the first record.
    std::optional<std::uint64_t> last() const { return last_; }
    Amounts amounts() const;
    /// Ticks of the newest thing that is known, also of what goes on.
    std::uint64_t newest() const;
    /// The newest values of counters, in their order; empty before there are some.
    const std::vector<std::uint64_t>& counters() const { return counters_; }
    /// `show` was called: it is not known with whom it communicated, nor what locks it has.
    bool isAddedUp() const { return before_.has_value(); }
    /// Blocking collective operations that it has completed, of all communicators; where it adds up.
    std::int64_t collectivesOfAll() const { return collectivesOfAll_; }
    /// How many blocking collective operations it has completed, by communicator of the process.
    const std::map<std::uint32_t, std::int64_t>& collectives() const { return collectives_; }
    const BegunOperations& begun() const { return begun_; }
    const Messages& messages() const { return messages_; }
    /// As far as acquisitions and releases were recorded, by number of the lock.
    const std::unordered_map<std::uint32_t, LockUse>& locks() const { return locks_; }
    const std::map<WindowTarget, WindowLock>& windowLocks() const { return windowLocks_; }
    /// How often it began or ended each; those calls count that wait for others now, too.
    const std::map<WindowEpoch, std::int64_t>& windowEpochs() const { return windowEpochs_; }
    /// How many operations of all members of a window it has completed, by window of the process.
    const std::map<std::uint32_t, std::int64_t>& windowCollectives() const { return windowCollectives_; }
    /// How many calls of all who have a file open it has completed, by handle of the process.
    const std::map<std::uint32_t, std::int64_t>& fileCollectives() const { return fileCollectives_; }
    /// The last message that it began to send by a call that may wait for its receiver, and when.
    const MessageKey& lastSent() const { return lastSent_; }
    std::uint64_t lastSentAt() const { return lastSentAt_; }
    /// Of which team it is a part, the innermost; 0: of none.
    std::uint32_t team() const { return state_.team() != nullptr ? state_.team()->number : 0; }

  private:
    void passUntil(std::uint64_t ticks);
    void leave(std::uint32_t region, std::uint64_t ticks);
    void takeMessage(const archive::Record& record, bool isSent);
    void countCollective(std::int64_t& count);
    void takeFile(const archive::Record& record);
    void takeWindow(const archive::Record& record);
    void takeWindowOperation(const WindowTarget& target, std::uint64_t number);
    void takeWindowCompletion(std::uint64_t number);
    void takeBegun(const archive::Record& record);
    void takeFailure();
    void takeRepeated(const archive::Record& record);
    OpenRegion regionOf(const archive::Record& record) const;
    void takeTask(const archive::Record& record);
    void takeTeam(const archive::Record& record);
    void takeLock(const archive::Record& record);
    /// What it does besides polling and what goes on.
    Activity usually() const;
    bool isRecorded() const { return !isOff_ && !hasEnded_; }

    const RegionActivities& regions_;
    bool isPlace_;
    archive::ThreadState<OpenRegion> state_;
    std::optional<OpenRegion> left_;
    std::optional<OpenRegion> polling_;
    std::uint64_t polled_ = 0;              ///< ticks until which it has polled
    std::optional<RepeatedCalls> goingOn_;  ///< locks or sections
    Ticks times_{};
    std::optional<std::uint64_t> last_;
    Amounts amounts_;
    std::vector<std::uint64_t> counters_;
    std::map<std::uint32_t, std::int64_t> collectives_;
    std::int64_t collectivesOfAll_ = 0;
    /// Before it was added up.
    struct Before {
        Ticks times{};
        Amounts amounts;
    };
    std::optional<Before> before_;
    BegunOperations begun_;
    Messages messages_;
    MessageKey lastSent_;
    std::uint64_t lastSentAt_ = 0;
    std::unordered_map<std::uint32_t, LockUse> locks_;
    std::map<WindowTarget, WindowLock> windowLocks_;
    std::unordered_map<std::uint64_t, WindowTarget> firstUnderLock_;  ///< operations, by their numbers
    std::map<WindowEpoch, std::int64_t> windowEpochs_;
    std::map<std::uint32_t, std::int64_t> windowCollectives_;
    std::map<std::uint32_t, std::int64_t> fileCollectives_;
    std::optional<std::uint64_t> fileTransfer_;  ///< number of the collective one that it is in
    /// What the call that the thread is in has counted, as it may fail.
    std::vector<std::int64_t*> countedInCall_;
    bool isOff_ = false;
    bool hasEnded_ = false;
    bool mayHaveMore_ = false;
};

}  // namespace holos::watch
