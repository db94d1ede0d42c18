// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/chosen.h"

namespace holos::plot {

struct Request {
    std::filesystem::path trace;  ///< folder or `.otf2` file
    Chosen<std::string> metrics = kAll;
    std::optional<double> from, to;  ///< seconds since the trace's start
    std::size_t parts = 1;           ///< into which the time is divided
    bool summed = false;             ///< what grows: one line, the sum of all locations
    bool eachLocation = false;       ///< a line for each, even if they are more than `kMostLines`
};

/// More lines of a metric than this are shown by their spread.
inline constexpr std::size_t kMostLines = 16;

/// A metric of one location, or of all.
struct Line {
    std::string name;           ///< `MPI Rank 0 / Samples`
    std::vector<double> means;  ///< of each part; NaN where nothing is known
};

struct NamedMean {
    std::string name;
    double mean = 0;  ///< of all parts that are known; NaN where none is
};

/// What is known of locations that have no lines of their own.
struct Spread {
    std::size_t locations = 0;
    NamedMean lowest, highest;  ///< by their means
};

/// Lines that share an axis.
struct Panel {
    std::string metric;
    std::string unit;  ///< with `/s` where the metric grows
    std::string description;
    bool grows = false;  ///< its axis begins at zero
    std::vector<Line> lines;
    std::optional<Spread> spread = {};  ///< the lines are those of `SpreadLine`
};

/// What the first thread of a process did for the largest share of each part: a position in `Plot::regions`,
/// or nothing where nothing is known.
struct Activity {
    std::string process;
    std::vector<std::optional<std::size_t>> parts;
    std::vector<double> shares;  ///< of each part's time
};

/// What was done outside of all regions.
inline constexpr const char* kComputation = "computation";

struct RegionShare {
    std::string name;
    double share = 0;  ///< of the parts where it takes the largest share: how large that is on average
};

struct Plot {
    std::string title;
    double from = 0.0, to = 0.0;  ///< seconds
    std::size_t parts = 1;
    std::vector<Panel> panels;
    std::vector<RegionShare> regions;  ///< those that are in most parts first
    std::vector<Activity> activities;  ///< of the first processes
    std::size_t processes = 0;         ///< of the trace, where these are not all; else 0
    std::vector<std::string> problems;

    double timeOf(std::size_t part) const {
        return from + (to - from) * static_cast<double>(part) / static_cast<double>(parts);
    }
};

/// Throws `holos::Error` when the trace cannot be read, has no such metric, or none at all. `progress` is
/// called with the part that is done.
Plot readPlot(const Request& request, const std::function<void(double)>& progress);

/// The ends of an axis and the distance of its marks: numbers with one digit or two, ending with 5.
struct Axis {
    double low = 0.0, high = 1.0, step = 1.0;
};
Axis axisBetween(double low, double high);
Axis axisOf(const Panel& panel);

/// `12.5M`: few digits, with a prefix for thousands.
std::string shortNumber(double value);

/// One line of block characters for each curve, at most as wide as the plot has parts.
std::string plotText(const Plot& plot);
/// Metric, unit, location (or `median of 4096 locations`), start of the part in seconds, value: one row for
/// each part where it is known.
std::string csvOf(const Plot& plot);
/// A picture that needs no other file.
std::string svgOf(const Plot& plot);

/// The lines of a spread, in their order.
enum class SpreadLine : std::size_t { Maximum, UpperQuartile, Median, LowerQuartile, Minimum, Mean };

/// Puts how the values of all lines are distributed in each part in the place of the lines.
void foldIntoSpread(Panel& panel);

inline const Line& lineOf(const Panel& panel, SpreadLine line) {
    return panel.lines[static_cast<std::size_t>(line)];
}

}  // namespace holos::plot
