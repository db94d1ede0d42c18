// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::algebra {

struct NamedRun {
    std::string name;
    std::reference_wrapper<const Experiment> experiment;
};

/// From the smallest to the largest.
struct ValueRange {
    double least = 0;
    double most = 0;
};

/// A problem that summaries of repeated runs have in common. Texts are those of the run in the middle of
/// those that have it, and name it where they have numbers.
struct RecurringFinding {
    std::string kind;
    std::string what;
    std::string where;
    std::string who;
    std::string why;
    std::string remedy;
    std::string note;               ///< what is not the same in all runs; may be empty
    std::vector<std::size_t> runs;  ///< that have it, by position
    std::size_t of = 0;             ///< runs that could have it
    ValueRange seconds;             ///< of all threads together, in the runs that have it
    ValueRange percent;             ///< of the time of all threads

    /// Not in most of the runs.
    bool mayBeChance() const { return 2 * runs.size() <= of; }
    /// `in 3 of 3 runs, 1.2 to 1.4 s`
    std::string recursText(const std::vector<NamedRun>& all) const;
};

/// What is the same in repeated runs of a program, and what is not.
struct Recurrence {
    bool areRepeats = true;                  ///< of one program, with as many processes and threads
    std::vector<std::string> sentences;      ///< on the runs, or why they cannot be compared
    std::vector<double> seconds;             ///< how long each took
    std::vector<RecurringFinding> findings;  ///< in most runs first, then those that cost most
};

/// Of two runs or more. Throws `holos::Error` for an experiment that is not of a run, naming it.
Recurrence recurrenceOf(const std::vector<NamedRun>& runs);

}  // namespace holos::algebra
