// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "algebra/files/packed/compression.h"
#include "algebra/model/experiment.h"
#include "base/number.h"

namespace holos::algebra {

/// Profiles of other tools as experiments, packed by gzip or not. All readers throw `holos::Error`, with the
/// place in the file, for what a file cannot be.
using ForeignReader = Experiment (*)(const std::filesystem::path& file);

/// The reader of a file, by how it begins; null for what is none of these.
ForeignReader foreignReaderOf(const std::filesystem::path& file);

/// Valgrind's callgrind.out: each function with its own cost by event. The graph of calls has no paths, so
/// none are made.
Experiment readCallgrind(const std::filesystem::path& file);

/// Output of `perf script`: samples and their events' periods by call path and thread. Events that count time
/// are seconds.
Experiment readPerfScript(const std::filesystem::path& file);
/// Whether this is the first line of a sample as `perf script` prints it.
bool isPerfSample(std::string_view line);

/// Folded stacks (`main;solve;dot 42`), as flame graph tools have them: `samples` by call path.
Experiment readFolded(const std::filesystem::path& file);

/// TAU's profile.N.C.T: this file and all others of its folder, and of the folders MULTI__… beside it. Call
/// paths where TAU measured them, otherwise one for each timer; atomic events have their number and sum.
Experiment readTau(const std::filesystem::path& file);

/// TAU's packed profile (.ppk): what the files of a folder have, in one.
Experiment readPackedTau(const std::filesystem::path& file);
/// How a packed profile begins: "PPK" in characters of two bytes.
inline constexpr std::string_view kPackedTau{"\0P\0P\0K", 6};

/// What gprof prints: the flat profile, each function with its own processor time and its calls. Its graph of
/// calls has no paths.
Experiment readGprof(const std::filesystem::path& file);

/// A report of mpiP: call sites of MPI by task, and what tasks do outside of MPI.
Experiment readMpip(const std::filesystem::path& file);

/// Caliper's `json-split`, and its `json`.
Experiment readCaliper(const std::filesystem::path& file);
/// Throws an `Error` that says how a file of Caliper's own format (.cali) becomes one that can be read.
Experiment refuseCali(const std::filesystem::path& file);

/// Trace events of Chromium, PyTorch (Kineto) and others: time and visits of nested calls by thread.
Experiment readTraceEvents(const std::filesystem::path& file);

/// An experiment that grows as a file is read: metrics, calls and threads appear when they are first named.
class ImportedTree {
  public:
    MetricId metric(const std::string& name, const std::string& unit);
    /// A call of a region from a call path, or a root.
    CallPathId call(std::optional<CallPathId> caller, const std::string& region, const std::string& module);
    /// The thread of a process; `process` and `thread` are numbers in the file, such as those of the system.
    LocationId thread(std::int64_t process, const std::string& processName, std::int64_t thread,
                      const std::string& name);

    void add(MetricId metric, CallPathId path, LocationId location, double value);

    /// All that was added. Afterwards the tree is empty.
    Experiment take(const std::string& source);

  private:
    struct Cell {
        CallPathId path;
        LocationId location;
        double value;
    };
    struct CellKey {
        std::size_t path, location;
        friend bool operator==(const CellKey&, const CellKey&) = default;
    };
    struct CellHash {
        std::size_t operator()(const CellKey& key) const {
            return key.path * 0x9E3779B97F4A7C15ULL + key.location;
        }
    };

    SystemNodeId machine();

    Experiment experiment_;
    std::map<std::string, MetricId> metrics_;
    std::map<std::pair<std::string, std::string>, RegionId> regions_;
    std::map<std::pair<std::size_t, std::size_t>, CallPathId> calls_;  ///< by caller + 1 and region
    std::map<std::int64_t, ProcessId> processes_;
    std::map<std::pair<std::int64_t, std::int64_t>, LocationId> threads_;
    std::vector<std::unordered_map<CellKey, double, CellHash>> values_;  ///< by metric
};

/// Values of one thread that files have with those of what is below, in a tree of places that is finer than
/// the call tree: statements and loops belong to the call path of their function.
class InclusiveValues {
  public:
    /// What values were rounded by, as a part of them: what is left of a call path and less than that, is
    /// nothing.
    explicit InclusiveValues(double rounding) : rounding_(rounding) {}

    /// A place's value, which is part of that of the place above it.
    void add(MetricId metric, CallPathId path, std::optional<CallPathId> above, double value) {
        Sum& sum = sums_[metric][path.index()];
        sum.own += value;
        sum.largest = std::max(sum.largest, std::abs(value));
        if (above) sums_[metric][above->index()].own -= value;
    }

    /// What is left of each call path itself.
    void addTo(ImportedTree& tree, LocationId location) const {
        for (const auto& [metric, byPath] : sums_)
            for (const auto& [path, sum] : byPath)
                if (sum.own > rounding_ * sum.largest) tree.add(metric, CallPathId(path), location, sum.own);
    }

  private:
    struct Sum {
        double own = 0.0;
        double largest = 0.0;
    };
    double rounding_;
    std::map<MetricId, std::unordered_map<std::size_t, Sum>> sums_;
};

/// The lines of a text file one after the other, of whatever size the file is, packed by gzip or not.
class TextLines {
  public:
    /// Throws `Error` when there is no such regular file.
    explicit TextLines(const std::filesystem::path& file);

    /// The next line without its end, valid until the one after it is asked for; nothing at the end. Throws
    /// `Error` for a line that is longer than any in such files.
    std::optional<std::string_view> next();
    /// Of the line that came last, from 1.
    std::uint64_t number() const { return number_; }

    /// Throws an `Error` about the line that came last.
    [[noreturn]] void fail(const std::string& message) const;

  private:
    bool fill();

    TextReader reader_;
    std::string held_;    ///< what was read and not yet asked for
    std::size_t at_ = 0;  ///< in `held_`: where the next line begins
    std::uint64_t number_ = 0;
};

/// Takes blanks and tabs off the begin of the text.
void takeBlanks(std::string_view& text);
/// Takes the first word and the blanks behind it off the text.
std::string_view takeWord(std::string_view& text);

}  // namespace holos::algebra
