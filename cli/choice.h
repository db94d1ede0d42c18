// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace holos::cli
