// SPDX-License-Identifier: BSD-3-Clause
#include "base/function_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "base/rust_name.h"

namespace holos {
namespace {

/// What compilers put behind the names of copies of a function, and of bodies of OpenMP constructs in it.
constexpr std::array<std::string_view, 8> kCopies{".constprop", ".isra",    ".part", ".cold",
                                                  ".lto_priv",  "._omp_fn", ".llvm", ".omp_outlined"};
constexpr std::array<std::string_view, 3> kBodies{"._omp_fn.", ".omp_outlined", ".omp_task_entry"};

/// Longer ones are nobody's, and take time.
constexpr std::size_t kLongestSymbol = 1U << 16;

std::string cxxName(const std::string& symbol) {
    int failed = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &failed), &std::free);
    return failed == 0 && text != nullptr ? text.get() : symbol;
}

}  // namespace

std::string demangled(const std::string& symbol) {
    constexpr std::string_view kOfModule = "_MOD_";
    if (const auto at = symbol.find(kOfModule); symbol.starts_with("__") && at != std::string::npos && at > 2)
        return symbol.substr(2, at - 2) + "::" + symbol.substr(at + kOfModule.size());
    // Without these marks, C's `f` and `i` would be types: float and int.
    if (symbol.size() > kLongestSymbol || (!symbol.starts_with("_Z") && !symbol.starts_with("_R")))
        return symbol;
    if (const auto name = rustName(symbol)) return *name;
    return symbol.starts_with("_Z") ? cxxName(symbol) : symbol;
}

std::string_view withoutCopy(std::string_view symbol) {
    std::size_t end = symbol.size();
    for (const std::string_view copy : kCopies) {
        const std::size_t at = symbol.find(copy, 1);
        if (at == std::string_view::npos) continue;
        const std::size_t behind = at + copy.size();
        const bool isWhole = behind == symbol.size() || symbol[behind] == '.' || symbol[behind] == '_';
        if (isWhole) end = std::min(end, at);
    }
    return symbol.substr(0, end);
}

bool isOutlinedBody(std::string_view symbol) {
    return std::any_of(kBodies.begin(), kBodies.end(), [symbol](std::string_view body) {
        return symbol.find(body) != std::string_view::npos;
    });
}

std::string hexadecimal(std::uint64_t value) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), value, 16);
    return "0x" + std::string(digits.begin(), end.ptr);
}

}  // namespace holos
