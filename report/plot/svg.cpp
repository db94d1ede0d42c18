// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/markup.h"
#include "base/printable.h"
#include "report/plot/plot.h"
#include "report/plot/svg_document.h"

namespace holos::plot {

namespace {

// Pixels.
constexpr double kLeft = 110.0, kWidth = 820.0, kRight = 30.0;
constexpr double kTitle = 34.0, kRow = 14.0, kLegend = 20.0;
constexpr std::size_t kNamesInRow = 4, kLongestName = 26;
constexpr double kHeading = 30.0, kHeight = 90.0;
constexpr double kTimeAxis = 44.0;
constexpr double kOfAll = 0.15, kOfHalf = 0.3;  // opacity of bands

constexpr std::array kRegionColours{"#aec7e8", "#ffbb78", "#98df8a", "#ff9896",
                                    "#c5b0d5", "#c49c94", "#dbdb8d", "#9edae5"};
constexpr const char* kOtherRegions = "#dddddd";

constexpr const char* kStyle =
    "text{font:12px system-ui,sans-serif;fill:#333}"
    ".title{font-size:15px;font-weight:600}.metric{font-weight:600}.mark{text-anchor:end;font-size:11px}"
    ".time{text-anchor:middle;font-size:11px}.name{text-anchor:end;font-size:11px}"
    ".grid{stroke:#e3e3e3}.frame{fill:none;stroke:#bbb}.line{fill:none;stroke-width:1.6}";

const char* colourOfRegion(std::size_t region) {
    return region < kRegionColours.size() ? kRegionColours[region] : kOtherRegions;
}

/// Draws from top to bottom.
class Picture {
  public:
    explicit Picture(const Plot& plot) : plot_(plot) {}

    std::string take() {
        text(kLeft, kTitle - 14.0, "title", escaped(plot_.title));
        below_ = kTitle;
        activities();
        for (const Panel& panel : plot_.panels) draw(panel);
        timeMarks();
        const double width = kLeft + kWidth + kRight, height = below_ + kTimeAxis;
        return svgDocument(width, height, plot_.title, kStyle, body_);
    }

  private:
    double xOf(double part) const { return kLeft + kWidth * part / static_cast<double>(plot_.parts); }

    double yOf(double value, const Axis& axis) const {
        return below_ + kHeight * (axis.high - value) / (axis.high - axis.low);
    }

    void text(double x, double y, const char* kind, const std::string& markup) {
        body_ += svgText(x, y, kind, markup);
    }

    void line(double x1, double y1, double x2, double y2) { body_ += svgGridLine(x1, y1, x2, y2); }

    /// A bar for each process, coloured by what it did.
    void activities() {
        if (plot_.activities.empty()) return;
        for (const Activity& each : plot_.activities) {
            text(kLeft - 6.0, below_ + kRow - 4.0, "name", escaped(each.process));
            bar(each);
            below_ += kRow;
        }
        if (plot_.processes != 0) {
            text(kLeft, below_ + kRow - 2.0, "legend",
                 fmt::format("the first {} of {} processes", plot_.activities.size(), plot_.processes));
            below_ += kRow;
        }
        legend();
    }

    static double meanOf(const std::vector<double>& values, std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t at = begin; at < end; ++at) sum += values[at];
        return sum / static_cast<double>(end - begin);
    }

    void bar(const Activity& activity) {
        const auto& parts = activity.parts;
        for (std::size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
            while (end < parts.size() && parts[end] == parts[begin]) ++end;
            if (!parts[begin]) continue;
            body_ += fmt::format(
                "<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"><title>{}, "
                "{:.0f} %</title></rect>\n",
                xOf(static_cast<double>(begin)), below_,
                kWidth * static_cast<double>(end - begin) / static_cast<double>(plot_.parts), kRow - 2.0,
                colourOfRegion(*parts[begin]), escaped(plot_.regions[*parts[begin]].name),
                100 * meanOf(activity.shares, begin, end));
        }
    }

    void legend() {
        below_ += kLegend - kRow;
        for (std::size_t at = 0; at < plot_.regions.size() && at <= kRegionColours.size(); ++at) {
            if (at % kNamesInRow == 0) below_ += kRow;
            const bool isNamed = at < kRegionColours.size();
            text(kLeft + kWidth * static_cast<double>(at % kNamesInRow) / kNamesInRow, below_ - 4.0, "legend",
                 fmt::format("<tspan fill=\"{}\">■</tspan> {}", colourOfRegion(at),
                             isNamed ? escaped(keepBegin(plot_.regions[at].name, kLongestName)) : "others"));
        }
    }

    void draw(const Panel& panel) {
        heading(panel);
        below_ += kHeading;
        const Axis axis = axisOf(panel);
        marks(axis);
        if (panel.spread)
            spread(panel, axis);
        else
            for (std::size_t at = 0; at < panel.lines.size(); ++at)
                curve(panel.lines[at], axis, kLineColours[at % kLineColours.size()]);
        body_ += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\"/>\n",
                             kLeft, below_, kWidth, kHeight);
        below_ += kHeight;
    }

