// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/choice_words.h"
#include "cli/command.h"

namespace holos::cli {

/// An option that takes one of some words, each of which stands for a value. `value` must outlive the
/// command.
template <class Value>
Option addChoice(Command& command, const std::string& name, Value& value,
                 const std::vector<std::pair<std::string, Value>>& choices, const std::string& help) {
    std::vector<std::string> words;
    for (const auto& choice : choices) words.push_back(choice.first);
    const auto take = [&value, choices](const std::string& word) {
        value = std::ranges::find_if(choices, [&](const auto& each) { return each.first == word; })->second;
    };
    return command.wordOption(name, take, help).oneOf(words);
}

/// An option that takes one of the words of its choice, and shows the one that `value` has now. `value` must
/// outlive the command.
template <NamedChoice Choice>
Option addChoice(Command& command, const std::string& name, Choice& value, const std::string& help) {
    std::vector<std::pair<std::string, Choice>> choices;
    for (const auto& [word, choice] : wordsOf(Choice{})) choices.emplace_back(word, choice);
    return addChoice(command, name, value, choices, help).showDefault(wordOf(value));
}

/// The choice that the ending of an output's name makes: `report.html` is the one whose word is `html`.
template <NamedChoice Choice>
Choice choiceByEnding(const std::filesystem::path& output) {
    const std::string ending = output.extension().string();
    if (const auto choice = ending.empty() ? std::nullopt : choiceNamed<Choice>(ending.substr(1)))
        return *choice;
    std::string known;
    const auto words = wordsOf(Choice{});
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (at > 0) known += at + 1 == words.size() ? " or " : ", ";
        known += std::string(".") + words[at].first;
    }
    throw UsageError("--output: expects a name that ends with " + known);
}

/// How a command prints its result: for people, for spreadsheets, for programs (`inFormat`).
enum class Format : unsigned char { Text, Csv, Json };
constexpr auto wordsOf(Format) {
    return std::array{std::pair{"text", Format::Text}, std::pair{"csv", Format::Csv},
                      std::pair{"json", Format::Json}};
}

/// Of commands whose result is no table.
enum class TextOrJson : unsigned char { Text, Json };
constexpr auto wordsOf(TextOrJson) {
    return std::array{std::pair{"text", TextOrJson::Text}, std::pair{"json", TextOrJson::Json}};
}

/// The result in the format that was chosen: a function for each of the formats, in the order of their words,
/// of which only that one is called. Whoever adds a format adds its word, and the compiler finds all results
/// that lack a function for it.
template <std::size_t kNumber = 0, NamedChoice Choice, class InThis, class... InOthers>
auto inFormat(Choice format, const InThis& inThis, const InOthers&... inOthers) {
    static_assert(kNumber + 1 + sizeof...(InOthers) == wordsOf(Choice{}).size());
    if constexpr (sizeof...(InOthers) == 0) {
        return inThis();
    } else {
        if (format == wordsOf(Choice{})[kNumber].second) return inThis();
        return inFormat<kNumber + 1>(format, inOthers...);
    }
}

template <NamedChoice Choice>
Option addFormat(Command& command, Choice& format, const std::string& help = "How to print the result") {
    return addChoice(command, "--format", format, help);
}

}  // namespace holos::cli
