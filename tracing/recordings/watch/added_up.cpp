// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/added_up.h"

#include <algorithm>

#include "base/run_profile.h"
#include "tracing/recordings/watch/thread_activity.h"

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

}  // namespace holos::watch
