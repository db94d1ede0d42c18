// SPDX-License-Identifier: BSD-3-Clause
#include "base/shell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace holos {
namespace {

constexpr std::string_view kPlain = "_-+=./:,@%";

}  // namespace

std::string shellWord(const std::string& word) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || kPlain.find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (plain) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + '\'';
}

std::string shellLine(const std::vector<std::string>& words) {
    std::vector<std::string> safe;
    for (const std::string& word : words) safe.push_back(shellWord(word));
    return fmt::format("{}", fmt::join(safe, " "));
}

}  // namespace holos
