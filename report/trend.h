// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/comparison.h"

namespace holos::report {

/// One version of a program among those that came one after the other: one run, or repeated ones.
struct TrendStep {
    std::string name;
    std::vector<double> seconds = {};  ///< of its runs
    double mean = 0.0;
    std::optional<double> error = {};    ///< of the mean, in 95 of 100 such studies; nothing for a single run
    std::optional<double> waiting = {};  ///< in percent of the time of all threads
    std::optional<double> change = {};  ///< in percent of the step before, where it is more than chance makes
    std::string sentence = {};          ///< what is different from the step before; empty for the first
    std::string wait = {};              ///< the wait state that changed most, where one did
    std::string cause = {};             ///< and why, as far as the summary of the run that has more knows it
};

/// Experiments in their order. Those that follow each other under one name are repeated runs of one version.
/// Throws `holos::Error` for an experiment that is not of a run, and `UsageError` for fewer than two
/// versions.
std::vector<TrendStep> trendOf(const Subjects& subjects);

std::string trendPage(const std::vector<TrendStep>& steps);
std::string trendMarkdown(const std::vector<TrendStep>& steps);
/// Lines `version,runs,seconds,error95,waiting percent,change percent,wait,cause,sentence`.
std::string trendCsv(const std::vector<TrendStep>& steps);

}  // namespace holos::report
