// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <map>

#include "tracing/recordings/archive/process/recorded_process.h"
#include "tracing/recordings/format/waiting_notes.h"
#include "tracing/recordings/watch/followed_events.h"
#include "tracing/recordings/watch/picture.h"
#include "tracing/recordings/watch/thread_activity.h"

namespace holos::watch {

/// When a recording is looked at, and where.
struct Look {
    double seconds = 0;         ///< of a clock of this machine that runs evenly
    double interval = 0;        ///< since the look before; 0: there was none
    tracing::ClockSync here{};  ///< this machine's clocks
    std::string clock;          ///< that the ticks are of
    std::string boot;           ///< of this machine
    /// Called again and again meanwhile, if there is one; false: the rest is read at the next look.
    std::function<bool()> meanwhile = {};
};

/// A process that is recorded, look by look. Reads its files and nothing else; opens them each time.
class FollowedProcess : FollowedEvents::Reader {
  public:
    FollowedProcess(std::filesystem::path folder, std::size_t number, bool overwrites);
    FollowedProcess(FollowedProcess&&) = delete;

    /// Reads what is new. Throws `Error` where another version of Holos records.
    void look(const Look& now);
    /// What it showed at the last look.
    const SeenProcess& seen() const { return seen_; }
    /// Whether its rank is one of the world whose ranks are shown: those of other worlds are other processes.
    void showRank(bool isShown);
    /// Another program follows in the same process, so that this one has ended.
    void replaced() { isReplaced_ = true; }

    const std::filesystem::path& folder() const { return folder_; }
    /// What it has defined so far. The object stays the same.
    const archive::RecordedProcess& definitions() const { return definitions_; }
    /// The location of a thread by the kernel's number; nothing where it has never waited.
    std::optional<std::uint32_t> locationOf(std::uint32_t kernelThread) const;
    /// Null for a location without records.
    const ThreadActivity* activity(std::uint32_t location) const;

  private:
    struct Followed {
        ThreadActivity activity;
        ThreadActivity::Ticks before{};  ///< times at the look before
        std::uint64_t eventsBefore = 0;
        std::uint64_t seenTicks = 0;  ///< of what it did last at the look before
        double seenSince = 0;         ///< and the look at which that was first seen
        /// What the kernel says of it, where its events say that it computes.
        std::uint64_t ready = 0;    ///< nanoseconds on processors and waiting for one, when it was asked last
        std::uint64_t askedAt = 0;  ///< ticks of that
        std::uint64_t newest = 0;   ///< ticks of the newest event then
        std::uint64_t slept = 0;    ///< ticks since that event, as far as that is known
        bool sleeps = false;
    };

    std::size_t countersOf(std::uint32_t location) override;
    void take(std::uint32_t location, const archive::Record& record) override;
    void takeUnfinished(std::uint32_t location, const Unfinished& records) override;
    void missed(std::uint32_t location) override;
    bool goesOn() override { return !meanwhile_ || meanwhile_(); }
    void know(const archive::Record& record);

    void readTables();
    void readStatus();
    void readDefinitions();
    Followed& followed(std::uint32_t location);
    bool isHere(const Look& now) const;
    std::uint64_t ticksAt(const Look& now) const;
    void judgeLife();
    void listen(const Look& now);
    void see(const Look& now);
    std::optional<std::uint64_t> kernelNumberOf(std::uint32_t location) const;
    void askKernel(std::uint32_t location, Followed& one, const Look& now, std::uint64_t ticks) const;
    std::int64_t nanosecondsBetween(std::uint64_t from, std::uint64_t to, const Look& now) const;
    SeenThread seeThread(std::uint32_t location, Followed& one, const Look& now, std::uint64_t ticks);
    Duration sinceOf(const Followed& one, const Look& now, std::uint64_t ticks) const;
    std::optional<Awaited> awaitedBy(std::uint32_t location, const ThreadActivity& activity) const;
    void seeCounters(double interval);
    std::optional<std::uint64_t> lostEvents() const;
    double rateOf(std::uint64_t now, std::uint64_t before, double interval) const;

    std::filesystem::path folder_;
    FollowedEvents events_;
    archive::RecordedProcess definitions_;
    RegionActivities regions_;
    std::size_t definitionBytes_ = 0;  ///< that were read
    tracing::Status status_{};
    std::vector<tracing::WaitingNote> notes_;
    std::map<std::uint32_t, Followed> locations_;
    std::uint64_t newest_ = 0;  ///< ticks of the last record
    std::uint64_t records_ = 0;
    std::uint64_t recordsBefore_ = 0;
    std::uint64_t beats_ = 0;
    std::optional<double> changed_;     ///< when something was new, by this machine's clock
    std::function<bool()> meanwhile_;   ///< of the look that goes on
    std::optional<std::uint64_t> pid_;  ///< at this look, where the kernel can be asked
    bool areSumsDamaged_ = false;       ///< of threads that add up
    bool isReplaced_ = false;
    bool isDone_ = false;  ///< it had ended before all was read
    SeenProcess seen_;
};

}  // namespace holos::watch
