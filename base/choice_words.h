// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace holos {

/// An enum whose values options and files name by words. Its table stands beside it, in its namespace, in the
/// order in which help lists the words:
///
///     enum class Format : unsigned char { Text, Csv };
///     constexpr auto wordsOf(Format) {
///         return std::array{std::pair{"text", Format::Text}, std::pair{"csv", Format::Csv}};
///     }
template <class Choice>
concept NamedChoice = std::is_enum_v<Choice> && requires(Choice choice) {
    wordsOf(choice).front().first;
};

/// Empty for a value that has no word.
template <NamedChoice Choice>
constexpr const char* wordOf(Choice choice) {
    for (const auto& [word, value] : wordsOf(choice))
        if (value == choice) return word;
    return "";
}

/// Nothing for a word that names none.
template <NamedChoice Choice>
constexpr std::optional<Choice> choiceNamed(std::string_view name) {
    for (const auto& [word, value] : wordsOf(Choice{}))
        if (name == word) return value;
    return std::nullopt;
}

}  // namespace holos
