// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/chosen.h"
#include "report/score/filter_choice.h"
#include "report/score/score.h"

namespace holos::cli {

/// What `holos score` says.
struct ScoreReport {
    std::string file;
    score::Score score;
    std::size_t counters = 0;  ///< that were asked for
    AtMost top = kAll;         ///< regions to list
    double mostBytes = 0;      ///< that the trace may have; 0: not said
    std::optional<score::FilterChoice> filter{};
    std::string filterFile;  ///< where the filter is; empty: it is part of the report
};

std::string scoreText(const ScoreReport& report);
std::string scoreCsv(const ScoreReport& report);
std::string scoreJson(const ScoreReport& report);

/// `123.4 MB`, in powers of 1024 as options take them.
std::string sizeText(double bytes);

/// What a filter leaves, and what else there is where it is not enough.
std::string filterComment(const ScoreReport& report);

}  // namespace holos::cli
