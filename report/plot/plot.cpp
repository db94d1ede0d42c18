// SPDX-License-Identifier: BSD-3-Clause
#include "report/plot/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "algebra/model/statistics.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/curves.h"
#include "analyzer/trace/definitions_reader.h"
#include "analyzer/trace/excerpt.h"
#include "analyzer/trace/part_of_run.h"
#include "base/suggest.h"
#include "base/wrong_request.h"

namespace holos::plot {

namespace trace = analyzer::trace;
using trace::Definitions;
using trace::LocationId;
using trace::Ticks;

namespace {

constexpr double kMarks = 3.0;
constexpr double kRounding = 1e-9;  // what the means of equal values may differ by, relative
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// 1, 2 or 5 times a power of ten, at least `distance`.
double roundStep(double distance) {
    const double power = std::pow(10.0, std::floor(std::log10(distance)));
    for (const double digit : {1.0, 2.0, 5.0})
        if (digit * power >= distance * (1.0 - 1e-9)) return digit * power;
    return 10.0 * power;
}

struct Prefix {
    double value;
    const char* symbol;
};
constexpr std::array kPrefixes{Prefix{1e15, "P"}, Prefix{1e12, "T"}, Prefix{1e9, "G"}, Prefix{1e6, "M"},
                               Prefix{1e3, "k"}};
constexpr double kRoundedUp = 0.9995;  // what three digits would write as 1000 of the smaller prefix

}  // namespace

Axis axisBetween(double low, double high) {
    const double step = roundStep((high - low) / kMarks);
    return {step * std::floor(low / step + 1e-9), step * std::ceil(high / step - 1e-9), step};
}

Axis axisOf(const Panel& panel) {
    double low = kInfinity, high = -kInfinity;
    for (const Line& line : panel.lines)
        for (const double value : line.means) {
            if (!std::isfinite(value)) continue;
            low = std::min(low, value);
            high = std::max(high, value);
        }
    if (low > high) return {};
    const bool nearZero = low > 0.0 && low < 0.5 * high;
    if (panel.grows || nearZero) low = std::min(low, 0.0);
    if (high - low <= kRounding * std::fabs(high)) {
        high += low == 0.0 ? 1.0 : 0.1 * std::fabs(low);
        low -= 0.1 * std::fabs(low);
    }
    return axisBetween(low, high);
}

std::string shortNumber(double value) {
    const double magnitude = std::fabs(value);
    for (const Prefix& prefix : kPrefixes)
        if (magnitude >= kRoundedUp * prefix.value)
            return fmt::format("{:.3g}{}", value / prefix.value, prefix.symbol);
    return fmt::format("{:.4g}", value + 0.0);  // no -0
}

namespace {

constexpr std::size_t kMostActivities = 16;

std::string locationName(const Definitions& definitions, LocationId location) {
    return definitions[definitions[location].process].name + " / " + definitions[location].name;
}

trace::TimeGrid gridOf(const Definitions& definitions, const Request& request) {
    const trace::PartOfRun part = trace::partOfRun(definitions, request.from, request.to);
    return {part.from, part.to, request.parts};
}

/// The names that were asked for are those of metrics.
void checkNames(const Definitions& definitions, const Request& request) {
    std::vector<std::string> known;
    for (const trace::MetricMember& member : definitions.metricMembers) known.push_back(member.name);
    if (known.empty())
        throw Error("has no metrics; holos record --counters records some", {.file = request.trace.string()});
    for (const std::string& name : request.metrics.given())
        if (std::ranges::find(known, name) == known.end())
            throw WrongRequest("has no metric \"" + name + '"' + didYouMean(name, known),
                               {.file = request.trace.string()});
}

/// Brings the curves of all locations together, metric by metric, by name: each process may define its own.
class Panels {
  public:
    Panels(const Definitions& definitions, const Request& request)
        : definitions_(definitions), request_(request) {}

    void add(trace::Curve curve) {
        const trace::MetricMember& member = definitions_.metricMembers[curve.member.index()];
        if (!request_.metrics.has(member.name)) return;
        Panel& panel = panelOf(member);
        if (!request_.summed || !panel.grows)
            panel.lines.push_back({locationName(definitions_, curve.location), std::move(curve.means)});
        else if (panel.lines.empty())
            panel.lines.push_back({"all locations", std::move(curve.means)});
        else
            addTo(panel.lines.front().means, curve.means);
    }

    std::vector<Panel> take() { return std::move(panels_); }

  private:
    Panel& panelOf(const trace::MetricMember& member) {
        const auto [place, isNew] = places_.emplace(member.name, panels_.size());
        const bool grows = member.mode != trace::MetricMode::Absolute;
        if (isNew)
            panels_.push_back(
                {member.name, grows ? member.unit + "/s" : member.unit, member.description, grows, {}});
        return panels_[place->second];
    }

    static void addTo(std::vector<double>& sums, const std::vector<double>& values) {
        for (std::size_t part = 0; part < sums.size(); ++part)
            if (std::isnan(sums[part]))
                sums[part] = values[part];
            else if (!std::isnan(values[part]))
                sums[part] += values[part];
    }

