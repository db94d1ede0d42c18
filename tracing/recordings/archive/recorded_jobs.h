// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracing/filter/filter.h"
#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/run/host_clocks.h"
#include "tracing/recordings/archive/run/reading.h"

namespace holos::archive {

/// The machine that makes a trace: one of its clocks may be that of processes that were killed before they
/// compared theirs.
struct Here {
    std::string boot;
    std::string clock;
    tracing::ClockSync time;
};
Here here();

/// The MPI jobs of a recording that was read, and what becomes of each. Whoever reads the same recording gets
/// the same.
class RecordedJobs {
  public:
    /// Throws `Error` where the recording cannot be read. What is `packed` is not read anew where it is read
    /// at no special moment.
    RecordedJobs(const fs::path& recording, const std::optional<Moment>& moment, PackedFiles packed = {});
    RecordedJobs(RecordedJobs&&) = delete;

    /// At least one, unless nothing was recorded.
    std::vector<std::vector<RecordedProcess>>& all() { return jobs_; }
    /// What was found while it was read.
    const std::vector<std::string>& notes() const { return notes_; }

    /// Of the job of that number, which counts from 1.
    TracePlan plan(std::size_t number);
    Timeline timeline(std::size_t number, const Here& here) const;

  private:
    const fs::path recording_;
    Definitions definitions_;
    filter::Filter filter_;
    std::vector<std::vector<RecordedProcess>> jobs_;
    std::vector<std::string> notes_;
};

}  // namespace holos::archive
