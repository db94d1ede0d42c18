// SPDX-License-Identifier: BSD-3-Clause
#include "base/function_name.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "base/rust_v0.h"
#include "base/text.h"

namespace holos {
namespace {

constexpr std::size_t kHash = 20;  // 17h, sixteen digits, E

bool isHexadecimal(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f');
}

bool endsWithHash(std::string_view symbol) {
    if (symbol.size() < kHash) return false;
    const std::string_view hash = symbol.substr(symbol.size() - kHash);
    return hash.starts_with("17h") && hash.back() == 'E' &&
           hash.substr(3, kHash - 4).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// `LT`, `u7e`: what stands between two dollars for one character; 0 where it is none of these.
char escaped(std::string_view code) {
    constexpr std::pair<std::string_view, char> kCodes[] = {{"SP", '@'}, {"BP", '*'}, {"RF", '&'},
                                                            {"LT", '<'}, {"GT", '>'}, {"LP", '('},
                                                            {"RP", ')'}, {"C", ','}};
    for (const auto& [known, character] : kCodes)
        if (code == known) return character;
    if (code.size() != 3 || code[0] != 'u' || !isHexadecimal(code[1]) || !isHexadecimal(code[2])) return 0;
    const auto character = static_cast<char>(std::stoi(std::string(code.substr(1)), nullptr, 16));
    return character >= ' ' && character < '\x7f' ? character : '\0';
}

/// A part of a path, such as `_$LT$impl$u20$core..fmt..Debug$GT$`.
std::string unescaped(std::string_view part) {
    if (part.starts_with("_$")) part.remove_prefix(1);
    std::string text;
    while (!part.empty()) {
        const std::size_t end = part.front() == '$' ? part.find('$', 1) : std::string_view::npos;
        const char character = end != std::string_view::npos ? escaped(part.substr(1, end - 1)) : '\0';
        const bool isSeparator = part.starts_with("..");
        if (character != '\0')
            text += character;
        else if (isSeparator)
            text += "::";
        else
            text += part.front();
        part.remove_prefix(character != '\0' ? end + 1 : isSeparator ? 2 : 1);
    }
    return text;
}

std::optional<std::string> legacyName(std::string_view symbol) {
    if (!symbol.starts_with("_ZN") || !endsWithHash(symbol)) return {};
    std::string_view rest = symbol.substr(3, symbol.size() - 3 - kHash);
    std::string text;
    while (!rest.empty()) {
        std::size_t length = 0;
        while (!rest.empty() && isDigit(rest.front()) && length <= symbol.size()) {
            length = length * 10 + static_cast<std::size_t>(rest.front() - '0');
            rest.remove_prefix(1);
        }
        if (length == 0 || length > rest.size()) return {};
        text += (text.empty() ? "" : "::") + unescaped(rest.substr(0, length));
        rest.remove_prefix(length);
    }
    if (text.empty()) return {};
    return text;
}

}  // namespace

std::optional<std::string> rustName(std::string_view symbol) {
    return symbol.starts_with("_R") ? rustV0Name(symbol.substr(2)) : legacyName(symbol);
}

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
