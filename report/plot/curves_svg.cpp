// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "base/markup.h"
#include "base/printable.h"
#include "report/plot/curves.h"
#include "report/plot/plot.h"
#include "report/plot/svg_document.h"

namespace holos::plot {

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
        body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, kind, markup);
    }
    void line(double x1, double y1, double x2, double y2) {
        body_ += fmt::format("<path class=\"grid\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", x1, y1, x2, y2);
    }

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

}  // namespace holos::plot
