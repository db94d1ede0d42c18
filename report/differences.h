// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/comparison.h"

namespace holos::report {

/// What changed from the version of which the first `before` experiments are runs to that of the others, in
/// sentences; empty where these are not two versions.
std::vector<std::string> changeOf(const Subjects& subjects, std::size_t before);

/// What takes another part of the time or of the counts on some than on others, in words, the largest first.
std::vector<std::string> differencesOf(const Subjects& subjects);

/// Metrics that are incomplete, or mean something else on some than on others under one name.
std::vector<std::string> differentMeanings(const Subjects& subjects);

}  // namespace holos::report
