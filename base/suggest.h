// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holos {

/// The candidate that `name` is most likely a misspelling of (letter case, or up to a third of its letters
/// wrong, missing, added or swapped), or an empty string when none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// `; did you mean 'NEAREST'?`, or nothing. To be put behind a message about an unknown name.
std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace holos
