// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/files/file_reader.h"
#include "analyzer/timeline/format.h"
#include "analyzer/timeline/region_times.h"
#include "analyzer/timeline/time_grid.h"
#include "analyzer/trace/definitions.h"
#include "analyzer/trace/excerpt.h"
#include "analyzer/trace/quiet_calls.h"

namespace holos::analyzer::timeline {

/// Where reading can begin, and what it can pass over. Rows of several locations have none.
struct Places {
    std::span<const trace::Checkpoint> checkpoints;
    std::span<const trace::QuietCalls> quiet;
    std::size_t location = 0;
};

/// The bytes of a row (`format.h`), of this many locations. `times` has the finest level.
std::string packRow(const TimeGrid& grid, RegionTimes times, std::size_t locations,
                    const std::vector<Activity>& activities, const Places& places);

/// Bytes before the first times: the starts and the dominants.
std::size_t fixedSizeOf(const TimeGrid& grid);
/// Where the dominants of a bin stand, from the start of the row.
std::size_t placeOfDominants(const TimeGrid& grid, unsigned level, std::size_t bin);
inline constexpr std::size_t kDominantsSize = 8;

/// What dominates a bin: read from bytes that may be anything.
struct Dominants {
    Dominant most;
    Dominant lost;
};
Dominants unpackDominants(const char* bytes);

/// What a level's times are in so many bins. Throws `holos::Error` without a place when they are damaged.
std::vector<ActivityTimes> unpackTimes(std::string_view bytes, std::size_t bins);
/// `regions`: how many there are; one that is none of them is damage. Throws `holos::Error` as `unpackTimes`
/// does.
std::vector<trace::Checkpoint> unpackCheckpoints(std::string_view bytes, std::size_t regions);
std::vector<trace::QuietCalls> unpackQuiet(std::string_view bytes, std::size_t regions);
/// The bytes of a location's quiet calls, without the check sum that `packRow` added. What they tell is not
/// read from the trace again, so that a damaged byte would change numbers unnoticed. Throws `holos::Error`
/// where the sum differs.
std::string_view verified(std::string_view bytes, std::size_t location);

/// `traces.otf2` → `traces.timeline`
std::filesystem::path levelsFile(const std::filesystem::path& anchor);

/// What the header of a file of levels says of a trace.
Header headerOf(const trace::Definitions& definitions);

/// Rows of 2^level neighbouring locations.
struct RowId {
    unsigned level = 0;
    std::size_t row = 0;
};

struct KeptMessages {
    std::vector<trace::Message> messages;  ///< in the order of their sends
    std::uint64_t oneOf = 1;               ///< of so many channels between processes only one was kept
};

/// The levels of detail of a trace. Nothing of the file is believed: functions throw `holos::Error`, with the
/// file and the byte, when it cannot be what was made of this trace.
/// Thread safety: safe to read.
class Levels {
  public:
    /// Throws also when the file was made of another trace, by another version, or before the trace was
    /// written.
    Levels(const std::filesystem::path& file, const std::filesystem::path& anchor,
           const trace::Definitions& definitions);

    const TimeGrid& grid() const { return grid_; }
    std::size_t locations() const { return header_.locations; }
    unsigned rowLevels() const { return rowLevelsOf(header_.locations); }
    std::size_t rows(unsigned rowLevel) const { return rowsOf(header_.locations, rowLevel); }
    std::uint64_t bytes() const { return file_.size(); }

    /// Of the bins from one to another, without it. Regions are those of the trace, or `kOutside`.
    std::vector<Dominants> dominants(RowId row, unsigned level, std::size_t from, std::size_t to) const;
    /// Of all bins of a level.
    std::vector<ActivityTimes> times(RowId row, unsigned level) const;
    /// Where reading can begin for a window that begins at `from`.
    trace::Checkpoint checkpointBefore(std::size_t location, Ticks from) const;
    /// What reading can pass over where times do not matter, in the order of the events.
    std::vector<trace::QuietCalls> quiet(std::size_t location) const;
    KeptMessages messages() const;

  private:
    void requireSense(const Header& expected) const;
    RowPlace placeOf(RowId row) const;
    std::string part(const RowPlace& row, unsigned number) const;

    algebra::FileReader file_;
    Header header_;
    TimeGrid grid_;
};

/// Rows whose locations are those from one to another, without it: the fewest that there are.
std::vector<RowId> rowsCovering(std::size_t from, std::size_t to);

}  // namespace holos::analyzer::timeline
