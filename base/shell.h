// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace holos {

/// A word as a shell takes it, quoted where necessary.
std::string shellWord(const std::string& word);

/// The words as a shell takes them, quoted where necessary.
std::string shellLine(const std::vector<std::string>& words);

}  // namespace holos