    const Definitions& definitions_;
    const Request& request_;
    std::map<std::string, std::size_t> places_;
    std::vector<Panel> panels_;
};

/// The largest share of each part, of one process after the other.
using Bins = std::vector<trace::Bin>;

std::string binName(const Definitions& definitions, const trace::Bin& bin) {
    return bin.region ? definitions[*bin.region].name : kComputation;
}

/// Numbers the regions, those that are in most parts first.
void nameRegions(const Definitions& definitions, const std::vector<Bins>& found, Plot& plot) {
    struct Sum {
        std::size_t parts = 0;
        double shares = 0;
    };
    std::map<std::string, Sum> sums;
    for (const Bins& bins : found)
        for (const trace::Bin& bin : bins) {
            if (bin.share <= 0) continue;
            Sum& sum = sums[binName(definitions, bin)];
            ++sum.parts;
            sum.shares += bin.share;
        }
    for (const auto& [name, sum] : sums)
        plot.regions.push_back({name, sum.shares / static_cast<double>(sum.parts)});
    std::ranges::stable_sort(plot.regions, [&](const RegionShare& a, const RegionShare& b) {
        return sums[a.name].parts > sums[b.name].parts;
    });
    std::map<std::string, std::size_t> numbers;
    for (std::size_t at = 0; at < plot.regions.size(); ++at) numbers[plot.regions[at].name] = at;
    for (std::size_t row = 0; row < found.size(); ++row)
        for (const trace::Bin& bin : found[row]) {
            Activity& activity = plot.activities[row];
            activity.parts.push_back(bin.share > 0 ? std::optional(numbers[binName(definitions, bin)])
                                                   : std::nullopt);
            activity.shares.push_back(bin.share);
        }
}

void readActivities(const std::filesystem::path& anchor, const Definitions& definitions,
                    const trace::TimeGrid& grid, Plot& plot) {
    const trace::Window window{grid.from, grid.to, static_cast<unsigned>(grid.parts), 0, 0};
    const std::atomic<bool> stopped = false;
    std::vector<Bins> found;
    for (const trace::Process& process : definitions.processes) {
        if (process.threads.empty()) continue;
        if (found.size() == kMostActivities) {
            plot.processes = definitions.processes.size();
            break;
        }
        auto excerpt = trace::readExcerpt(anchor, definitions, process.threads.front(), window, stopped);
        if (excerpt.events == 0) continue;
        plot.activities.push_back({process.name, {}, {}});
        found.push_back(std::move(excerpt.bins));
    }
    nameRegions(definitions, found, plot);
}

}  // namespace

Plot readPlot(const Request& request, const std::function<void(double)>& progress) {
    const std::filesystem::path anchor = trace::findAnchor(request.trace);
    const Definitions definitions = trace::readDefinitions(anchor);
    checkNames(definitions, request);
    const trace::TimeGrid grid = gridOf(definitions, request);
    Plot plot;
    plot.title = request.trace.string();
    plot.from = definitions.seconds(grid.from);
    plot.to = definitions.seconds(grid.to);
    plot.parts = grid.parts;
    Panels panels(definitions, request);
    for (std::size_t at = 0; at < definitions.locations.size(); ++at) {
        auto [curves, problem] = trace::readCurves(anchor, definitions, LocationId(at), grid);
        for (trace::Curve& curve : curves) panels.add(std::move(curve));
        if (problem) plot.problems.push_back(*problem);
        if (progress)
            progress(static_cast<double>(at + 1) / static_cast<double>(definitions.locations.size()));
    }
    plot.panels = panels.take();
    for (Panel& panel : plot.panels)
        if (!request.eachLocation && panel.lines.size() > kMostLines) foldIntoSpread(panel);
    if (plot.panels.empty()) throw Error("has no values of its metrics", {.file = request.trace.string()});
    readActivities(anchor, definitions, grid, plot);
    return plot;
}

namespace {

struct Measure {
    const char* name;
    double algebra::Statistics::*value;
};

/// In the order in which `SpreadLine` has them.
constexpr std::array kMeasures{Measure{"maximum", &algebra::Statistics::maximum},
                               Measure{"upper quartile", &algebra::Statistics::upperQuartile},
                               Measure{"median", &algebra::Statistics::median},
                               Measure{"lower quartile", &algebra::Statistics::lowerQuartile},
                               Measure{"minimum", &algebra::Statistics::minimum},
                               Measure{"mean", &algebra::Statistics::mean}};

/// NaN where nothing is known.
double meanOf(const Line& line) {
    return algebra::statisticsOf(line.means).mean;
}

NamedMean named(const Line& line) {
    return {line.name, meanOf(line)};
}

/// The lines with the smallest and the largest mean; both may be the same.
std::pair<NamedMean, NamedMean> ends(const std::vector<Line>& lines) {
    std::pair<NamedMean, NamedMean> ends{named(lines.front()), named(lines.front())};
    for (const Line& line : lines) {
        const NamedMean one = named(line);
        if (std::isnan(one.mean)) continue;
        if (!(one.mean >= ends.first.mean)) ends.first = one;
        if (!(one.mean <= ends.second.mean)) ends.second = one;
    }
    return ends;
}

}  // namespace

void foldIntoSpread(Panel& panel) {
    const std::vector<Line> all = std::exchange(panel.lines, {});
    const auto [lowest, highest] = ends(all);
    panel.spread = Spread{all.size(), lowest, highest};
    for (const Measure& measure : kMeasures) panel.lines.push_back({measure.name, {}});
    for (std::size_t part = 0; part < all.front().means.size(); ++part) {
        std::vector<double> values;
        for (const Line& line : all) values.push_back(line.means[part]);
        const algebra::Statistics found = algebra::statisticsOf(std::move(values));
        for (std::size_t line = 0; line < kMeasures.size(); ++line)
            panel.lines[line].means.push_back(found.*kMeasures[line].value);
    }
}

}  // namespace holos::plot
