// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>

#include "base/markup.h"

namespace holos::plot {

/// Of lines, one after the other; told apart also by those who cannot tell red from green.
inline constexpr std::array kLineColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                         "#e69f00", "#56b4e9", "#8c6d31", "#636363"};

/// A picture of this size in pixels on white that needs no other file. `style` is CSS, `body` SVG.
inline std::string svgDocument(double width, double height, const std::string& title, const char* style,
                               const std::string& body) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">"
        "<title>{2}</title><style>{3}</style>\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
        "{4}</svg>\n",
        width, height, escaped(title), style, body);
}

/// `kind`: its class in the style.
inline std::string svgText(double x, double y, const char* kind, const std::string& markup) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, kind, markup);
}

inline std::string svgGridLine(double x1, double y1, double x2, double y2) {
    return fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", x1, y1, x2, y2);
}

}  // namespace holos::plot
