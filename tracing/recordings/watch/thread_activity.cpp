// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/thread_activity.h"

#include <algorithm>

#include "base/run_profile.h"
#include "tracing/recordings/format/vocabulary.h"
#include "tracing/recordings/format/waiting_notes.h"

namespace holos::watch {
namespace {

using tracing::profile::Node;
using tracing::profile::NodeKind;

class Adding {
  public:
    Adding(const archive::ProfileCells& cells, const archive::RecordedProcess& process,
           const RegionActivities& regions, bool isPlace)
        : cells_(cells), process_(process), regions_(regions), isPlace_(isPlace) {}

    AddedUp run() {
        sums_.since = cells_.state->since;
        sums_.last = cells_.state->last;
        if (cells_.state->isRead != 0) sums_.counters = cells_.reading;
        addNodes();
        for (const auto& way : cells_.ways)
            timeOf(node(node(way.cell.to).parent)) += way.cell.ticks;  // from one call to the next
        addTraffic();
        findPlace();
        return std::move(sums_);
    }

  private:
    const Node& node(std::uint64_t number) const { return cells_.nodes[number].cell; }

    Activity activityOf(const Node& node) const {
        switch (node.key.kind) {
            case NodeKind::Region:
                return regions_.of(node.key.first);
            case NodeKind::Root:
                return isPlace_ ? Activity::Nothing : Activity::Computation;
            case NodeKind::Off:
            case NodeKind::Flush:
                return Activity::Nothing;
            default:
                return Activity::Computation;
        }
    }
    std::uint64_t& timeOf(const Node& node) {
        return sums_.times[static_cast<std::size_t>(activityOf(node))];
    }

    /// `after` of a parallel region is the time from its end to the end of its team, which belongs to the
    /// region around; of what a task begins with it is the time of the task, which has been counted with its
    /// regions.
    void addNodes() {
        for (const auto& [one, counters] : cells_.nodes) {
            timeOf(one) += one.own;
            if (one.key.kind != NodeKind::Region) continue;
            sums_.amounts.events += one.visits + one.ended;
            if (node(one.parent).key.kind != NodeKind::Task) timeOf(node(one.parent)) += one.after;
        }
    }

    /// Whether the collective operations that are counted at a node are blocking ones; calls such as MPI_Wait
    /// end those that an earlier call began.
    bool isBlocking(const Node& node) const {
        const auto known = process_.regions.find(node.key.first);
        return node.key.kind == NodeKind::Region && known != process_.regions.end() &&
               !known->second.name.starts_with("MPI_Wait") && !known->second.name.starts_with("MPI_Test");
    }
    void addTraffic() {
        constexpr auto kFirstOperation = static_cast<std::size_t>(ProfileCount::Exchanges);
        for (const auto& traffic : cells_.traffic) {
            const bool counts = isBlocking(node(traffic.node));
            for (std::size_t i = 0; i < kFirstOperation; ++i) {
                sums_.amounts.messages += traffic.counts[i].number;
                sums_.amounts.bytes += traffic.counts[i].bytes;
            }
            for (std::size_t i = kFirstOperation;
                 counts && i < static_cast<std::size_t>(ProfileCount::ReceivedTogether); ++i)
                sums_.collectives += static_cast<std::int64_t>(traffic.counts[i].number);
        }
    }

    OpenRegion regionOf(const Node& node, std::uint64_t ticks) const {
        return {node.key.first, node.key.second, ticks, activityOf(node)};
    }
    /// Where the thread is: the open regions. The one that it has left last is the child of the innermost
    /// open node that it entered last.
    void findPlace() {
        for (const std::uint32_t number : cells_.open()) {
            if (node(number).key.kind == NodeKind::Region)
                sums_.open.push_back(regionOf(node(number), node(number).since));
            sums_.isOff = node(number).key.kind == NodeKind::Off;
        }
        const Node& here = node(cells_.state->node);
        const Node* last = nullptr;
        for (const auto& [one, counters] : cells_.nodes) {
            const bool isLeft = one.number != 0 && one.parent == here.number && one.since > here.since &&
                                one.key.kind == NodeKind::Region;
            if (isLeft && (last == nullptr || one.since > last->since)) last = &one;
        }
        if (last != nullptr) sums_.left = regionOf(*last, sums_.last);
    }

