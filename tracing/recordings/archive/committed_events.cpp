// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/committed_events.h"

#include <algorithm>
#include <utility>

#include "tracing/recordings/archive/event_file.h"

namespace holos::archive {
namespace {

std::size_t countersIn(const RecordedProcess& process, std::uint32_t location) {
    const auto known = process.locations.find(location);
    const bool isSamples =
        known != process.locations.end() && known->second.kind == tracing::LocationKind::Samples;
    return isSamples ? process.sampled.size() : process.counters.size();
}

/// Of one location. Chunks follow each other in time: the records of all but the last one that has any are
/// complete.
class Location {
  public:
    Location(const RecordedProcess& process, std::uint32_t number, std::uint64_t until)
        : process_(process), counters_(countersIn(process, number)), until_(until) {}

    std::optional<std::uint64_t> settle(std::vector<ChunkPlace>& chunks) const {
        std::optional<std::uint64_t> newest;
        while (!chunks.empty() && !newest) {
            newest = settle(chunks.back());
            if (!newest) chunks.pop_back();
        }
        return newest;
    }

  private:
    /// The ticks of the newest record; nothing when there is none.
    std::optional<std::uint64_t> settle(ChunkPlace& chunk) const {
        EventFile file(process_.eventFile(), {chunk}, counters_, process_.syncs.front().ticks);
        std::optional<std::uint64_t> newest;
        std::size_t room = 0;
        for (auto record = file.next(); record && record->ticks <= until_; record = file.next()) {
            newest = record->ticks;
            room = file.room();
        }
        chunk.settled = chunk.bytes - room * sizeof(std::uint64_t);
        return newest;
    }

    const RecordedProcess& process_;
    std::size_t counters_;
    std::uint64_t until_;
};

}  // namespace

CommittedEvents committedEvents(const RecordedProcess& process, std::uint64_t until) {
    CommittedEvents committed;
    if (process.syncs.empty()) return committed;
    for (auto& [number, chunks] : chunkPlacesNow(process.eventFile())) {
        if ((number & tracing::kTableBit) != 0) continue;  // what is added up is read when it is complete
        const auto newest = Location(process, number, until).settle(chunks);
        committed.newest = std::max(committed.newest, newest);
        if (newest) committed.chunks.emplace(number, std::move(chunks));
    }
    return committed;
}

}  // namespace holos::archive
