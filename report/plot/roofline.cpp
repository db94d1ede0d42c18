// SPDX-License-Identifier: BSD-3-Clause
#include "report/plot/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/markup.h"
#include "base/printable.h"
#include "report/plot/plot.h"
#include "report/plot/svg_document.h"

namespace holos::plot {

using algebra::Roofline;
using algebra::RooflinePoint;
using algebra::Roofs;

RooflineAxes::RooflineAxes(const Roofline& roofline, const Roofs& roofs) {
    for (const RooflinePoint& point : roofline.points) {
        across.extend(point.intensity);
        up.extend(point.rate);
    }
    if (roofs.operations) up.extend(*roofs.operations);
    constexpr double kSeen = 3;  // of the slope left of the ridge
    if (roofs.areKnown()) {
        across.extend(roofs.ridge() / kSeen);
        across.extend(roofs.ridge() * kSeen);
    }
    across.roundToPowers();
    up.roundToPowers();
}

std::vector<PlacedValue> roofLine(const RooflineAxes& axes, const Roofs& roofs) {
    if (!roofs.areKnown()) return {};
    const double ridge = roofs.ridge();
    // Where the slope comes in: at the left end, or at the lower one.
    const double left = std::clamp(axes.up.low / *roofs.bandwidth, axes.across.low, ridge);
    return {{left, roofs.at(left)}, {ridge, roofs.at(ridge)}, {axes.across.high, *roofs.operations}};
}

double rooflineRadius(double share) {
    return 3.0 + 15.0 * std::sqrt(std::clamp(share, 0.0, 1.0));
}

namespace {

// Pixels.
constexpr double kFromLeft = 80, kFromTop = 34, kAcross = 560, kUp = 340, kBelow = 50, kNameRow = 18;
constexpr double kNames = 430;
constexpr std::size_t kLongest = 52, kNamed = 12, kMostPoints = 500;

// Within another page its rules are the picture's alone.
constexpr const char* kLook =
    ".roof-text{font:12px system-ui,sans-serif;fill:#333}.roof-right{text-anchor:end}"
    ".roof-middle{text-anchor:middle}.roof-grid{stroke:#e3e3e3}.roof-frame{fill:none;stroke:#bbb}"
    ".roof-line{fill:none;stroke:#444;stroke-width:2}.roof-point{fill-opacity:.6;stroke:white}";

class RooflinePicture {
  public:
    RooflinePicture(const Roofline& roofline, const Roofs& roofs, const std::vector<std::string>& names)
        : roofline_(roofline), roofs_(roofs), names_(names), axes_(roofline, roofs) {}

    std::string take() {
        text(kFromLeft, 20, "", "FLOP/s of a node");
        marks();
        roof();
        body_ += fmt::format("<rect class=\"roof-frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
                             kFromLeft, kFromTop, kAcross, kUp);
        // The largest first: what is small is not hidden.
        const std::size_t shown = std::min(roofline_.points.size(), kMostPoints);
        for (std::size_t i = 0; i < shown; ++i) draw(i);
        for (std::size_t i = 0; i < std::min(shown, kNamed); ++i) name(i);
        if (roofline_.points.size() > kNamed)
            text(kFromLeft + kAcross + 24, kFromTop + 14 + kNameRow * kNamed, "",
                 fmt::format("and {} with less time", roofline_.points.size() - kNamed));
        text(kFromLeft + kAcross / 2, kFromTop + kUp + 40, "roof-middle",
             "floating-point operations per byte of memory");
        return svgDocument(kFromLeft + kAcross + 20 + kNames, kFromTop + kUp + kBelow, "Roofline", kLook,
                           body_);
    }

  private:
    double xOf(double intensity) const { return kFromLeft + kAcross * axes_.across.placeOf(intensity); }
    double yOf(double rate) const { return kFromTop + kUp * (1 - axes_.up.placeOf(rate)); }

    void text(double x, double y, const char* kind, const std::string& markup) {
        body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"roof-text {}\">{}</text>\n", x, y, kind,
                             markup);
    }

    void marks() {
        for (double power = axes_.up.low; power <= axes_.up.high * (1 + 1e-9); power *= 10) {
            body_ += fmt::format("<path class=\"roof-grid\" d=\"M{:.1f} {:.1f}h{}\"/>\n", kFromLeft,
                                 yOf(power), kAcross);
            text(kFromLeft - 6, yOf(power) + 4, "roof-right", shortNumber(power));
        }
        for (double power = axes_.across.low; power <= axes_.across.high * (1 + 1e-9); power *= 10) {
            body_ += fmt::format("<path class=\"roof-grid\" d=\"M{:.1f} {:.1f}v{}\"/>\n", xOf(power),
                                 kFromTop, kUp);
            text(xOf(power), kFromTop + kUp + 18, "roof-middle", fmt::format("{:.6g}", power));
        }
    }

    void roof() {
        std::string path;
        for (const PlacedValue& corner : roofLine(axes_, roofs_))
            path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? 'M' : 'L', xOf(corner.x), yOf(corner.y));
        if (path.empty()) return;
        body_ += fmt::format("<path class=\"roof-line\" d=\"{}\"><title>{}B/s, {}FLOP/s</title></path>\n",
                             path, shortNumber(*roofs_.bandwidth), shortNumber(*roofs_.operations));
    }

    void draw(std::size_t at) {
        const RooflinePoint& point = roofline_.points[at];
        const double share = point.seconds / roofline_.seconds;
        std::string known =
            fmt::format("{}: {:.1f} % of the time here, {:.4g} FLOP/B, {}FLOP/s", escaped(names_[at]),
                        100 * share, point.intensity, shortNumber(point.rate));
        if (roofs_.areKnown())
            known += fmt::format(", {:.1f} % of the roof", 100 * point.rate / roofs_.at(point.intensity));
        body_ += fmt::format(
            "<circle class=\"roof-point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" "
            "fill=\"{}\"><title>{}</title></circle>\n",
            xOf(point.intensity), yOf(point.rate), rooflineRadius(share), colourOf(at), known);
    }

    void name(std::size_t at) {
        text(kFromLeft + kAcross + 24, kFromTop + 14 + kNameRow * static_cast<double>(at), "",
             fmt::format("<title>{}</title><tspan fill=\"{}\">●</tspan> {}", escaped(names_[at]),
                         colourOf(at), escaped(keepEnd(names_[at], kLongest))));
    }

    static const char* colourOf(std::size_t at) {
        return at < kLineColours.size() ? kLineColours[at] : "#999999";
    }

    const Roofline& roofline_;
    const Roofs& roofs_;
    const std::vector<std::string>& names_;
    RooflineAxes axes_;
    std::string body_;
};

}  // namespace

std::string svgOf(const Roofline& roofline, const Roofs& roofs, const std::vector<std::string>& names) {
    return RooflinePicture(roofline, roofs, names).take();
}

}  // namespace holos::plot
