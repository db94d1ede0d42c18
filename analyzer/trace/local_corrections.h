// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace holos::analyzer::trace {

/// What the local definitions of a location say of its events: which definitions their numbers mean, and how
/// far its clock was from that of the trace. The same numbers and times as OTF2's reader gives.
class LocalCorrections {
  public:
    /// Keeps what OTF2 reads of the local definitions.
    void registerAt(OTF2_Reader* reader, OTF2_DefReader* definitions);

    /// False where a table is of an odd kind, which only OTF2 knows to use.
    bool areUsable() const { return areUsable_; }

    std::uint64_t global(OTF2_MappingType kind, std::uint64_t local) const {
        const std::vector<std::uint64_t>& table = tables_[kind];
        return local < table.size() ? table[local] : local;
    }

    /// Of events one after the other.
    OTF2_TimeStamp correct(OTF2_TimeStamp time) { return intervals_.empty() ? time : time + offsetAt(time); }

  private:
    /// Between two measurements of the clock.
    struct Interval {
        OTF2_TimeStamp begin;
        OTF2_TimeStamp end;
        std::int64_t offset;  ///< at its begin
        double slope;         ///< offset per tick
    };

    void addTable(OTF2_MappingType kind, const OTF2_IdMap* map);
    void addMeasurement(OTF2_TimeStamp time, std::int64_t offset);
    /// A number that may be negative, and wraps around as the times do.
    std::uint64_t offsetAt(OTF2_TimeStamp time);

    std::array<std::vector<std::uint64_t>, OTF2_MAPPING_MAX> tables_;
    std::vector<Interval> intervals_;
    std::size_t current_ = 0;  ///< interval; later events are in this one or in a later one
    struct {
        bool isThere = false;
        OTF2_TimeStamp time = 0;
        std::int64_t offset = 0;
    } last_;
    bool areUsable_ = true;
};

}  // namespace holos::analyzer::trace
