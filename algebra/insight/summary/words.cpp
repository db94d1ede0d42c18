// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/words.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "algebra/model/call_names.h"
#include "base/function_name.h"

namespace holos::algebra {

namespace {

/// Three digits without an exponent.
std::string threeDigits(double value) {
    const int behind = value < 10 ? 2 : value < 100 ? 1 : 0;
    return fmt::format("{:.{}f}", value, behind);
}

/// A function of the C++ library: who reads where time is spent looks for functions of the program.
bool isOfCppLibrary(const Region& region) {
    const std::string_view module = region.module;
    const std::size_t slash = module.rfind('/');
    const std::string_view file = slash == module.npos ? module : module.substr(slash + 1);
    const std::size_t include = module.find("/include/");
    return (include != module.npos && module.find("/c++/", include) != module.npos) ||
           file.starts_with("libstdc++.so") || file.starts_with("libc++.so");
}

/// Of the name of something that a lambda is given to: `f()::{lambda()#1}` of
/// `std::thread::_Invoker<std::tuple<f()::{lambda()#1}, int> >`. Empty where there is none.
std::string_view lambdaIn(std::string_view name) {
    constexpr std::string_view kBegin = "{lambda(";
    const std::size_t at = name.find(kBegin), end = name.find('}', at == name.npos ? 0 : at);
    if (at == name.npos || end == name.npos) return {};
    std::size_t begin = at;
    for (int depth = 0; begin > 0; --begin) {
        const char before = name[begin - 1];
        if (before == ')' || before == '>') ++depth;
        if (depth == 0 && (before == '<' || before == ',' || before == ' ')) break;
        if (before == '(' || before == '<') --depth;
    }
    return name.substr(begin, end + 1 - begin);
}

/// What the library's functions that call a lambda are made for; a lambda itself has no name.
std::string lambdaOf(const Experiment& experiment, CallPathId path) {
    constexpr std::string_view kNameless = "operator()(";
    if (!experiment.regionOf(path).name.starts_with(kNameless)) return {};
    for (auto caller = experiment.callTree.parent(path);
         caller && isOfCppLibrary(experiment.regionOf(*caller)); caller = experiment.callTree.parent(*caller))
        if (const std::string_view lambda = lambdaIn(experiment.regionOf(*caller).name); !lambda.empty())
            return std::string(lambda);
    return {};
}

bool isCalledByCppLibrary(const Experiment& experiment, CallPathId path) {
    const auto caller = experiment.callTree.parent(path);
    return caller && isOfCppLibrary(experiment.regionOf(*caller));
}

/// Whether it is of the C++ library, and neither the end of a call path nor what the program calls of it.
bool isLeftOut(const Experiment& experiment, CallPathId path, CallPathId end) {
    if (path == end || !isOfCppLibrary(experiment.regionOf(path))) return false;
    const auto caller = experiment.callTree.parent(path);
    return !caller || isCalledByCppLibrary(experiment, path) || experiment.regionOf(*caller).module.empty();
}

/// For reading.
std::string nameOf(const Experiment& experiment, CallPathId path) {
    if (std::string lambda = lambdaOf(experiment, path); !lambda.empty()) return lambda;
    const std::string& name = experiment.regionOf(path).name;
    const std::string shorter = name.size() > ShortNames::kLong ? folded(name, Folding::All) : name;
    const CallPath& call = experiment.callTree[path];
    // Constructs of OpenMP have their place in their names; a line of the library tells nobody anything.
    return name.find(" @") != std::string::npos || isCalledByCppLibrary(experiment, path)
               ? shorter
               : callText(shorter, call);
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
    constexpr const char* kSeparator = " › ";
    std::vector<std::string> names;
    std::size_t shown = 0;
    std::optional<CallPathId> at = path;
    for (; at && shown < kShown; at = experiment.callTree.parent(*at)) {
        const bool isPart = isLeftOut(experiment, *at, path);
        if (!isPart) ++shown;
        if (!isPart || names.back() != "…") names.push_back(isPart ? "…" : nameOf(experiment, *at));
    }
    if (at && names.back() != "…") names.emplace_back("…");
    std::string text;
    for (auto name = names.rbegin(); name != names.rend(); ++name)
        text += (text.empty() ? "" : kSeparator) + *name;
    return text;
}

}  // namespace holos::algebra
