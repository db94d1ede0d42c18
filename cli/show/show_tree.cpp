// SPDX-License-Identifier: BSD-3-Clause
// holos show --tree: a tree with the values of one metric.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/csv.h"
#include "base/json.h"
#include "cli/show/show_formats.h"
#include "report/tables/summary.h"
#include "report/tables/value_tree.h"

namespace holos::cli {

using namespace tables;

using namespace algebra;

namespace {

struct Tree {
    MetricLine metric;
    std::vector<TreeLine> lines;
    std::size_t hidden = 0;  ///< how many lines are too small or too deep
};

/// Of a request that does not say: the call tree as text leaves out what is too small to matter.
double hiddenPercent(const ShowRequest& request) {
    constexpr double kUsuallyHidden = 1.0;
    const bool hidesSmall =
        request.format == Format::Text && !request.zeros && request.tree == ShownTree::Calls;
    return request.hide.value_or(hidesSmall ? kUsuallyHidden : 0.0);
}

Tree treeOf(const Experiment& experiment, const ShowRequest& request) {
    Tree tree{metricLine(experiment, *request.metric), {}, 0};
    const auto all = request.tree == ShownTree::Calls ? callTreeLines(experiment, *request.metric)
                                                      : systemTreeLines(experiment, *request.metric);
    const double whole = std::isfinite(tree.metric.value) ? std::fabs(tree.metric.value) : 0.0;
    const double largest = std::max(whole, largestMagnitude(all));
    const bool shares = experiment.metrics[*request.metric].origin != Origin::Ratio;
    tree.lines = limited(all, {.depth = request.depth,
                               .least = shares ? hiddenPercent(request) / 100.0 * largest : 0.0,
                               .zeros = request.zeros || request.format != Format::Text});
    tree.hidden = all.size() - tree.lines.size();
    return tree;
}

/// Of what the metric is in the whole program, or in the first of a difference; nothing where that means
/// nothing.
std::optional<double> percentOf(const Experiment& experiment, const MetricLine& metric, double value) {
    const bool ratio = experiment.metrics[metric.metric].origin == Origin::Ratio;
    if (ratio || metric.whole == 0.0 || !std::isfinite(metric.whole) || !std::isfinite(value))
        return std::nullopt;
    return 100.0 * value / metric.whole;
}

/// Branches and name in what is left of the terminal; deep branches give way to the name.
std::string branchedName(const std::string& branches, const std::string& name, std::size_t room) {
    if (room == 0 || columnsOf(branches) + columnsOf(name) <= room) return branches + name;
    const std::size_t forBranches = room / 2;
    const std::string short_ = columnsOf(branches) > forBranches ? keepEnd(branches, forBranches) : branches;
    return short_ + keepBegin(name, room - columnsOf(short_));
}

constexpr std::size_t kNumberColumns = 16;

std::string textOf(const Experiment& experiment, const Tree& tree, const ShowRequest& request,
                   const Style& style) {
    const std::string& unit = experiment.metrics[tree.metric.metric].unit;
    const bool calls = request.tree == ShownTree::Calls;
    std::vector<std::size_t> levels;
    double hottest = 0.0;
    for (const TreeLine& line : tree.lines) {
        levels.push_back(line.level);
        if (line.exclusive) hottest = std::max(hottest, std::fabs(*line.exclusive));
    }
    const auto branches = treeBranches(levels);
    const std::size_t used = (calls ? 2 : 1) * kNumberColumns + 11;
    const std::size_t room = style.width == 0 ? 0 : std::max<std::size_t>(style.width, used + 20) - used;
    std::string text = metricHeading(experiment, tree.metric, style) + '\n';
    text += calls ? fmt::format("{:>{}}{:>{}}\n", "inclusive", kNumberColumns, "exclusive", kNumberColumns)
                  : fmt::format("{:>{}}\n", "value", kNumberColumns);
    for (std::size_t at = 0; at < tree.lines.size(); ++at) {
        const TreeLine& line = tree.lines[at];
        std::string row = fmt::format("{:>{}}", valueText(line.inclusive, unit), kNumberColumns);
        if (line.exclusive) row += fmt::format("{:>{}}", valueText(*line.exclusive, unit), kNumberColumns);
        const auto percent = percentOf(experiment, tree.metric, line.inclusive);
        row += percent ? fmt::format("  {:5.1f} %  ", *percent) : std::string(11, ' ');
        row += branchedName(branches[at], printable(line.name), room);
        const bool hot = line.exclusive && hottest > 0.0 && std::fabs(*line.exclusive) == hottest;
        text += (hot ? style.strong(row) : row) + '\n';
    }
    if (tree.hidden > 0)
        text += style.faint(fmt::format("not listed, too small or too deep: {} (--hide 0, --depth 0, --all)",
                                        tree.hidden)) +
                '\n';
    return text;
}

std::string csvOf(const Experiment& experiment, const Tree& tree) {
    std::string text = "level,name,kind,inclusive,exclusive,percent\n";
    for (const TreeLine& line : tree.lines) {
        const auto percent = percentOf(experiment, tree.metric, line.inclusive);
        text += fmt::format("{},{},{},{},{},{}\n", line.level, csvField(line.name), csvField(line.kind),
                            csvField(line.inclusive), line.exclusive ? csvField(*line.exclusive) : "",
                            percent ? csvField(*percent) : "");
    }
    return text;
}

std::string jsonOf(const Experiment& experiment, const Tree& tree, const ShowRequest& request) {
    using Json = nlohmann::ordered_json;
    const auto number = [](std::optional<double> value) {
        return value && !std::isnan(*value) ? Json(*value) : Json();
    };
    const Metric& metric = experiment.metrics[tree.metric.metric];
    Json lines = Json::array();
    for (const TreeLine& line : tree.lines)
        lines.push_back({{"level", line.level},
                         {"name", line.name},
                         {"kind", line.kind},
                         {"inclusive", number(line.inclusive)},
                         {"exclusive", number(line.exclusive)},
                         {"percent", number(percentOf(experiment, tree.metric, line.inclusive))},
                         {"calledAt", line.calledAt.empty() ? Json() : Json(line.calledAt)}});
    const Json object{
        {"metric", metric.uniqueName},  {"unit", metric.unit},       {"value", number(tree.metric.value)},
        {"tree", wordOf(request.tree)}, {"lines", std::move(lines)}, {"notListed", tree.hidden},
        {"file", request.file}};
    return jsonText(object, 2) + '\n';
}

}  // namespace

std::string showTree(const Experiment& experiment, const ShowRequest& request, const Style& style) {
    const Tree tree = treeOf(experiment, request);
    switch (request.format) {
        case Format::Text:
            return textOf(experiment, tree, request, style);
        case Format::Csv:
            return csvOf(experiment, tree);
        case Format::Json:
            return jsonOf(experiment, tree, request);
    }
    return {};
}

}  // namespace holos::cli
