// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/words.h"

#include <fmt/format.h>

#include <cmath>

#include "algebra/model/call_names.h"
#include "base/function_name.h"

namespace holos::algebra {

namespace {

/// Three digits without an exponent.
std::string threeDigits(double value) {
    const int behind = value < 10 ? 2 : value < 100 ? 1 : 0;
    return fmt::format("{:.{}f}", value, behind);
}

/// For reading.
std::string nameOf(const Experiment& experiment, CallPathId path) {
    const std::string& name = experiment.regionOf(path).name;
    const std::string shorter = name.size() > ShortNames::kLong ? folded(name, Folding::All) : name;
    const CallPath& call = experiment.callTree[path];
    // Constructs of OpenMP have their place in their names.
    return name.find(" @") != std::string::npos ? shorter : callText(shorter, call);
}

}  // namespace

std::string secondsText(double seconds) {
    constexpr double kMilli = 1e-3, kMicro = 1e-6;
    if (std::fabs(seconds) >= 1 || seconds == 0) return threeDigits(seconds) + " s";
    if (std::fabs(seconds) >= kMilli) return threeDigits(seconds / kMilli) + " ms";
    return threeDigits(seconds / kMicro) + " µs";
}

std::string percentText(double percent) {
    constexpr double kSmall = 9.95;
    return std::fabs(percent) < kSmall ? fmt::format("{:.1f} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string numberText(double number) {
    constexpr double kThousand = 1e3, kMillion = 1e6, kRounded = 0.9995;  // to a million
    if (number >= kRounded * kMillion) return fmt::format("{:.3g} million", number / kMillion);
    return number >= 100 * kThousand ? fmt::format("{:.3g} thousand", number / kThousand)
                                     : fmt::format("{:.0f}", number);
}

std::string pathText(const Experiment& experiment, CallPathId path) {
    constexpr std::size_t kShown = 5;
    std::vector<std::string> names;
    std::optional<CallPathId> at = path;
    for (; at && names.size() < kShown; at = experiment.callTree.parent(*at))
        names.push_back(nameOf(experiment, *at));
    std::string text = at ? "…" : "";
    for (auto name = names.rbegin(); name != names.rend(); ++name)
        text += (text.empty() ? "" : " › ") + *name;
    return text;
}

}  // namespace holos::algebra
