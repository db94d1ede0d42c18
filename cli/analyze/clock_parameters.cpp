// SPDX-License-Identifier: BSD-3-Clause
#include "cli/analyze/clock_parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/number.h"
#include "cli/command.h"

namespace holos::cli {

namespace {

using analyzer::clocks::ClockParameters;

struct Parameter {
    const char* name;
    double ClockParameters::*member;
    double lowest;
    double highest;
};
constexpr Parameter kParameters[] = {
    {"control", &ClockParameters::control, 0, 1}, {"step", &ClockParameters::step, 0, 1},
    {"message", &ClockParameters::message, 0, 1}, {"collective", &ClockParameters::collective, 0, 1},
    {"threads", &ClockParameters::threads, 0, 1}, {"slope", &ClockParameters::slope, 1e-6, 1},
};

double valueOf(const std::string& word, const std::string& text, const Parameter& parameter) {
    const auto value = asNumber<double>(text);
    if (!value || *value < parameter.lowest || *value > parameter.highest)
        throw UsageError(fmt::format("--clock-parameters: {}: {} has to be a number from {} to {}", word,
                                     parameter.name, parameter.lowest, parameter.highest));
    return *value;
}

}  // namespace

ClockParameters clockParameters(const std::vector<std::string>& words) {
    ClockParameters parameters;
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        const auto known = std::ranges::find(kParameters, word.substr(0, equals), &Parameter::name);
        if (equals == std::string::npos || known == std::end(kParameters))
            throw UsageError(
                "--clock-parameters: " + word +
                ": expected NAME=VALUE with control, step, message, collective, threads or slope");
        parameters.*(known->member) = valueOf(word, word.substr(equals + 1), *known);
    }
    return parameters;
}

}  // namespace holos::cli