    /// With the names of the lines, as far as their colours differ.
    void heading(const Panel& panel) {
        std::string markup =
            fmt::format("<title>{}</title><tspan class=\"metric\">{}</tspan> {}&#160;&#160; ",
                        escaped(panel.description), escaped(panel.metric), escaped(panel.unit));
        if (panel.spread)
            markup += spreadLegend(*panel.spread);
        else if (panel.lines.size() <= kLineColours.size())
            for (std::size_t at = 0; at < panel.lines.size(); ++at)
                markup += fmt::format("<tspan fill=\"{}\">— {}</tspan>&#160; ", kLineColours[at],
                                      escaped(panel.lines[at].name));
        else
            markup += fmt::format("{} locations", panel.lines.size());
        text(kLeft, below_ + kHeading - 8.0, "heading", markup);
    }

    void marks(const Axis& axis) {
        const auto count = static_cast<int>(std::lround((axis.high - axis.low) / axis.step));
        for (int mark = 0; mark <= count; ++mark) {
            const double y = below_ + kHeight * (1.0 - static_cast<double>(mark) / count);
            line(kLeft, y, kLeft + kWidth, y);
            text(kLeft - 6.0, y + 4.0, "mark", shortNumber(axis.low + axis.step * mark));
        }
    }

    static std::string spreadLegend(const Spread& spread) {
        return fmt::format(
            "<tspan fill=\"{0}\" fill-opacity=\"{1}\">■</tspan> minimum to maximum of {2} "
            "locations&#160;&#160; <tspan fill=\"{0}\" fill-opacity=\"{3}\">■</tspan> the middle "
            "half&#160;&#160; <tspan fill=\"{0}\">— median</tspan>&#160;&#160; <tspan fill=\"{4}\">— "
            "mean</tspan>",
            kLineColours[0], 2 * kOfAll, spread.locations, 2 * kOfHalf, kLineColours[1]);
    }

    void spread(const Panel& panel, const Axis& axis) {
        const auto line = [&](SpreadLine one) -> const Line& { return lineOf(panel, one); };
        band(line(SpreadLine::Minimum), line(SpreadLine::Maximum), axis, kOfAll);
        band(line(SpreadLine::LowerQuartile), line(SpreadLine::UpperQuartile), axis, kOfHalf);
        curve(line(SpreadLine::Mean), axis, kLineColours[1]);
        curve(line(SpreadLine::Median), axis, kLineColours[0]);
    }

    /// From one line to the other in each part.
    void band(const Line& low, const Line& high, const Axis& axis, double opacity) {
        std::string path;
        for (std::size_t part = 0; part < low.means.size(); ++part) {
            if (!std::isfinite(low.means[part])) continue;
            const auto at = static_cast<double>(part);
            path += fmt::format("M{:.2f} {:.1f}H{:.2f}V{:.1f}H{:.2f}z", xOf(at), yOf(low.means[part], axis),
                                xOf(at + 1.0), yOf(high.means[part], axis), xOf(at));
        }
        if (!path.empty())
            body_ += fmt::format("<path fill=\"{}\" fill-opacity=\"{}\" d=\"{}\"/>\n", kLineColours[0],
                                 opacity, path);
    }

    /// Steps, with gaps where nothing is known.
    void curve(const Line& line, const Axis& axis, const char* colour) {
        std::string path;
        bool isOpen = false;
        for (std::size_t part = 0; part < line.means.size(); ++part) {
            const double value = line.means[part];
            if (std::isfinite(value)) {
                const double y = yOf(value, axis);
                const auto at = static_cast<double>(part);
                path += isOpen ? fmt::format("V{:.1f}", y) : fmt::format("M{:.2f} {:.1f}", xOf(at), y);
                path += fmt::format("H{:.2f}", xOf(at + 1.0));
            }
            isOpen = std::isfinite(value);
        }
        if (!path.empty())
            body_ += fmt::format("<path class=\"line\" stroke=\"{}\" d=\"{}\"/>\n", colour, path);
    }

    void timeMarks() {
        const double step = axisBetween(plot_.from, plot_.to).step / 2.0;  // the page is wider than high
        for (double time = step * std::ceil(plot_.from / step - 1e-9); time <= plot_.to * (1.0 + 1e-9);
             time += step)
            text(kLeft + kWidth * (time - plot_.from) / (plot_.to - plot_.from), below_ + 16.0, "time",
                 fmt::format("{:.6g}", time + 0.0));
        text(kLeft + kWidth / 2.0, below_ + 34.0, "time", "seconds");
    }

    const Plot& plot_;
    double below_ = 0.0;  ///< where the next part of the picture begins
    std::string body_;
};

}  // namespace

std::string svgOf(const Plot& plot) {
    return Picture(plot).take();
}

}  // namespace holos::plot
