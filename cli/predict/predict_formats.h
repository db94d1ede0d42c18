// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/predictor.h"
#include "base/chosen.h"
#include "cli/terminal/terminal.h"
#include "report/trials/trials.h"

namespace holos::cli {

/// What `holos predict` says.
struct PredictReport {
    const analyzer::ModelFacts& facts;
    std::vector<std::string> conditions;
    std::vector<std::string> idle;                ///< those of them that change nothing by themselves
    std::optional<analyzer::PredictedTime> time;  ///< where there are conditions
    std::vector<std::string> limits;              ///< what is taken as recorded
    std::optional<std::vector<trials::Trial>> trials;
    AtMost top = kAll;  ///< trials to list
};

std::string predictText(const PredictReport& report, const Style& style);
std::string predictJson(const PredictReport& report);

/// What stands between the model and the run, in sentences: damage, clocks, what was not calibrated.
std::vector<std::string> modelNotes(const analyzer::ModelFacts& facts);

/// What a replay takes as recorded, where the run has it, in sentences.
std::vector<std::string> limitNotes(const algebra::Experiment& recorded);

}  // namespace holos::cli
