// SPDX-License-Identifier: BSD-3-Clause
#include "validation/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "base/markup.h"

namespace holos::validation {
namespace {

// Pixels.
constexpr double kLeft = 80.0, kTop = 40.0, kWidth = 520.0, kHeight = 360.0, kRight = 24.0, kBottom = 64.0;
constexpr double kRadius = 3.5, kCap = 4.0, kTextRow = 16.0;
constexpr std::array kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7"};

constexpr const char* kStyle =
    "text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:15px;font-weight:600}"
    ".x{text-anchor:middle;font-size:11px}.y{text-anchor:end;font-size:11px}.grid{stroke:#e3e3e3}"
    ".frame{fill:none;stroke:#bbb}.line{fill:none;stroke-width:1.6}.predicted{stroke:#888;stroke-dasharray:5 "
    "4}";

/// A part of a logarithmic axis, from one power of ten to another.
struct Decades {
    int first = 0;
    int last = 1;

    double partOf(double value) const {
        const double decade =
            std::clamp(std::log10(value), static_cast<double>(first), static_cast<double>(last));
        return (decade - first) / (last - first);
    }
};

/// The decades that hold all of these values but those up to 0, which are shown at the lower end of the axis.
Decades decadesOf(const std::vector<double>& values) {
    Decades decades{0, 1};
    bool isFirst = true;
    for (const double value : values) {
        if (!(value > 0)) continue;
        constexpr double kOfADecade = 0.02;  // what reaches a little beyond a power of ten needs no other one
        const double decade = std::log10(value);
        const auto low = static_cast<int>(std::floor(decade + kOfADecade));
        const auto high = static_cast<int>(std::ceil(decade - kOfADecade));
        decades.first = isFirst ? low : std::min(decades.first, low);
        decades.last = isFirst ? high : std::max(decades.last, high);
        isFirst = false;
    }
    decades.last = std::max(decades.last, decades.first + 1);
    return decades;
}

class Picture {
  public:
    explicit Picture(const std::vector<const Suite*>& suites) : suites_(suites) {
        std::vector<double> predicted, reported;
        for (const Suite* suite : suites)
            for (const Case& one : suite->cases) {
                predicted.push_back(one.predicted);
                reported.insert(reported.end(), {one.predicted, one.mean, one.mean + one.deviation});
            }
        x_ = decadesOf(predicted);
        y_ = decadesOf(reported);
    }

    std::string take() {
        const std::string title = suites_.front()->event + ", " + suites_.front()->microbenchmark;
        text(kLeft, kTop - 16.0, "title", escaped(title));
        marks();
        path("predicted", xOf(power(x_.first)), yOf(power(x_.first)), xOf(power(x_.last)),
             yOf(power(x_.last)));
        for (std::size_t i = 0; i < suites_.size(); ++i) draw(*suites_[i], i);
        body_ += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", kLeft,
                             kTop, kWidth, kHeight);
        text(kLeft + kWidth / 2, kTop + kHeight + 2 * kTextRow + 2, "x", "predicted");
        text(kLeft - 6.0, kTop - 16.0, "y", "reported");
        const double width = kLeft + kWidth + kRight;
        const double height = kTop + kHeight + kBottom + kTextRow * static_cast<double>(suites_.size() - 1);
        return fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">"
            "<title>{2}</title><style>{3}</style>\n<rect width=\"{0}\" height=\"{1}\" "
            "fill=\"white\"/>\n{4}</svg>\n",
            width, height, escaped(title), kStyle, body_);
    }

  private:
    static std::string powerText(int decade) {
        constexpr std::array kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
        std::string text = decade < 0 ? "10⁻" : "10";
        for (const char digit : std::to_string(std::abs(decade)))
            text += kDigits[static_cast<std::size_t>(digit - '0')];
        return text;
    }
    static double power(int decade) { return std::pow(10.0, decade); }
    double xOf(double value) const { return kLeft + kWidth * x_.partOf(value); }
    double yOf(double value) const { return kTop + kHeight * (1.0 - (value > 0 ? y_.partOf(value) : 0.0)); }

    void text(double x, double y, const char* kind, const std::string& markup) {
        body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, kind, markup);
    }
    void path(const char* kind, double x1, double y1, double x2, double y2, const std::string& more = "") {
        body_ += fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"{}/>\n", kind, x1, y1, x2,
                             y2, more);
    }

    void marks() {
        for (int decade = x_.first; decade <= x_.last; ++decade) {
            const double x = xOf(power(decade));
            path("grid", x, kTop, x, kTop + kHeight);
            text(x, kTop + kHeight + kTextRow, "x", powerText(decade));
        }
        for (int decade = y_.first; decade <= y_.last; ++decade) {
            const double y = yOf(power(decade));
            path("grid", kLeft, y, kLeft + kWidth, y);
            text(kLeft - 6.0, y + 4.0, "y", powerText(decade));
        }
    }

    void draw(const Suite& suite, std::size_t number) {
        const char* const colour = kColours[number % kColours.size()];
        const std::string stroke = fmt::format(" stroke=\"{}\"", colour);
        std::string line;
        for (const Case& one : suite.cases) {
            const double x = xOf(one.predicted), y = yOf(one.mean);
            line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", x, y);
            const double high = yOf(one.mean + one.deviation), low = yOf(one.mean - one.deviation);
            path("line", x, high, x, low, stroke);
            path("line", x - kCap, high, x + kCap, high, stroke);
            path("line", x - kCap, low, x + kCap, low, stroke);
            body_ += fmt::format(
                "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"><title>{}</title></circle>\n", x, y,
                kRadius, colour, escaped(caseText(one)));
        }
        body_ += fmt::format("<path class=\"line\" d=\"{}\"{}/>\n", line, stroke);
        text(kLeft, kTop + kHeight + 3 * kTextRow + kTextRow * static_cast<double>(number), "legend",
             fmt::format("<tspan fill=\"{}\">●</tspan> processor {}: error {}", colour, suite.processor,
                         escaped(suite.cases.empty() ? "unknown" : diagnosisText(diagnose(suite.cases)))));
    }

    static std::string caseText(const Case& one) {
        return fmt::format("predicted {:g}, reported {:.7g}, standard deviation {:.3g}, {} runs",
                           one.predicted, one.mean, one.deviation, one.runs);
    }

    const std::vector<const Suite*>& suites_;
    Decades x_, y_;
    std::string body_;
};

std::string fileName(const Suite& suite) {
    std::string name = suite.event + "-" + suite.microbenchmark;
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.') c = '_';
    return name;
}

}  // namespace

std::vector<Plot> plotsOf(const Validation& validation) {
    std::vector<std::vector<const Suite*>> together;
    for (const Suite& suite : validation.suites) {
        const auto same = std::ranges::find_if(together, [&](const auto& others) {
            return others.front()->event == suite.event &&
                   others.front()->microbenchmark == suite.microbenchmark;
        });
        if (same != together.end())
            same->push_back(&suite);
        else
            together.push_back({&suite});
    }
    std::vector<Plot> plots;
    for (const auto& suites : together) {
        std::string name = fileName(*suites.front());
        const auto isTaken = [&](const std::string& one) {
            return std::ranges::any_of(plots, [&](const Plot& plot) { return plot.name == one; });
        };
        for (int copy = 2; isTaken(name); ++copy)
            name = fileName(*suites.front()) + "-" + std::to_string(copy);
        plots.push_back({std::move(name), Picture(suites).take()});
    }
    return plots;
}

}  // namespace holos::validation
