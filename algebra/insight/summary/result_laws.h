// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/model/row_sums.h"
#include "base/links.h"

namespace holos::algebra {

/// Something that holds of the results of every run, but not of these.
struct BrokenResultLaw {
    std::string text;                  ///< a sentence with both numbers, without a full stop
    std::vector<std::string> metrics;  ///< unique names of those of which nothing can be said; none: of all
    double seconds = std::numeric_limits<double>::infinity();  ///< that are too many, where that is known
};

/// Whether times are so:
///
/// - none is negative;
/// - in each location and call path, what `time`, `imbalance`, `critical_path` and the times below them
/// consist of is
///   no more than these; where tasks have call paths of their own, in all others;
/// - in each call path, computation above the average is as much as below it;
/// - others are blamed for no more waiting than there is;
/// - the critical path is no longer than the run;
/// - no location takes longer than the run; in one without idle threads of OpenMP, and without call paths of
/// tasks.
///
/// Operators keep some of these laws (`result_laws.cpp`): others are not tested. Reads each of these metrics
/// once, row by row, but for those whose sums are `known`. Pure; thread safety: safe.
std::vector<BrokenResultLaw> brokenResultLaws(const Experiment& experiment, WantedSums known = {});

/// The sums that laws need of an experiment that is to be written, for `writeCubex` to fill.
WantedSums sumsForLaws(const Experiment& experiment);

/// Writes an experiment as `writeExperiment` does, and says which laws do not hold in it: values are added up
/// while they are written.
std::vector<BrokenResultLaw> writeAndTest(const Experiment& experiment, const std::filesystem::path& file,
                                          Links links = Links::Followed);

/// The law as a sentence without a full stop, with what becomes of it.
std::string contradictionText(const BrokenResultLaw& law);

}  // namespace holos::algebra
