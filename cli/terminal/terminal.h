// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "analyzer/analyze.h"
#include "base/printable.h"

namespace holos::cli {

/// How text is to be laid out for where standard output goes.
struct Style {
    bool colours = false;   ///< on a terminal, unless NO_COLOR is set
    std::size_t width = 0;  ///< columns of the terminal; 0: lines may be as long as they want

    std::string strong(std::string_view text) const;  ///< for headings
    std::string faint(std::string_view text) const;   ///< for what matters less
    std::string alert(std::string_view text) const;   ///< for what costs time
};

Style styleOfOutput();

/// Writes to standard output; throws `holos::Error` when it does not take it. Nothing in the text steers a
/// terminal but the colours of `Style`; to files and pipes it goes as it is.
void print(std::string_view text);

/// Writes `holos: TEXT` to standard error, without what would steer a terminal.
void complain(std::string_view text);

/// The text in lines as long as the terminal allows, or of 100 columns where there is none; the first begins
/// with `first`, the others with as many blanks; a number and its unit stay together. Ends with a line's end.
std::string wrapped(const std::string& text, std::string_view first, const Style& style);

/// A function that draws the part done as a bar on standard error, with events per second and the time left;
/// empty when standard error is no terminal and `force` is not set. Not for several threads at the same time.
std::function<void(const analyzer::AnalysisProgress&)> progressBar(const std::string& label, bool force);

}  // namespace holos::cli
