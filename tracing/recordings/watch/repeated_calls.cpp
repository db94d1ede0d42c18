// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/repeated_calls.h"

#include <algorithm>

#include "tracing/recordings/watch/thread_activity.h"

namespace holos::watch {
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
