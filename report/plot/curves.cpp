// SPDX-License-Identifier: BSD-3-Clause
#include "report/plot/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/markup.h"
#include "base/printable.h"
#include "report/plot/plot.h"
#include "report/plot/svg_document.h"

namespace holos::plot {

using namespace algebra::scaling;

namespace {

constexpr double kRounding = 1e-9;

}  // namespace

void LogarithmicAxis::extend(double value) {
    if (!(value > 0) || !std::isfinite(value)) return;
    low = isEmpty ? value : std::min(low, value);
    high = isEmpty ? value : std::max(high, value);
    isEmpty = false;
}

void LogarithmicAxis::roundToPowers() {
    low = std::pow(10.0, std::floor(std::log10(low) + kRounding));
    high = std::pow(10.0, std::ceil(std::log10(high) - kRounding));
    if (high <= low) high = 10 * low;
}

double LogarithmicAxis::placeOf(double value) const {
    return high > low ? std::log(value / low) / std::log(high / low) : 0.5;
}

LogarithmicAxis acrossOf(const Curves& curves) {
    LogarithmicAxis axis;
    for (const Curve& curve : curves.curves)
        for (const auto* points : {&curve.measured, &curve.law})
            for (const PlacedValue& point : *points) axis.extend(point.x);
    return axis;
}

LogarithmicAxis upOf(const Curves& curves) {
    LogarithmicAxis axis;
    for (const Curve& curve : curves.curves) {
        for (const auto* points : {&curve.measured, &curve.law})
            for (const PlacedValue& point : *points) axis.extend(point.y);
        axis.extend(curve.high.y);
    }
    axis.roundToPowers();
    // A law that falls to nothing would press all others together.
    constexpr double kMost = 1e6;
    axis.low = std::max(axis.low, axis.high / kMost);
    return axis;
}

bool LogarithmicAxis::holds(double value) const {
    return value > 0 && value >= low * (1 - kRounding) && value <= high * (1 + kRounding);
}

std::vector<double> LogarithmicAxis::powers() const {
    std::vector<double> powers;
    for (double power = low; power <= high * (1 + kRounding); power *= 10) powers.push_back(power);
    return powers;
}

std::vector<double> marksAcross(const Curves& curves) {
    std::vector<double> marks;
    for (const Curve& curve : curves.curves) {
        for (const PlacedValue& point : curve.measured) marks.push_back(point.x);
        if (!curve.law.empty()) marks.push_back(curve.law.back().x);
    }
    std::ranges::sort(marks);
    marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
    return marks;
}

namespace {

constexpr std::size_t kWidth = 64, kHeight = 16, kMargin = 9;

class Canvas {
  public:
    explicit Canvas(const Curves& curves)
        : across_(acrossOf(curves)), up_(upOf(curves)), rows_(kHeight, std::string(kWidth, ' ')) {}

    void put(const PlacedValue& point, char letter) {
        if (!(point.x > 0) || !up_.holds(point.y)) return;
        const double x = across_.placeOf(point.x) * (kWidth - 1);
        const double y = up_.placeOf(point.y) * (kHeight - 1);
        rows_[kHeight - 1 - static_cast<std::size_t>(std::lround(std::clamp(y, 0.0, kHeight - 1.0)))]
             [static_cast<std::size_t>(std::lround(std::clamp(x, 0.0, kWidth - 1.0)))] = letter;
    }

    std::string text() const {
        std::string text;
        for (std::size_t row = 0; row < kHeight; ++row)
            text += fmt::format("{:>{}} |{}\n", markOf(row), kMargin, withoutBlanksBehind(rows_[row]));
        text += std::string(kMargin + 1, ' ') + '+' + std::string(kWidth, '-') + '\n';
        const std::string from = fmt::format("{:.6g}", across_.low), to = fmt::format("{:.6g}", across_.high);
        return text + fmt::format("{:{}}{}{:>{}}\n", "", kMargin + 2, from, to, kWidth - from.size());
    }

  private:
    static std::string withoutBlanksBehind(const std::string& row) {
        return row.substr(0, row.find_last_not_of(' ') + 1);
    }
    /// At the row that is next to a power of ten.
    std::string markOf(std::size_t row) const {
        const auto rowOf = [&](double value) {
            return kHeight - 1 - static_cast<std::size_t>(std::lround(up_.placeOf(value) * (kHeight - 1)));
        };
        for (double power = up_.low; power <= up_.high * (1 + 1e-9); power *= 10)
            if (rowOf(power) == row) return shortNumber(power);
        return {};
    }

    LogarithmicAxis across_;
    LogarithmicAxis up_;
    std::vector<std::string> rows_;
};

}  // namespace

std::string curvesText(const Curves& curves) {
    if (upOf(curves).isEmpty) return {};
    Canvas canvas(curves);
    constexpr std::size_t kLetters = 26;
    const std::size_t count = std::min(curves.curves.size(), kLetters);
    for (std::size_t i = 0; i < count; ++i)
        for (const PlacedValue& point : curves.curves[i].law) canvas.put(point, static_cast<char>('a' + i));
    for (std::size_t i = 0; i < count; ++i)
        for (const PlacedValue& point : curves.curves[i].measured)
            canvas.put(point, static_cast<char>('A' + i));
    std::string text = curves.title + "; up: " + curves.up + ", across: " + curves.across + '\n';
    text += canvas.text();
    for (std::size_t i = 0; i < count; ++i)
        text += fmt::format("{:>{}} {}\n", static_cast<char>('A' + i), kMargin, curves.curves[i].name);
    return text;
}

namespace {

// Pixels.
constexpr double kFromLeft = 80, kFromTop = 50, kAcross = 560, kUp = 340, kBelow = 50, kNameRow = 18;
constexpr double kNames = 360;
constexpr std::size_t kLongest = 52;

constexpr const char* kLook =
    "text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:15px;font-weight:600}"
    ".right{text-anchor:end}.middle{text-anchor:middle}.grid{stroke:#e3e3e3}"
    ".frame{fill:none;stroke:#bbb}.law{fill:none;stroke-width:1.6}.bound{stroke-width:3;stroke-opacity:.35}";

class GrowthPicture {
  public:
    explicit GrowthPicture(const Curves& curves)
        : curves_(curves), across_(acrossOf(curves)), up_(upOf(curves)) {}

