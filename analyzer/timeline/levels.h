// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "algebra/files/file_reader.h"
#include "analyzer/timeline/format.h"
#include "analyzer/timeline/packed_row.h"
#include "analyzer/timeline/time_grid.h"
#include "analyzer/trace/definitions.h"

namespace holos::analyzer::timeline {

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
