// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "algebra/insight/runs/run_group.h"
#include "algebra/model/experiment.h"
#include "algebra/operators/unite/inputs.h"

namespace holos::algebra {

/// A part of the program that takes longer in one version than in the other.
struct ChangedPlace {
    std::string where;
    double seconds = 0;           ///< more in the second
    std::optional<double> error;  ///< as in `MeanDifference`
    std::string why;              ///< what is known of the cause
};

/// What is different between two versions of a program, or two ways to run it.
struct Change {
    std::string first, second;  ///< how they are called
    std::size_t firstRuns = 1, secondRuns = 1;
    MeanDifference seconds;            ///< of the run
    std::vector<ChangedPlace> places;  ///< that make up most of it; few
    double forProcessors = 0;  ///< seconds that each thread waited longer for a processor in the second
    std::vector<std::string> sentences;  ///< all of it in words
};

/// How the second runs differ from the first. Nothing where one of them is no run, or neither took time.
/// Pure; thread safety: safe.
std::optional<Change> changeBetween(const RunGroup& first, const RunGroup& second,
                                    const Matching& matching = {});

/// For programs: the sentences and the numbers in them.
nlohmann::ordered_json objectOf(const Change& change);

/// Keeps the change in the experiment of the difference.
void keepChange(const Change& change, Experiment& difference);

/// What `keepChange` kept, as JSON with at least its `sentences`. Nothing for other experiments, and for what
/// was made of a difference.
std::optional<nlohmann::ordered_json> changeIn(const Experiment& difference);

}  // namespace holos::algebra
