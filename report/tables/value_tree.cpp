// SPDX-License-Identifier: BSD-3-Clause
#include "report/tables/value_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "algebra/model/call_names.h"
#include "algebra/model/statistics.h"
#include "report/tables/summary.h"

namespace holos::tables {

std::vector<std::string> treeBranches(const std::vector<std::size_t>& levels) {
    constexpr std::size_t kDrawnLevels = 64;
    std::vector<std::string> branches(levels.size());
    std::vector<bool> goesOn;  // by level: a line further down has the same parent
    for (std::size_t at = levels.size(); at-- > 0;) {
        const std::size_t level = levels[at];
        goesOn.resize(level + 1, false);
        if (level > 0) {
            const std::size_t first = level > kDrawnLevels ? level - kDrawnLevels : 1;
            if (first > 1) branches[at] = "…";
            for (std::size_t up = first; up < level; ++up) branches[at] += goesOn[up] ? "│  " : "   ";
            branches[at] += goesOn[level] ? "├─ " : "└─ ";
        }
        goesOn[level] = true;
    }
    return branches;
}

using namespace algebra;

namespace {

double magnitudeOf(const TreeLine& line) {
    const auto known = [](double value) { return std::isnan(value) ? 0.0 : std::fabs(value); };
    return std::max(known(line.inclusive), known(line.exclusive.value_or(0.0)));
}

/// Of each line: the largest magnitude of it and what is below it. Sums may cancel out.
std::vector<double> magnitudesBelow(const std::vector<TreeLine>& lines) {
    std::vector<double> found(lines.size());
    std::vector<double> below;  // by level, of the lines further down
    for (std::size_t at = lines.size(); at-- > 0;) {
        const std::size_t level = lines[at].level;
        below.resize(std::max(below.size(), level + 2), 0.0);
        found[at] = std::max(magnitudeOf(lines[at]), below[level + 1]);
        below[level] = std::max(below[level], found[at]);
        std::fill(below.begin() + static_cast<std::ptrdiff_t>(level) + 1, below.end(), 0.0);
    }
    return found;
}

/// 0 for roots.
std::vector<std::size_t> levelsOf(const auto& forest) {
    std::vector<std::size_t> levels(forest.size(), 0);
    for (const auto id : forest.ids())
        if (const auto parent = forest.parent(id)) levels[id.index()] = levels[parent->index()] + 1;
    return levels;
}

class SystemLines {
  public:
    SystemLines(const Experiment& experiment, MetricId metric)
        : system_(experiment.system),
          groups_(locationsByProcess(system_)),
          ofNodes_(perGroup(experiment, {metric}, locationsByNode(system_))),
          ofProcesses_(perGroup(experiment, {metric}, groups_)),
          ofThreads_(perLocation(experiment, {metric})),
          processes_(processesByNode(system_)) {}

    std::vector<TreeLine> all() {
        const auto levels = levelsOf(system_.nodes);
        for (const SystemNodeId root : system_.nodes.roots())
            for (const SystemNodeId id : system_.nodes.subtree(root)) addNode(id, levels[id.index()]);
        return std::move(lines_);
    }

  private:
    void addNode(SystemNodeId id, std::size_t level) {
        const SystemNode& node = system_.nodes[id];
        lines_.push_back({level, node.name, node.className, ofNodes_[id.index()], std::nullopt});
        for (const ProcessId process : processes_[id.index()]) addProcess(process, level + 1);
    }

    void addProcess(ProcessId process, std::size_t level) {
        lines_.push_back(
            {level, system_[process].name, "process", ofProcesses_[process.index()], std::nullopt});
        const auto& threads = groups_[process.index()];
        if (threads.size() < 2) return;
        for (const LocationId thread : threads)
            lines_.push_back(
                {level + 1, system_[thread].name, "thread", ofThreads_[thread.index()], std::nullopt});
    }

    const SystemTree& system_;
    LocationGroups groups_;
    std::vector<double> ofNodes_, ofProcesses_, ofThreads_;
    std::vector<std::vector<ProcessId>> processes_;  ///< by node
    std::vector<TreeLine> lines_;
};

}  // namespace

std::vector<TreeLine> callTreeLines(const Experiment& experiment, MetricId metric) {
    const CallTree& tree = experiment.callTree;
    const auto inclusive = perCallPath(experiment, {metric}, Extent::Inclusive);
    const auto exclusive = perCallPath(experiment, {metric}, Extent::Exclusive);
    const auto levels = levelsOf(tree);
    std::vector<TreeLine> lines;
    for (const CallPathId root : tree.roots())
        for (const CallPathId path : tree.subtree(root)) {
            const Region& region = experiment.regionOf(path);
            const std::size_t at = path.index();
            lines.push_back({levels[at], callText(experiment, path), region.role, inclusive[at],
                             exclusive[at], calledAt(experiment.callTree[path])});
        }
    return lines;
}

std::vector<TreeLine> systemTreeLines(const Experiment& experiment, MetricId metric) {
    return SystemLines(experiment, metric).all();
}

std::vector<TreeLine> limited(const std::vector<TreeLine>& lines, const TreeLimits& limits) {
    const auto magnitudes = magnitudesBelow(lines);
    std::vector<TreeLine> kept;
    for (std::size_t at = 0; at < lines.size(); ++at) {
        const bool tooDeep = !limits.depth.wantsMoreThan(lines[at].level);
        const bool tooSmall = magnitudes[at] < limits.least || (magnitudes[at] == 0.0 && !limits.zeros);
        if (!tooDeep && !tooSmall) kept.push_back(lines[at]);
    }
    return kept;
}

double largestMagnitude(const std::vector<TreeLine>& lines) {
    double largest = 0.0;
    for (const TreeLine& line : lines) largest = std::max(largest, magnitudeOf(line));
    return largest;
}

namespace {

constexpr std::size_t kBins = 16;
constexpr std::array<const char*, 9> kHeights{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

/// Every part that has a value gets at least the lowest bar.
std::string histogramText(const std::vector<double>& values) {
    const auto counts = algebra::histogramOf(values, kBins);
    const std::size_t most = *std::ranges::max_element(counts);
    std::string text;
    for (const std::size_t count : counts)
        text += kHeights[most == 0 ? 0 : (count * (kHeights.size() - 1) + most - 1) / most];
    return text;
}

}  // namespace

std::string distributionText(const std::vector<double>& values, const std::string& unit) {
    const algebra::Statistics found = algebra::statisticsOf(values);
    if (found.count < 2) return {};
    const auto text = [&unit](double value) { return valueText(value, unit); };
    return fmt::format(
        "  quartiles {} | {} | {} | {} | {}\n  mean {}, standard deviation {}, imbalance {}\n  {} |{}| {}\n",
        text(found.minimum), text(found.lowerQuartile), text(found.median), text(found.upperQuartile),
        text(found.maximum), text(found.mean), text(found.standardDeviation),
        std::isnan(found.imbalance) ? "-" : fmt::format("{:.1f} %", 100.0 * found.imbalance),
        text(found.minimum), histogramText(values), text(found.maximum));
}

void shortenNames(algebra::Experiment& experiment) {
    const ShortNames shortNames = algebra::shortNamesOf(experiment);
    for (auto& region : experiment.regions) region.name = shortNames.of(region.name);
}

}  // namespace holos::tables
