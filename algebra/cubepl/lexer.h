// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holos::algebra::cubepl {

struct Token {
    enum class Kind : unsigned char {
        Number,    ///< `1.5`
        Name,      ///< `sqrt`, `metric`, `if`
        Variable,  ///< `${name}`; the text is the name
        String,    ///< `"text"`; the text is without quotes and escapes
        Pattern,   ///< `/regular expression/`, only behind `=~`; without the slashes
        Body,      ///< `<<program>>`, the expression of a metric that the program defines
        Symbol,    ///< operators and brackets, longest first: `<=`, `::`, `{`
        End,
    };
    Kind kind = Kind::End;
    std::string text;
    double number = 0.0;
    std::size_t offset = 0;  ///< of the first character
};

/// Splits a CubePL program into tokens; the last one is End. `//` comments are skipped.
/// Throws `holos::Error` with the column of a character that begins no token.
std::vector<Token> tokenize(std::string_view program);

}  // namespace holos::algebra::cubepl
