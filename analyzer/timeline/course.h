// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "algebra/files/file_reader.h"
#include "analyzer/timeline/format.h"
#include "analyzer/timeline/levels.h"
#include "analyzer/timeline/time_grid.h"
#include "analyzer/trace/definitions.h"
#include "base/output_file.h"

namespace holos::analyzer::timeline {

/// `traces.otf2` → `traces.course`
std::filesystem::path courseFile(const std::filesystem::path& anchor);

/// A number that tells traces apart by their definitions.
std::uint64_t fingerprintOf(const trace::Definitions& definitions);

/// What is summed up besides wait states, which go by the unique names of their metrics.
inline constexpr const char* kPathName = "critical_path";
/// What all delays cost, in time of others. Names of single kinds of them begin in the same way.
inline constexpr const char* kDelayName = "delay";

/// Marks in a part of the run, in the order of their starts.
struct CourseMarks {
    std::vector<CourseMark> marks;
    bool isCut = false;  ///< there are more of the wanted length than were asked for
};

/// The course of a run as analysis found it: waits with their causers, collective operations, and the
/// critical path, each where it is in time; and how much time each of them takes, by location and bin of a
/// grid. A question costs time by its answer, not by the length of the run.
///
/// Nothing of the file is believed: functions throw `holos::Error`, with the file and the byte, when it
/// cannot be what was made of this trace, or a part of it differs from its sum.
/// Thread safety: safe to read.
class Course {
  public:
    /// Throws also when the file was made of another trace, by another version, or before the trace was
    /// written.
    Course(const std::filesystem::path& file, const std::filesystem::path& anchor,
           const trace::Definitions& definitions);

    const TimeGrid& grid() const { return grid_; }
    std::size_t locations() const { return header_.locations; }
    const std::vector<std::string>& names() const { return names_; }
    std::optional<std::uint32_t> nameOf(const std::string& name) const;

    /// The marks of a kind between two times that take `shortest` ticks or more (some shorter ones, too):
    /// about `most` of them, the longest.
    CourseMarks marks(MarkKind kind, Ticks from, Ticks to, Ticks shortest, std::size_t most) const;
    /// Ticks of a name in all bins of a level. Empty where it takes no time.
    std::vector<Ticks> sums(std::uint32_t name, RowId row, unsigned level) const;

  private:
    void requireSense(const trace::Definitions& definitions) const;
    void readNames(const std::string& text);
    void readTables();
    std::string bytesAt(const CoursePlace& place) const;
    void appendMarks(const CourseBlock& block, Ticks from, Ticks to, std::vector<CourseMark>& marks) const;

    algebra::FileReader file_;
    CourseHeader header_;
    TimeGrid grid_;
    std::vector<std::string> names_;
    std::vector<CourseBlock> blocks_;
    std::uint64_t rows_ = 0;  ///< of each name
    std::uint64_t rowTable_ = 0;
};

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
