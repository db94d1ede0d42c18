// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/instances.h"

#include <array>
#include <charconv>
#include <optional>
#include <sstream>

namespace holos::algebra {

namespace {

std::optional<double> secondsOf(const std::string& text) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<WaitInstance> instanceOf(const std::string& line) {
    constexpr std::size_t kFields = 6;
    std::array<std::string, kFields> field;
    std::istringstream fields(line);
    for (std::string& text : field) std::getline(fields, text, '\t');
    const auto wait = secondsOf(field[1]);
    const auto begin = secondsOf(field[2]);
    if (field[0].empty() || !wait || !begin) return std::nullopt;
    return WaitInstance{field[0], *wait, *begin, field[3], field[4], field[5]};
}

}  // namespace

std::vector<WaitInstance> instancesOf(const Experiment& experiment) {
    std::vector<WaitInstance> instances;
    const auto found = experiment.files.find(kInstancesFile);
    if (found == experiment.files.end()) return instances;
    std::istringstream lines(found->second);
    for (std::string line; std::getline(lines, line);)
        if (auto instance = instanceOf(line)) instances.push_back(std::move(*instance));
    return instances;
}

}  // namespace holos::algebra
