// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/instrumentation/choice.h"

#include <algorithm>
#include <filesystem>

#include "base/function_name.h"

namespace holos::instrumentation {
namespace {

bool isOfTheCompiler(const std::string& symbol) {
    constexpr std::array kBegins{"_GLOBAL__", "_ZTh", "_ZTv", "_ZTc", "_ZTW", "_ZTH"};
    return isOutlinedBody(symbol) || symbol.find("._omp_cpyfn.") != std::string::npos ||
           symbol.ends_with(".resolver") ||
           std::ranges::any_of(kBegins, [&](const char* begin) { return symbol.starts_with(begin); });
}

bool isForeign(const std::string& file) {
    return std::ranges::any_of(kForeignFiles,
                               [&](const char* part) { return file.find(part) != std::string::npos; });
}

bool isTiny(const AssembledFunction& function, unsigned smallest) {
    const bool isMain = function.symbol == "main" || function.symbol == "MAIN__";
    return function.instructions < smallest && !function.hasLoops && !function.hasCalls && !isMain;
}

bool isFilteredOut(const AssembledFunction& function, const Rules& rules) {
    if (rules.filter.isEmpty()) return false;
    const bool isFilesOut =
        !function.file.empty() &&
        rules.filter.excludesFile(std::filesystem::absolute(function.file).lexically_normal());
    return isFilesOut || (rules.isFortran ? rules.filter.excludesProcedure(function.symbol)
                                          : rules.filter.excludesFunction(function.symbol));
}

}  // namespace

bool isWanted(const AssembledFunction& function, const Rules& rules) {
    return !isOfTheCompiler(function.symbol) && !isForeign(function.file) &&
           !isTiny(function, rules.smallest) && !isFilteredOut(function, rules);
}

}  // namespace holos::instrumentation
