// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "analyzer/causes/cause_values.h"
#include "analyzer/patterns/waits.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/timeline/course.h"

namespace holos::analyzer {

/// Tells the course of a run (`timeline/course.h`) what analysis finds: waits and operations before records
/// are given away, then the critical path.
class RunCourse {
  public:
    explicit RunCourse(const trace::Definitions& definitions);

    /// All waits, each until what was waited for. Of very many the shortest count in sums only.
    void addWaits(const patterns::JudgedTrace& run);
    /// Collective operations that are complete, and the parts of their members, unless those are very many.
    void addOperations(const patterns::JudgedTrace& run, const replay::ReplayedCalls& calls);
    /// Takes costs of delays in while causes are being found.
    causes::TellDelay delays();
    /// The delays that were told, and the critical path.
    void addCauses(const causes::CauseCourse& causes);
    /// The last call. Throws `holos::Error` when the file cannot be written.
    void write(const std::filesystem::path& file) { writer_.write(file); }

  private:
    void addDelays();

    const trace::Definitions& definitions_;
    timeline::CourseWriter writer_;
    /// By location and kind of waiting.
    std::vector<std::map<patterns::Kind, timeline::TimeSums>> delays_;
};

}  // namespace holos::analyzer
