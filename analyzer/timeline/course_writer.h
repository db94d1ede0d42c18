// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/timeline/format.h"
#include "analyzer/timeline/time_sums.h"
#include "analyzer/trace/definitions.h"
#include "base/output_file.h"

namespace holos::analyzer::timeline {

/// Gathers what analysis found in time, and writes it beside the trace (`course.h`). Memory grows with marks
/// and with the bins in which there is something.
class CourseWriter {
  public:
    /// The definitions must outlive it.
    explicit CourseWriter(const trace::Definitions& definitions);

    /// The position of a name, which it gets when it is asked for first.
    std::uint32_t nameOf(const std::string& name);
    /// Marks without a length are left out.
    void add(const CourseMark& mark);
    /// Adds to the sums of a name, from `begin` to `end`.
    void book(std::uint32_t name, std::uint32_t location, Ticks begin, Ticks end);

    /// For what is spread over long times: a grid that is coarse enough to keep all of its bins.
    TimeGrid coarseGrid() const;
    /// Adds what was summed up on that grid; only such sums to a name.
    void bookCoarse(std::uint32_t name, std::uint32_t location, const TimeSums& sums);

    /// The file appears when it is complete. The last call. Throws `holos::Error` when it cannot be written.
    void write(const std::filesystem::path& file);

  private:
    using Rows = std::vector<TimeSums>;  ///< by location

    void writeBlocks(OutputFile& output);
    /// `finest`: the level of the grid that they are of.
    void writeRows(OutputFile& output, Rows rows, unsigned finest, std::vector<CoursePlace>& places) const;
    unsigned finestOf(std::uint32_t name) const;

    const trace::Definitions& definitions_;
    TimeGrid grid_;
    std::map<std::string, std::uint32_t> names_;
    std::vector<CourseMark> marks_;
    std::vector<CourseBlock> blocks_;
    std::map<std::uint32_t, Rows> sums_;  ///< by name
    std::set<std::uint32_t> coarse_;      ///< names whose sums are of the coarse grid
};

}  // namespace holos::analyzer::timeline
