// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/number_lines.h"

#include <array>
#include <sstream>

#include "base/number.h"

namespace holos::algebra {

std::string numberLineText(const NumberLine& line) {
    constexpr std::size_t kLongest = 32;
    std::string text = line.name;
    for (const double number : line.numbers) {
        std::array<char, kLongest> field{};
        const auto end = std::to_chars(field.data(), field.data() + field.size(), number).ptr;
        text += '\t';
        text.append(field.data(), end);
    }
    return text + '\n';
}

std::optional<NumberLine> numberLineIn(const std::string& line) {
    std::istringstream fields(line);
    NumberLine read;
    std::getline(fields, read.name, '\t');
    for (std::string field; std::getline(fields, field, '\t');) {
        const auto value = asFiniteNumber(field);
        if (!value) return std::nullopt;
        read.numbers.push_back(*value);
    }
    if (read.name.empty()) return std::nullopt;
    return read;
}

}  // namespace holos::algebra
