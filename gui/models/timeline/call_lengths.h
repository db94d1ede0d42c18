// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <filesystem>
#include <map>

#include "gui/models/timeline/timeline_lines.h"

namespace holos::gui {

/// How long the calls of a region take, in ticks: each class is a quarter longer than the one before, from
/// its own start (`startOf`) on.
struct CallLengths {
    std::uint64_t count = 0;
    trace::Ticks sum = 0;
    trace::Ticks shortest = 0;
    trace::Ticks longest = 0;
    std::map<int, std::uint64_t> classes;

    double mean() const { return count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count); }
    /// Half of the calls take longer, up to the width of a class.
    double median() const;
    void add(trace::Ticks length);

    static int classOf(trace::Ticks length);
    static double startOf(int number);
};

/// Which calls are measured: those that begin in a part of the run.
struct CallLengthsQuestion {
    std::filesystem::path anchor;
    DefinitionsPtr definitions;
    trace::RegionId region;
    ShownLocations shown;  ///< empty: all
    trace::Ticks from = 0;
    trace::Ticks to = 0;
};

/// Reads the index of the trace's calls, where it has one (`report/query/call_index.h`), or else the events
/// of the locations, one after the other; gives up when `stopped` becomes true. Calls that the trace does not
/// end are left out. Throws `holos::Error`.
CallLengths callLengths(const CallLengthsQuestion& question, const std::atomic<bool>& stopped);

}  // namespace holos::gui
