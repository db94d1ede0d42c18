// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "report/comparison.h"

namespace holos::report {

/// The summaries of the runs in plain words, which stand first in a report.
std::vector<Introduction> introductionsOf(const Subjects& subjects);

/// Empty where there are none.
std::string introductionsHtml(const std::vector<Introduction>& introductions);
std::string introductionsMarkdown(const std::vector<Introduction>& introductions);

}  // namespace holos::report
