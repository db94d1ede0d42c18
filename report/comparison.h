// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/findings/roofline.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/operators/unite/unite.h"

namespace holos::report {

/// An experiment and what the report calls it.
struct Subject {
    std::string name;
    algebra::Experiment experiment;
};

/// The value of a cell where an experiment has nothing, or where it is undefined.
inline constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// What one experiment has in a row.
struct Cell {
    double value;
    std::optional<double> percent;  ///< of the root of its hierarchy, or of all time
    bool present = false;           ///< the experiment has this metric or call path
};

struct Row {
    std::string name;
    std::size_t depth = 0;
    std::string unit;
    std::vector<Cell> cells;  ///< one per experiment
};

/// Rows that belong together, such as one part of the metric forest.
struct Section {
    std::string title;
    std::string explanation;
    std::vector<Row> rows;
};

/// A line of the configuration table.
struct Fact {
    std::string name;
    std::vector<std::string> values;  ///< one per experiment, may be empty
};

/// How a metric is spread over the locations of each experiment.
struct Spread {
    std::string name;
    std::string unit;
    std::vector<std::vector<double>> values;  ///< per experiment, by location; empty without the metric
};

/// What is to be said of one experiment in plain words.
struct Introduction {
    std::string name;
    algebra::Summary summary;
};

/// The call paths of one experiment under the roofs, as a picture (SVG).
struct RooflinePicture {
    std::string name;
    std::string svg;
};

/// Everything a report says, before it is put into a format.
struct Comparison {
    std::vector<std::string> names;
    std::vector<std::string> change;          ///< from the version before to the one after, in sentences
    std::vector<Introduction> introductions;  ///< of the experiments of runs
    std::vector<Fact> configuration;
    std::vector<Section> sections;
    std::vector<Spread> spreads;
    std::vector<RooflinePicture> rooflines;  ///< of the experiments that count what it takes
    std::vector<std::string> findings;       ///< what specifications find worth saying
    std::vector<std::string> differences;    ///< in words, the largest first
    std::vector<std::string> notes;          ///< what is not the same under the same name
};

/// The experiments with their common structure: every metric and call path that any of them has, once.
class Subjects {
  public:
    explicit Subjects(std::vector<Subject> subjects);

    /// Makes long names of functions shorter for reading. Which are the same was decided by the whole ones.
    void shortenNames();

    std::size_t size() const { return subjects_.size(); }
    const std::string& name(std::size_t at) const { return subjects_[at].name; }
    const algebra::Experiment& experiment(std::size_t at) const { return subjects_[at].experiment; }
    const algebra::MetricForest& metrics() const { return united_.result.metrics; }
    const algebra::Experiment& structure() const { return united_.result; }

    /// The metric or call path of the structure in one experiment; nothing where it lacks it.
    std::optional<algebra::MetricId> metricOf(std::size_t at, algebra::MetricId metric) const;
    std::optional<algebra::CallPathId> pathOf(std::size_t at, algebra::CallPathId path) const;

    /// The metric of this unique name in the structure.
    std::optional<algebra::MetricId> find(const std::string& uniqueName) const;

    /// The value of the whole experiment, with the metrics below; NaN where it lacks the metric.
    double total(std::size_t at, algebra::MetricId metric) const;

    /// `total` of each experiment.
    std::vector<double> totals(algebra::MetricId metric) const;

    /// Exclusive values of call paths of the structure, NaN where the experiment lacks the metric.
    std::vector<double> perPath(std::size_t at, algebra::MetricId metric) const;

  private:
    std::vector<Subject> subjects_;
    algebra::Union united_;
};

struct Wishes {
    std::size_t top = 10;  ///< how many call paths are listed
    /// Of which to say what is spent and counted there: names of functions, or whole paths.
    std::vector<std::string> callPaths = {};
    algebra::Roofs roofs = {};  ///< of a node
    /// How many of the first experiments are repeated runs of the version before, and the others of the one
    /// after; 0: of two experiments the first is.
    std::size_t before = 0;
};

/// Throws `holos::Error` for a call path that no experiment has.
Comparison compare(const Subjects& subjects, const Wishes& wishes);

}  // namespace holos::report
