// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/cubepl/syntax.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace holos::algebra::cubepl {
namespace {

constexpr std::array kFunctions{
    Function{"sqrt", [](double x) { return std::sqrt(x); }, nullptr},
    Function{"sin", [](double x) { return std::sin(x); }, nullptr},
    Function{"asin", [](double x) { return std::asin(x); }, nullptr},
    Function{"cos", [](double x) { return std::cos(x); }, nullptr},
    Function{"acos", [](double x) { return std::acos(x); }, nullptr},
    Function{"tan", [](double x) { return std::tan(x); }, nullptr},
    Function{"atan", [](double x) { return std::atan(x); }, nullptr},
    Function{"exp", [](double x) { return std::exp(x); }, nullptr},
    Function{"log", [](double x) { return std::log(x); }, nullptr},
    Function{"abs", [](double x) { return std::fabs(x); }, nullptr},
    Function{"sgn", [](double x) { return x > 0.0   ? 1.0
                                          : x < 0.0 ? -1.0
                                                    : 0.0; }, nullptr},
    Function{"pos", [](double x) { return x > 0.0 ? x : 0.0; }, nullptr},
    Function{"neg", [](double x) { return x < 0.0 ? x : 0.0; }, nullptr},
    Function{"floor", [](double x) { return std::floor(x); }, nullptr},
    Function{"ceil", [](double x) { return std::ceil(x); }, nullptr},
    Function{"min", nullptr, [](double x, double y) { return y < x ? y : x; }},
    Function{"max", nullptr, [](double x, double y) { return x < y ? y : x; }},
};

}  // namespace

std::optional<std::uint32_t> findFunction(std::string_view name) {
    const auto found = std::ranges::find(kFunctions, name, &Function::name);
    if (found == kFunctions.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - kFunctions.begin());
}

const Function& function(std::uint32_t index) {
    return kFunctions[index];
}

}  // namespace holos::algebra::cubepl
