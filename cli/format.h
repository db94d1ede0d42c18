// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/choice.h"

namespace holos::cli {

/// How a command prints its result: for people, for spreadsheets, for programs. Commands choose by a `switch`
/// without `default`, so that the compiler finds those that a new format is missing in.
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

template <NamedChoice Choice>
Option addFormat(Command& command, Choice& format, const std::string& help = "How to print the result") {
    return addChoice(command, "--format", format, help);
}

}  // namespace holos::cli
