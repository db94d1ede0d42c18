// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "report/comparison.h"

namespace holos::report {

/// The files page.css and page.js, for the page to carry within it.
extern const char* const kStyle;
extern const char* const kScript;
/// Style and script of the panes: the client of `holos serve`, its modules as one script.
extern const char* const kPanesStyle;
extern const char* const kPanesScript;

/// One page that needs nothing else. `browsable`: JSON of `browsableData` for the panes in it, or empty.
std::string htmlPage(const Comparison& comparison, const std::string& browsable);

std::string markdownText(const Comparison& comparison);

/// Lines `section,metric or call path,depth,unit`, and for each experiment its value and percentage.
std::string csvText(const Comparison& comparison);

/// A value with its percentage, such as `117 (92.2%)`; `–` for what an experiment does not have.
std::string cellText(const Cell& cell, const std::string& unit);

/// The experiments' trees and values as JSON for the three panes. Those with more values than `most` that are
/// not zero have the sums of processes, of nodes or of all threads; what is too much then, too, has a name
/// only.
std::string browsableData(const Subjects& subjects, std::size_t most);

/// Four digits and a prefix of the unit, such as `25.91 T` or `638.0 n`; whole numbers below 10,000 as they
/// are. What has no number is `–`.
std::string engineering(double value);

/// Seconds as people write them: `914.0 ms`, `12.50 s`.
std::string shownSeconds(double value);

/// A number of four digits without a prefix, for percentages.
std::string fourDigits(double value);

}  // namespace holos::report
