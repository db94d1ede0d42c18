// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/csv.h"
#include "base/printable.h"
#include "report/plot/plot.h"

namespace holos::plot {

namespace {

constexpr std::array kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz";

std::string padded(const std::string& text, std::size_t columns) {
    return text + std::string(columns - std::min(columns, columnsOf(text)), ' ');
}

/// The widest name in front of a row.
std::size_t widthOfNames(const Plot& plot) {
    std::size_t width = 0;
    for (const Activity& each : plot.activities) width = std::max(width, columnsOf(printable(each.process)));
    for (const Panel& panel : plot.panels)
        for (const Line& line : panel.lines) width = std::max(width, columnsOf(printable(line.name)));
    return width;
}

std::string activityRows(const Plot& plot, std::size_t width) {
    std::string text;
    for (const Activity& each : plot.activities) {
        text += "  " + padded(printable(each.process), width) + "  ";
        for (const auto& region : each.parts)
            text += !region ? ' ' : *region < kLetters.size() ? kLetters[*region] : '.';
        text += '\n';
    }
    if (plot.processes != 0)
        text += fmt::format("  (the first {} of {} processes)\n", plot.activities.size(), plot.processes);
    for (std::size_t at = 0; at < std::min(plot.regions.size(), kLetters.size()); ++at)
        text += fmt::format("{} {} {} ({:.0f} %)", at == 0 ? " " : ",", kLetters[at],
                            printable(plot.regions[at].name), 100 * plot.regions[at].share);
    return text + (plot.regions.empty() ? "" : "\n");
}

std::string blocks(const Line& line, const Axis& axis) {
    std::string text;
    for (const double value : line.means) {
        const double height = (value - axis.low) / (axis.high - axis.low) * kBlocks.size();
        text += std::isnan(value) ? " "
                                  : kBlocks[static_cast<std::size_t>(
                                        std::clamp(height, 0.0, static_cast<double>(kBlocks.size()) - 1.0))];
    }
    return text;
}

/// Over the parts that are known.
std::string rangeText(const Line& line) {
    double sum = 0.0, low = kInfinity, high = -kInfinity;
    std::size_t known = 0;
    for (const double value : line.means) {
        if (std::isnan(value)) continue;
        sum += value;
        ++known;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (known == 0) return "nothing is known";
    return fmt::format("{} to {}, mean {}", shortNumber(low), shortNumber(high),
                       shortNumber(sum / static_cast<double>(known)));
}

std::string spreadText(const Spread& spread) {
    const auto one = [](const NamedMean& end) {
        return fmt::format("{} ({})", printable(end.name), shortNumber(end.mean));
    };
    return fmt::format("  over {} locations in each part; highest mean: {}, lowest: {}\n", spread.locations,
                       one(spread.highest), one(spread.lowest));
}

}  // namespace

std::string plotText(const Plot& plot) {
    const std::size_t width = widthOfNames(plot);
    std::string text =
        fmt::format("{}: {:.3f} s to {:.3f} s, {} parts of {:.3g} s\n", printable(plot.title), plot.from,
                    plot.to, plot.parts, (plot.to - plot.from) / static_cast<double>(plot.parts));
    text += activityRows(plot, width);
    for (const Panel& panel : plot.panels) {
        text += fmt::format("{} [{}]{}\n", printable(panel.metric), printable(panel.unit),
                            panel.description.empty() ? "" : "  " + printable(panel.description));
        const Axis axis = axisOf(panel);
        for (const Line& line : panel.lines)
            text += fmt::format("  {}  {}  {}\n", padded(printable(line.name), width), blocks(line, axis),
                                rangeText(line));
        if (panel.spread) text += spreadText(*panel.spread);
    }
    return text;
}

std::string csvOf(const Plot& plot) {
    std::string text = "metric,unit,location,time,value\n";
    for (const Panel& panel : plot.panels)
        for (const Line& line : panel.lines) {
            const std::string name =
                panel.spread ? fmt::format("{} of {} locations", line.name, panel.spread->locations)
                             : line.name;
            const std::string head =
                csvField(panel.metric) + ',' + csvField(panel.unit) + ',' + csvField(name) + ',';
            for (std::size_t part = 0; part < line.means.size(); ++part)
                if (!std::isnan(line.means[part]))
                    text += head + csvField(plot.timeOf(part)) + ',' + csvField(line.means[part]) + '\n';
        }
    return text;
}

}  // namespace holos::plot
