// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace holos::algebra {

/// A line of a name and numbers, between tabulators, as members of `Experiment::files` have them.
struct NumberLine {
    std::string name;
    std::vector<double> numbers;
};

/// With its end. Numbers are as short as they can be read back.
std::string numberLineText(const NumberLine& line);

/// Nothing where a field is no finite number, or the name is empty.
std::optional<NumberLine> numberLineIn(const std::string& line);

}  // namespace holos::algebra
