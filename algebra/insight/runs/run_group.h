// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "algebra/operators/unite/inputs.h"

namespace holos::algebra {

/// Runs of one version of a program, in one way.
struct RunGroup {
    std::string name;  ///< as sentences call it
    Inputs runs;
};

/// What the program is, and how it was started: what has to be equal for its parts to be compared.
struct RunShape {
    std::set<std::string> programs;  ///< the regions that call trees begin with
    std::size_t processes = 0;
    std::size_t threads = 0;

    bool operator==(const RunShape&) const = default;

    std::string programText() const;
    /// `2 processes with 4 threads in all`
    std::string startText() const;
};
RunShape shapeOf(const Experiment& run);

/// How long each of the runs took; of a mean of runs those that it was made of, where it says so.
std::vector<double> secondsOf(const RunGroup& group);

/// Notes in a mean of runs how long each of them took, for comparing it with others.
void noteSeconds(const std::vector<double>& seconds, Experiment& mean);

/// `a.cubex`, `a.cubex and b.cubex`; of many the first and how many more.
std::string listOfRuns(const std::vector<std::string>& names);
/// What several runs are called when they are taken together: `the mean of a.cubex and b.cubex`.
std::string nameOfGroup(const std::vector<std::string>& names);

/// Means of something that was measured in one or several runs of two versions.
struct MeanDifference {
    double first = 0;
    double second = 0;
    /// The difference may be so much more or less, in 95 of 100 such studies; nothing where no version was
    /// repeated.
    std::optional<double> error;

    double difference() const { return second - first; }
    /// The difference is no more than what runs of one version differ by.
    bool isWithinError() const;
};

/// By Welch's form of Student's t test. A version with one run is taken to vary as the other one does. Both
/// need a value.
MeanDifference differenceOfMeans(const std::vector<double>& first, const std::vector<double>& second);

/// Of the mean of repeated measurements; nothing for a single one.
std::optional<double> errorOfMean(const std::vector<double>& values);

}  // namespace holos::algebra
