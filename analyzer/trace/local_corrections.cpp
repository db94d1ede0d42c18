// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/local_corrections.h"

#include <cmath>
#include <memory>

namespace holos::analyzer::trace {

namespace {

/// Numbers of definitions begin at 0 and have few gaps; a table from damaged bytes need not.
constexpr std::uint64_t kMostUnused = 1 << 16;
/// Clocks differ by millionths. What is steeper comes from damaged bytes, too.
constexpr double kSteepest = 0.25;

}  // namespace

void LocalCorrections::registerAt(OTF2_Reader* reader, OTF2_DefReader* definitions) {
    const std::unique_ptr<OTF2_DefReaderCallbacks, decltype(&OTF2_DefReaderCallbacks_Delete)> callbacks(
        OTF2_DefReaderCallbacks_New(), &OTF2_DefReaderCallbacks_Delete);
    OTF2_DefReaderCallbacks_SetMappingTableCallback(
        callbacks.get(), [](void* user, OTF2_MappingType kind, const OTF2_IdMap* map) {
            static_cast<LocalCorrections*>(user)->addTable(kind, map);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_DefReaderCallbacks_SetClockOffsetCallback(
        callbacks.get(), [](void* user, OTF2_TimeStamp time, std::int64_t offset, double) {
            static_cast<LocalCorrections*>(user)->addMeasurement(time, offset);
            return OTF2_CALLBACK_SUCCESS;
        });
    OTF2_Reader_RegisterDefCallbacks(reader, definitions, callbacks.get(), this);
}

void LocalCorrections::addTable(OTF2_MappingType kind, const OTF2_IdMap* map) {
    if (kind >= tables_.size()) return;
    if (map == nullptr || !tables_[kind].empty()) {
        areUsable_ = false;
        return;
    }
    struct Pair {
        std::uint64_t local;
        std::uint64_t global;
    };
    std::vector<Pair> pairs;
    OTF2_IdMap_Traverse(
        map,
        [](std::uint64_t local, std::uint64_t global, void* user) {
            static_cast<std::vector<Pair>*>(user)->push_back({local, global});
        },
        &pairs);
    std::vector<std::uint64_t>& table = tables_[kind];
    for (const Pair& pair : pairs) {
        areUsable_ = areUsable_ && pair.local / 2 < pairs.size() + kMostUnused;
        if (!areUsable_) return;
        while (table.size() <= pair.local) table.push_back(table.size());
        table[pair.local] = pair.global;
    }
}

void LocalCorrections::addMeasurement(OTF2_TimeStamp time, std::int64_t offset) {
    if (last_.isThere) {
        // Wraps around as OTF2's own differences do.
        const auto growth = static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) -
                                                      static_cast<std::uint64_t>(last_.offset));
        const double slope = static_cast<double>(growth) / static_cast<double>(time - last_.time);
        areUsable_ = areUsable_ && last_.time < time && std::abs(slope) < kSteepest;
        intervals_.push_back({last_.time, time, last_.offset, slope});
    }
    last_ = {true, time, offset};
}

/// From the line between the measurements around the time; before the first and behind the last one it goes
/// on.
std::uint64_t LocalCorrections::offsetAt(OTF2_TimeStamp time) {
    while (current_ + 1 < intervals_.size() && time > intervals_[current_].end) ++current_;
    const Interval& interval = intervals_[current_];
    const double passed = time >= interval.begin ? static_cast<double>(time - interval.begin)
                                                 : -static_cast<double>(interval.begin - time);
    const auto growth = static_cast<std::int64_t>(std::rint(interval.slope * passed));
    return static_cast<std::uint64_t>(interval.offset) + static_cast<std::uint64_t>(growth);
}

}  // namespace holos::analyzer::trace