    std::string take() {
        text(kFromLeft, 22, "title", escaped(curves_.title));
        text(kFromLeft, 42, "", escaped(curves_.up));
        marks();
        for (std::size_t i = 0; i < curves_.curves.size(); ++i)
            draw(curves_.curves[i], kLineColours[i % kLineColours.size()], i);
        body_ += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                             kFromLeft, kFromTop, kAcross, kUp);
        text(kFromLeft + kAcross / 2, kFromTop + kUp + 40, "middle", escaped(curves_.across));
        const double width = kFromLeft + kAcross + 20 + kNames, height = kFromTop + kUp + kBelow;
        return svgDocument(width, height, curves_.title, kLook, body_);
    }

  private:
    double xOf(double value) const { return kFromLeft + kAcross * across_.placeOf(value); }
    double yOf(double value) const { return kFromTop + kUp * (1 - up_.placeOf(value)); }
    bool isShown(const PlacedValue& point) const { return point.x > 0 && up_.holds(point.y); }

    void text(double x, double y, const char* kind, const std::string& markup) {
        body_ += svgText(x, y, kind, markup);
    }
    void line(double x1, double y1, double x2, double y2) { body_ += svgGridLine(x1, y1, x2, y2); }

    void marks() {
        for (const double power : up_.powers()) {
            line(kFromLeft, yOf(power), kFromLeft + kAcross, yOf(power));
            text(kFromLeft - 6, yOf(power) + 4, "right", shortNumber(power));
        }
        double last = -1e9;
        for (const double x : marksAcross(curves_)) {
            line(xOf(x), kFromTop, xOf(x), kFromTop + kUp);
            if (xOf(x) - last < 30) continue;
            last = xOf(x);
            text(last, kFromTop + kUp + 18, "middle", fmt::format("{:.6g}", x));
        }
    }

    void draw(const Curve& curve, const char* colour, std::size_t number) {
        std::string path;
        for (const PlacedValue& point : curve.law) {
            if (!isShown(point)) continue;
            path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', xOf(point.x), yOf(point.y));
        }
        if (!path.empty())
            body_ += fmt::format("<path class=\"law\" stroke=\"{}\" d=\"{}\"/>\n", colour, path);
        if (curve.high.y > 0)
            body_ += fmt::format("<path class=\"bound\" stroke=\"{}\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n",
                                 colour, xOf(curve.high.x) - 4 * static_cast<double>(number),
                                 yOf(curve.high.y), yOf(std::max(curve.low.y, up_.low)));
        for (const PlacedValue& point : curve.measured)
            if (isShown(point))
                body_ += fmt::format(
                    "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\" fill=\"{}\"><title>{}: "
                    "{}</title></circle>\n",
                    xOf(point.x), yOf(point.y), colour, shortNumber(point.x), shortNumber(point.y));
        text(kFromLeft + kAcross + 24, kFromTop + 14 + kNameRow * static_cast<double>(number), "",
             fmt::format("<title>{}</title><tspan fill=\"{}\">●</tspan> {}", escaped(curve.name), colour,
                         escaped(keepEnd(curve.name, kLongest))));
    }

    const Curves& curves_;
    LogarithmicAxis across_;
    LogarithmicAxis up_;
    std::string body_;
};

}  // namespace

std::string svgOf(const Curves& curves) {
    return GrowthPicture(curves).take();
}

namespace {

constexpr int kSteps = 120;

/// The sizes that differ from the largest one in the first parameter only.
std::vector<std::size_t> groupsAlong(const Study& study) {
    const Point& largest = study.groups().back().at;
    std::vector<std::size_t> groups;
    for (std::size_t i = 0; i < study.groups().size(); ++i)
        if (std::equal(largest.begin() + 1, largest.end(), study.groups()[i].at.begin() + 1))
            groups.push_back(i);
    return groups;
}

}  // namespace

Curve curveOf(const Study& study, const Growing& growing, const Point& at, std::string name) {
    Curve curve{std::move(name), {}, {}};
    const auto& groups = study.groups();
    const std::vector<std::size_t> along = groupsAlong(study);
    for (const std::size_t i : along) curve.measured.push_back({groups[i].at.front(), growing.measured[i]});
    const double largest = groups.back().at.front();
    const double from = groups[along.front()].at.front();
    const double to = at.front();
    for (int step = 0; step <= kSteps; ++step) {
        const double x = from * std::pow(to / from, static_cast<double>(step) / kSteps);
        Point place = x > largest ? at : groups.back().at;
        place.front() = x;
        curve.law.push_back({x, growing.model.model().at(place)});
    }
    curve.low = {to, growing.predicted.low};
    curve.high = {to, growing.predicted.high};
    return curve;
}

std::string withUnit(const Study& study, const std::string& metric) {
    std::string unit;
    for (std::size_t run = 0; unit.empty() && run < study.runs().size(); ++run)
        if (const auto found = study.experiment(run).findMetric(metric))
            unit = study.experiment(run).metrics[*found].unit;
    return unit.empty() ? metric : metric + " (" + (unit == "sec" ? "s" : unit) + ")";
}

}  // namespace holos::plot