    const archive::ProfileCells& cells_;
    const archive::RecordedProcess& process_;
    const RegionActivities& regions_;
    bool isPlace_;
    AddedUp sums_;
};

}  // namespace

std::optional<AddedUp> addedUp(const archive::ProfileCells& cells, const archive::RecordedProcess& process,
                               const RegionActivities& regions, bool isPlace) {
    if (!cells.isUsable() || cells.state->last == 0) return std::nullopt;
    return Adding(cells, process, regions, isPlace).run();
}

namespace {

using archive::Record;

OpenRegion regionOf(std::uint64_t place, std::uint64_t ticks, const RegionActivities& regions) {
    const std::uint32_t region = tracing::lowHalf(place);
    return {region, tracing::highHalf(place), ticks, regions.of(region)};
}

/// Whatever a record says that is being written, its parts are not longer than it is.
class Parts {
  public:
    Parts(RepeatedCalls& calls, std::uint64_t ticks) : calls_(calls), left_(ticks) {}
    void add(Activity activity, std::uint64_t ticks) {
        const std::uint64_t part = std::min(ticks, left_);
        calls_.times[static_cast<std::size_t>(activity)] += part;
        left_ -= part;
    }
    std::uint64_t left() const { return left_; }

  private:
    RepeatedCalls& calls_;
    std::uint64_t left_;
};

RepeatedCalls pollsOf(const Record& record, std::uint64_t since, const RegionActivities& regions) {
    const auto word = [&record](tracing::PollsWord one) { return record.words[one - 1]; };
    const auto place = word(tracing::kPollsRegion);
    RepeatedCalls calls;
    calls.ended = std::max(since, word(tracing::kPollsEnd));
    calls.left = regionOf(place, calls.ended, regions);
    calls.number = word(tracing::kPollsNumber);
    Parts parts(calls, calls.ended - since);
    parts.add(calls.left->activity, word(tracing::kPollsInside));
    calls.between = parts.left();
    if (const std::uint64_t open = word(tracing::kPollsOpen); open != 0)
        calls.open.push_back(regionOf(place, open, regions));
    return calls;
}

RepeatedCalls sectionsOf(const Record& record, std::uint64_t since, const RegionActivities& regions) {
    const auto word = [&record](tracing::SectionsWord one) { return record.words[one - 1]; };
    const std::uint64_t block = word(tracing::kSectionsBlock);
    RepeatedCalls calls;
    calls.ended = std::max(since, word(tracing::kSectionsEnd));
    calls.left = regionOf(word(tracing::kSectionsRegion), calls.ended, regions);
    calls.number = word(tracing::kSectionsNumber) * (block != 0 ? 2 : 1);
    Parts parts(calls, calls.ended - since);
    parts.add(calls.left->activity, word(tracing::kSectionsEntering));
    parts.add(block != 0 ? regions.of(tracing::lowHalf(block)) : calls.left->activity,
              word(tracing::kSectionsInside));
    parts.add(calls.left->activity, word(tracing::kSectionsLeaving));
    calls.between = parts.left();
    if (const std::uint64_t open = word(tracing::kSectionsOpen); open != 0) {
        calls.open.push_back(regionOf(word(tracing::kSectionsRegion), open, regions));
        if (block != 0) calls.open.push_back(regionOf(block, word(tracing::kSectionsOpenBlock), regions));
    }
    return calls;
}

}  // namespace

RepeatedCalls repeatedCalls(const Record& record, std::uint64_t since, const RegionActivities& regions) {
    const std::uint64_t begin = std::max(since, record.ticks);
    return record.kind == tracing::RecordKind::Sections ? sectionsOf(record, begin, regions)
                                                        : pollsOf(record, begin, regions);
}

/// Sets of locks are told as if they were before all of what their holders did.
RepeatedCalls repeatedCalls(const Unfinished& records, std::uint64_t since, const RegionActivities& regions) {
    RepeatedCalls calls = repeatedCalls(records.first, since, regions);
    if (!records.second) return calls;
    const RepeatedCalls more = repeatedCalls(*records.second, calls.ended, regions);
    for (std::size_t i = 0; i < kActivities; ++i) calls.times[i] += more.times[i];
    calls.between += more.between;
    calls.number += more.number;
    calls.ended = more.ended;
    calls.left = more.left;
    return calls;
}

using tracing::highHalf;
using tracing::lowHalf;
using tracing::Paradigm;
using tracing::RecordKind;
using tracing::Role;

namespace {

/// The program's own work within a construct.
bool isWork(Role role) {
    switch (role) {
        case Role::Parallel:
        case Role::Loop:
        case Role::Sections:
        case Role::Single:
        case Role::Master:
        case Role::Workshare:
        case Role::CriticalBlock:
        case Role::OrderedBlock:
        case Role::Task:
        case Role::Function:
        case Role::Code:
            return true;
        default:
            return false;
    }
}

}  // namespace

Activity activityOf(const archive::RecordedRegion& region) {
    switch (region.paradigm) {
        case Paradigm::Mpi:
            return Activity::Mpi;
        case Paradigm::OpenMp:
            return isWork(region.role) ? Activity::Computation : Activity::OpenMp;
        case Paradigm::Pthread:
            return region.role == Role::Lock || region.role == Role::ThreadWait ? Activity::Waiting
                                                                                : Activity::Computation;
        case Paradigm::System:
            return Activity::Waiting;
        case Paradigm::Measurement:
            return Activity::Nothing;
        default:
            return Activity::Computation;
    }
}

void RegionActivities::update(const archive::RecordedProcess& process) {
    constexpr std::uint32_t kMost = 1u << 24;  // larger references than any process has are damage
    if (process.regions.size() == regions_) return;
    regions_ = process.regions.size();
    for (const auto& [ref, region] : process.regions) {
        if (ref >= kMost) break;
        if (ref >= known_.size()) known_.resize(std::size_t{ref} + 1, kUnknown);
        known_[ref] = static_cast<std::uint8_t>(activityOf(region));
    }
}

Activity ThreadActivity::now() const {
    if (polling_ && isRecorded()) return polling_->activity;
    return goingOn_ && !goingOn_->open.empty() && isRecorded() ? goingOn_->open.back().activity : usually();
}

Activity ThreadActivity::usually() const {
    if (!isRecorded() || !last_) return Activity::Nothing;
    if (!state_.open().empty()) return state_.open().back().activity;
    return isPlace_ ? Activity::Nothing : Activity::Computation;
}

void ThreadActivity::passUntil(std::uint64_t ticks) {
    if (last_ && ticks > *last_) times_[static_cast<std::size_t>(usually())] += ticks - *last_;
    last_ = last_ ? std::max(*last_, ticks) : ticks;
}

ThreadActivity::Ticks ThreadActivity::timesAt(std::uint64_t moment) const {
    Ticks times = times_;
    if (polling_ && moment > polling_->ticks) {
        const std::uint64_t begin = polling_->ticks;
        times[static_cast<std::size_t>(polling_->activity)] += moment - begin;
        if (last_ && begin > *last_) times[static_cast<std::size_t>(usually())] += begin - *last_;
        return times;
    }
    if (goingOn_) {
        for (std::size_t i = 0; i < kActivities; ++i) times[i] += goingOn_->times[i];
        times[static_cast<std::size_t>(usually())] += goingOn_->between;
        const auto pass = [&times](Activity activity, std::uint64_t from, std::uint64_t to) {
            if (to > from) times[static_cast<std::size_t>(activity)] += to - from;
        };
        std::uint64_t from = goingOn_->ended;
        Activity activity = usually();
        for (const OpenRegion& region : goingOn_->open) {
            pass(activity, from, std::min(region.ticks, moment));
            from = std::max(from, region.ticks);
            activity = region.activity;
        }
        pass(activity, from, moment);
        return times;
    }
    if (last_ && moment > *last_) times[static_cast<std::size_t>(usually())] += moment - *last_;
    return times;
}

void ThreadActivity::show(const AddedUp& sums) {
    if (!before_) before_ = sums.since != 0 ? Before{timesAt(sums.since), amounts_} : Before{};
    for (std::size_t i = 0; i < kActivities; ++i) times_[i] = before_->times[i] + sums.times[i];
    amounts_ = {before_->amounts.events + sums.amounts.events,
                before_->amounts.messages + sums.amounts.messages,
                before_->amounts.bytes + sums.amounts.bytes};
    state_.replace(sums.open);
    left_ = sums.left;
    polling_.reset();
    goingOn_.reset();
    last_ = sums.last;
    isOff_ = sums.isOff;
    collectivesOfAll_ = sums.collectives;
    if (!sums.counters.empty()) counters_ = sums.counters;
    messages_.isComplete = false;
}

void ThreadActivity::forget() {
    state_.forget();
    left_.reset();
    countedInCall_.clear();
    messages_.isComplete = false;
    mayHaveMore_ = true;
}

OpenRegion ThreadActivity::regionOf(const Record& record) const {
    const std::uint32_t region = lowHalf(record.words[0]);
    return {region, highHalf(record.words[0]), record.ticks, regions_.of(region)};
}

/// The time between them is that of the region around. One that did not find nothing, and a section in which
/// something was recorded, are entered by the record.
void ThreadActivity::takeRepeated(const Record& record) {
    const RepeatedCalls calls = repeatedCalls(record, *last_, regions_);
    for (std::size_t i = 0; i < kActivities; ++i) times_[i] += calls.times[i];
    times_[static_cast<std::size_t>(usually())] += calls.between;
    last_ = calls.ended;
    amounts_.events += calls.number;
    left_ = calls.left;
    for (const OpenRegion& region : calls.open) {
        passUntil(region.ticks);
        state_.enter(region);
    }
}

/// Of polls it is not said how much of their time is between them: each may be the last one.
void ThreadActivity::takeUnfinished(const Unfinished& records) {
    const Record& first = records.first;
    const bool isPolling = first.kind == RecordKind::Polls && !records.second;
    if (isPolling) {
        polling_ = regionOf(first);
        polled_ = first.words[tracing::kPollsEnd - 1];
        return;
    }
    if (!last_) last_ = first.ticks;
    goingOn_.reset();
    goingOn_ = repeatedCalls(records, std::max(*last_, first.ticks), regions_);
    goingOn_->between += first.ticks > *last_ ? first.ticks - *last_ : 0;
}

Amounts ThreadActivity::amounts() const {
    Amounts amounts = amounts_;
    if (goingOn_) amounts.events += goingOn_->number;
    return amounts;
}

std::uint64_t ThreadActivity::newest() const {
    std::uint64_t newest = std::max(last_.value_or(0), polling_ ? polled_ : 0);
    if (!goingOn_) return newest;
    newest = std::max(newest, goingOn_->ended);
    return goingOn_->open.empty() ? newest : std::max(newest, goingOn_->open.back().ticks);
}

void ThreadActivity::leave(std::uint32_t region, std::uint64_t ticks) {
    const auto ended = [this, ticks](OpenRegion one, bool /*isLast*/) {
        one.ticks = ticks;
        left_ = one;
    };
    state_.leave([region](const OpenRegion& one) { return one.region == region; }, ended);
}

void ThreadActivity::takeTask(const Record& record) {
    const archive::TaskNumber task{lowHalf(record.words[0]), lowHalf(record.words[1]),
                                   highHalf(record.words[1])};
    if (record.kind == RecordKind::TaskSwitch)
        state_.switchTo(task);
    else
        state_.complete(task, [](const OpenRegion&) {});
}

void ThreadActivity::takeTeam(const Record& record) {
    if (record.kind == RecordKind::ThreadTeamBegin)
        state_.beginTeam(false, lowHalf(record.words[0]));
    else
        state_.endTeam(false);
}

/// Nobody has what threads wait for where they have the paradigm of the system.
void ThreadActivity::takeLock(const Record& record) {
    const bool isAcquired = record.kind == RecordKind::AcquireLock;
    const bool isHeldByOne = static_cast<tracing::Paradigm>(record.words[1]) != tracing::Paradigm::System;
    locks_[lowHalf(record.words[0])] = {isAcquired && isHeldByOne, !isAcquired && !isHeldByOne, record.ticks};
}

void ThreadActivity::takeMessage(const Record& record, bool isSent) {
    ++amounts_.messages;
    amounts_.bytes += record.words[2];
    auto& counts = isSent ? messages_.sent : messages_.received;
    if (record.kind == RecordKind::MpiIrecv) {
        ++messages_.completed;
        countedInCall_.push_back(&messages_.completed);
    }
    const MessageKey key{highHalf(record.words[0]), lowHalf(record.words[0]), lowHalf(record.words[1])};
    if (record.kind == RecordKind::MpiSend) {
        lastSent_ = key;
        lastSentAt_ = record.ticks;
    }
    if (counts.size() >= Messages::kMostKeys && !counts.contains(key)) {
        messages_.isComplete = false;
        return;
    }
    std::int64_t& count = counts[key];
    ++count;
    countedInCall_.push_back(&count);
}

void ThreadActivity::countCollective(std::int64_t& count) {
    ++count;
    countedInCall_.push_back(&count);
}

/// Of what is done under a lock the first operation is enough: its completion shows that MPI has granted it.
void ThreadActivity::takeWindowOperation(const WindowTarget& target, std::uint64_t number) {
    for (const auto& key : {target, WindowTarget{target.window, tracing::kAllProcesses}}) {
        const auto lock = windowLocks_.find(key);
        if (lock == windowLocks_.end() || !lock->second.isAsked || lock->second.isUsed) continue;
        lock->second.isUsed = true;
        firstUnderLock_[number] = key;
    }
}

void ThreadActivity::takeWindowCompletion(std::uint64_t number) {
    const auto first = firstUnderLock_.find(number);
    if (first == firstUnderLock_.end()) return;
    windowLocks_[first->second].isGranted = true;
    firstUnderLock_.erase(first);
}

void ThreadActivity::takeWindow(const Record& record) {
    const auto& words = record.words;
    const WindowTarget target{highHalf(words[0]), lowHalf(words[0])};
    switch (record.kind) {
        case RecordKind::RmaCollectiveEnd:
            return countCollective(windowCollectives_[highHalf(words[0])]);
        case RecordKind::RmaWinDestroy:
            std::erase_if(windowLocks_,
                          [&](const auto& one) { return one.first.window == lowHalf(words[0]); });
            std::erase_if(windowEpochs_,
                          [&](const auto& one) { return one.first.window == lowHalf(words[0]); });
            return;
        case RecordKind::RmaGroupSync:
            if (!state_.open().empty())
                ++windowEpochs_[{highHalf(words[0]), lowHalf(words[1]), state_.open().back().region}];
            return;
        case RecordKind::RmaRequestLock:
            windowLocks_[target] = {true, words[1] != 0, false, false, record.ticks};
            return;
        case RecordKind::RmaReleaseLock:
            windowLocks_[target] = {false, false, false, false, record.ticks};
            return;
        case RecordKind::RmaPut:
        case RecordKind::RmaGet:
            return takeWindowOperation(target, words[2]);
        case RecordKind::RmaAtomic:
            return takeWindowOperation(target, words[4]);
        case RecordKind::RmaCompleteRemote:
            return takeWindowCompletion(words[1]);
        default:
            return;
    }
}

/// A transfer counts when it is complete.
void ThreadActivity::takeFile(const Record& record) {
    const std::uint32_t handle = lowHalf(record.words[0]);
    switch (record.kind) {
        case RecordKind::FileBegin:
            if (record.words[1] == static_cast<std::uint64_t>(tracing::IoOperationFlag::Collective))
                fileTransfer_ = record.words[3];
            return;
        case RecordKind::FileComplete:
            if (fileTransfer_ != record.words[2]) return;
            fileTransfer_.reset();
            return countCollective(fileCollectives_[handle]);
        default:
            return countCollective(fileCollectives_[handle]);
    }
}

/// Of very many that are never completed here only the number is kept.
void ThreadActivity::takeBegun(const Record& record) {
    constexpr std::size_t kMostUnderWay = std::size_t{1} << 16;
    const std::uint32_t comm = lowHalf(record.words[1]);
    std::int64_t& count = begun_.begun[comm];
    ++count;
    countedInCall_.push_back(&count);
    if (begun_.underWay.size() < kMostUnderWay)
        begun_.underWay[tracing::tagOf(record.words[0])] = {comm, count};
}

/// Nothing that the call has recorded was.
void ThreadActivity::takeFailure() {
    for (std::int64_t* const count : countedInCall_) --*count;
    countedInCall_.clear();
}

void ThreadActivity::take(const Record& record) {
    polling_.reset();
    goingOn_.reset();
    passUntil(record.ticks);
    if (tracing::isOfProgram(record.kind) && !tracing::mayChange(record.kind)) ++amounts_.events;
    switch (record.kind) {
        case RecordKind::Enter:
            countedInCall_.clear();
            return state_.enter(regionOf(record));
        case RecordKind::Leave:
            countedInCall_.clear();
            return leave(lowHalf(record.words[0]), record.ticks);
        case RecordKind::Polls:
        case RecordKind::Sections:
            return takeRepeated(record);
        case RecordKind::Counters:
            return counters_.assign(record.words, record.words + record.size);
        case RecordKind::MpiSend:
        case RecordKind::MpiIsend:
            return takeMessage(record, true);
        case RecordKind::MpiIrecvRequest:
            ++messages_.posted;
            return;
        case RecordKind::MpiRecv:
        case RecordKind::MpiIrecv:
            return takeMessage(record, false);
        case RecordKind::MpiCollectiveEnd:
            return countCollective(collectives_[highHalf(record.words[0])]);
        case RecordKind::MpiCollectiveRequest:
            return takeBegun(record);
        case RecordKind::MpiCollectiveComplete:
            begun_.underWay.erase(tracing::tagOf(record.words[4]));
            return;
        case RecordKind::MpiFailed:
            return takeFailure();
        case RecordKind::RmaCollectiveEnd:
        case RecordKind::RmaWinDestroy:
        case RecordKind::RmaGroupSync:
        case RecordKind::RmaRequestLock:
        case RecordKind::RmaReleaseLock:
        case RecordKind::RmaPut:
        case RecordKind::RmaGet:
        case RecordKind::RmaAtomic:
        case RecordKind::RmaCompleteRemote:
            return takeWindow(record);
        case RecordKind::FileOpened:
        case RecordKind::FileClosed:
        case RecordKind::FileCollective:
        case RecordKind::FileBegin:
        case RecordKind::FileComplete:
            return takeFile(record);
        case RecordKind::AcquireLock:
        case RecordKind::ReleaseLock:
            return takeLock(record);
        case RecordKind::MeasurementOff:
            isOff_ = true;
            messages_.isComplete = false;
            return;
        case RecordKind::MeasurementOn:
            isOff_ = false;
            return;
        case RecordKind::ThreadTeamBegin:
        case RecordKind::ThreadTeamEnd:
            return takeTeam(record);
        case RecordKind::TaskSwitch:
        case RecordKind::TaskComplete:
            return takeTask(record);
        case RecordKind::ThreadEnd:
            state_.forget();
            hasEnded_ = true;
            return;
        default:
            return;
    }
}

}  // namespace holos::watch
