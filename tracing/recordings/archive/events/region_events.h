// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recordings/archive/events/call_paths.h"
#include "tracing/recordings/archive/events/location_result.h"
#include "tracing/recordings/archive/events/location_writer.h"
#include "tracing/recordings/archive/events/open_regions.h"
#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {

/// A location's enters and leaves, and its polls and critical sections, of which one record has several:
///
///     recorded    ┤P├──┤P├───┤P├─┤P├      four calls between other events
///     trace       ┤P├────────┤PPPPP├      the first, and one as long as the other three, which ends with the
///     last
///
/// Each call path keeps its time in that way, whatever a reader knows of the attributes that say how many
/// they were.
class RegionEvents {
  public:
    RegionEvents(LocationWriter& out, OpenRegions& open, const TracePlan& plan, const TraceProcess& process,
                 LocationContexts& contexts)
        : out_(out), open_(open), plan_(plan), process_(process), callPaths_(contexts) {}

    void translate(const Record& record);
    void translatePolls(const Record& record);
    /// Their blocks are in them as the first one's is in it:
    ///
    ///     recorded    ┤C├B┤C├──┤C├B┤C├───┤C├BB┤C├
    ///     trace       ┤C├B┤C├────────┤CC├BBB┤CC├
    void translateSections(const Record& record);

    const std::optional<LastRegion>& last() const { return last_; }

    /// Whether a call in the trace stands for several.
    bool havePolls() const { return havePolls_; }

  private:
    void enter(std::uint32_t region, std::uint32_t path);
    void leave(std::uint32_t region);
    void enterSeveral(std::uint32_t region, std::uint32_t path, std::uint64_t number, const Record& record);

    LocationWriter& out_;
    OpenRegions& open_;
    const TracePlan& plan_;
    const TraceProcess& process_;
    CallPathAttributes callPaths_;
    std::optional<LastRegion> last_;
    bool havePolls_ = false;
};

}  // namespace holos::archive
