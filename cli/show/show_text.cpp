// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "algebra/insight/findings/missing_terms.h"
#include "algebra/operators/history/first_totals.h"
#include "algebra/operators/history/recorded_run.h"
#include "analyzer/metric_guide.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/show/show_formats.h"
#include "cli/terminal/terminal.h"
#include "report/tables/estimates.h"
#include "report/tables/notes.h"
#include "report/tables/summary.h"
#include "report/tables/value_tree.h"

// holos show --tree: a tree with the values of one metric.
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

/// What parts are shares of; not a number for ratios, whose parts do not make the whole.
double sharedWhole(const Experiment& experiment, const MetricLine& metric) {
    const bool ratio = experiment.metrics[metric.metric].origin == Origin::Ratio;
    return ratio ? std::numeric_limits<double>::quiet_NaN() : metric.whole;
}

/// Branches and name in what is left of the terminal; deep branches give way to the name.
std::string branchedName(const std::string& branches, const std::string& name, std::size_t room) {
    if (room == 0 || columnsOf(branches) + columnsOf(name) <= room) return branches + name;
    const std::size_t forBranches = room / 2;
    const std::string short_ = columnsOf(branches) > forBranches ? keepEnd(branches, forBranches) : branches;
    return short_ + keepBegin(name, room - columnsOf(short_));
}

constexpr std::size_t kNumberColumns = 16;

std::string treeText(const Experiment& experiment, const Tree& tree, const ShowRequest& request,
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
    return inFormat(
        request.format, [&] { return treeText(experiment, tree, request, style); },
        [&] { return csvOf(experiment, tree); }, [&] { return jsonOf(experiment, tree, request); });
}

using namespace tables;

using namespace algebra;

namespace {

constexpr std::size_t kValueColumns = 14;

constexpr std::size_t kBarColumns = 20;
constexpr std::size_t kShownParts = 16;

std::string percentText(std::optional<double> percent) {
    return percent ? fmt::format("{:5.1f} %", *percent) : std::string(7, ' ');
}

/// Blanks where there is nothing to be a share of.
std::string shareText(double part, double whole) {
    if (std::isnan(whole)) return percentText(std::nullopt);
    return percentText(whole == 0.0 ? 0.0 : 100.0 * part / whole);
}

class TextWriter {
  public:
    TextWriter(const Experiment& experiment, const ShowRequest& request, const Style& style)
        : experiment_(experiment), request_(request), style_(style) {}

    std::string wholeExperiment() {
        out_ += style_.strong(printable(request_.file)) + ": " +
                counted(experiment_.metrics.size(), "metric") + ", " +
                counted(experiment_.callTree.size(), "call path") + ", " + systemCount(Per::Processes) +
                ", " + systemCount(Per::Threads) + "\n\n";
        const std::vector<std::string> first = firstToKnow(experiment_);
        for (const std::string& sentence : first) out_ += wrapped(printable(sentence), "", style_);
        if (!first.empty()) out_ += '\n';
        if (const auto snapshot = snapshotText(experiment_)) out_ += printable(*snapshot) + "\n\n";
        if (const auto unrecorded = unrecordedText(experiment_)) out_ += *unrecorded + "\n\n";
        const std::vector<std::string> asleep = unseenSleepTexts(experiment_);
        for (const std::string& text : asleep) out_ += printable(text) + '\n';
        if (!asleep.empty()) out_ += '\n';
        if (const auto unsampled = unsampledText(experiment_)) out_ += printable(*unsampled) + "\n\n";
        if (request_.summary) out_ += changeText(experiment_, style_);
        if (request_.summary) out_ += summaryText(experiment_, request_.file, style_);
        writeMetrics();
        writeWaitStates();
        writeEstimates();
        return std::move(out_);
    }

    std::string oneMetric(MetricId id) {
        const Metric& metric = experiment_.metrics[id];
        const MetricLine line = metricLine(experiment_, id);
        out_ += metricHeading(experiment_, line, style_);
        writeCallPaths(line);
        writeParts(largestParts(experiment_, id, request_.per), sharedWhole(experiment_, line), metric.unit);
        const std::string distribution =
            distributionText(partValues(experiment_, id, request_.per).compared, metric.unit);
        if (!distribution.empty())
            out_ += '\n' + style_.strong(fmt::format("Distribution over {}", nounOf(request_.per, 2))) +
                    '\n' + distribution;
        return std::move(out_);
    }

  private:
    std::string systemCount(Per per) const {
        const SystemTree& system = experiment_.system;
        if (per == Per::Threads) return locationCounts(system);
        const std::size_t number = numberOfProcesses(system);
        return fmt::format("{} {}", number, nounOf(per, number));
    }

    /// What is left of the terminal's width behind so many columns; 0 for no limit.
    std::size_t room(std::size_t used) const {
        return style_.width == 0 ? 0
                                 : std::max<std::size_t>(style_.width > used ? style_.width - used : 0, 20);
    }

    void writeMetrics() {
        const std::vector<MetricLine> lines = metricLines(experiment_);
        std::size_t unitColumns = 0;
        for (const MetricLine& line : lines)
            unitColumns = std::max(unitColumns, columnsOf(experiment_.metrics[line.metric].unit));
        const std::vector<bool> shown = shownMetrics(lines);
        std::vector<std::size_t> levels;
        for (const MetricLine& line : lines)
            if (shown[line.metric.index()]) levels.push_back(experiment_.metrics.depth(line.metric));
        const auto branches = treeBranches(levels);
        auto branch = branches.begin();
        for (const MetricLine& line : lines) {
            if (!shown[line.metric.index()]) continue;
            const Metric& metric = experiment_.metrics[line.metric];
            const std::string unit = printable(metric.unit);
            std::string name = printable(metric.displayName.empty() ? metric.uniqueName : metric.displayName);
            if (line.whyNotEvaluated) name += "  (not evaluated: " + *line.whyNotEvaluated + ")";
            const bool zero = line.value == 0.0 || std::isnan(line.value);
            const std::string text =
                fmt::format("{:>{}} {}{} {}  ", valueText(line.value, metric.unit), kValueColumns, unit,
                            std::string(unitColumns - columnsOf(unit), ' '), percentText(line.percent)) +
                keepBegin(*branch++ + name, room(kValueColumns + unitColumns + 11));
            const bool costs = !zero && analyzer::metricGuide().isWaitState(metric.uniqueName);
            out_ += (zero ? style_.faint(text) : costs ? style_.alert(text) : text) + '\n';
        }
        const auto hidden = lines.size() - static_cast<std::size_t>(std::ranges::count(shown, true));
        if (hidden > 0)
            out_ +=
                style_.faint(counted(hidden, "metric") + " with value zero not listed (--all lists them)") +
                '\n';
    }

    /// By MetricId: those with a value, and those above them.
    std::vector<bool> shownMetrics(const std::vector<MetricLine>& lines) const {
        std::vector<bool> shown(experiment_.metrics.size(), false);
        for (auto line = lines.rbegin(); line != lines.rend(); ++line) {  // children before their parents
            const std::size_t at = line->metric.index();
            shown[at] = shown[at] || request_.zeros || line->value != 0.0;
            const auto parent = experiment_.metrics.parent(line->metric);
            if (shown[at] && parent && !experiment_.metrics[*parent].ghost) shown[parent->index()] = true;
        }
        return shown;
    }

    void writeWaitStates() {
        const auto lines = largestWaitStates(experiment_, request_.top, request_.per);
        if (lines.empty()) return;
        out_ += '\n' + style_.strong("Largest wait states") + '\n';
        for (const WaitStateLine& line : lines) {
            const Metric& metric = experiment_.metrics[line.metric.metric];
            out_ += fmt::format("{:>{}} {} {}  ", valueText(line.metric.value, metric.unit), kValueColumns,
                                printable(metric.unit), percentText(line.metric.percent)) +
                    style_.alert(printable(metric.displayName)) + ": " + std::string(line.meaning) + "  [" +
                    printable(metric.uniqueName) + "]\n";
            for (const CallPathLine& path : line.callPaths) writePath(path, line.metric.whole, metric.unit);
            writeParts(line.parts, line.metric.whole, metric.unit);
        }
    }

    void writeEstimates() {
        if (const auto estimates = waitEstimatesOf(experiment_))
            out_ += '\n' + printableLines(estimatesText(experiment_, *estimates, request_.top));
    }

    void writeCallPaths(const MetricLine& line) {
        const Metric& metric = experiment_.metrics[line.metric];
        const auto paths = hottestCallPaths(experiment_, line.metric, request_.top);
        if (paths.empty()) return;
        out_ += '\n' + style_.strong("Hottest call paths") + " (without the call paths below)\n";
        for (const CallPathLine& path : paths) writePath(path, sharedWhole(experiment_, line), metric.unit);
        std::string heading = nounOf(request_.per, 2);
        heading.front() = static_cast<char>(std::toupper(heading.front()));
        out_ += '\n' + style_.strong(heading) + '\n';
    }

    void writePath(const CallPathLine& line, double whole, const std::string& unit) {
        out_ += fmt::format("{:>{}} {}  ", valueText(line.exclusive, unit), kValueColumns + 4,
                            shareText(line.exclusive, whole)) +
                keepEnd(printable(callPathText(experiment_, line.path)), room(kValueColumns + 14)) + '\n';
    }

    /// The largest ones with bars, the rest in one line; those without a value are part of it.
    void writeParts(const std::vector<PartLine>& lines, double whole, const std::string& unit) {
        if (lines.empty()) return;
        const double largest = std::isnan(lines.front().value) ? 0.0 : std::fabs(lines.front().value);
        const auto zero = std::ranges::find_if(
            lines, [](const PartLine& line) { return line.value == 0.0 || std::isnan(line.value); });
        const auto interesting =
            request_.zeros ? lines.size() : static_cast<std::size_t>(zero - lines.begin());
        const std::size_t shown = std::min(interesting, kShownParts);
        for (const PartLine& line :
             std::vector(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown))) {
            const double fraction =
                largest > 0.0 && std::isfinite(line.value) ? std::fabs(line.value) / largest : 0.0;
            const auto length =
                static_cast<std::size_t>(std::lround(fraction * static_cast<double>(kBarColumns)));
            out_ += fmt::format("{:>{}} {}  ", valueText(line.value, unit), kValueColumns + 4,
                                shareText(line.value, whole));
            for (std::size_t at = 0; at < length; ++at) out_ += "█";
            out_ += std::string(kBarColumns - length + 1, ' ') +
                    keepBegin(printable(partText(experiment_, line.part)),
                              room(kValueColumns + kBarColumns + 16)) +
                    '\n';
        }
        if (shown == lines.size()) return;
        const double rest = std::accumulate(lines.begin() + static_cast<std::ptrdiff_t>(shown), lines.end(),
                                            0.0, [](double sum, const PartLine& line) {
                                                return sum + (std::isnan(line.value) ? 0.0 : line.value);
                                            });
        // What is no share of a whole does not add up.
        const std::string sum = std::isnan(whole) ? std::string() : valueText(rest, unit);
        out_ += fmt::format("{:>{}} {}  {} {} more\n", sum, kValueColumns + 4, shareText(rest, whole),
                            lines.size() - shown, nounOf(request_.per, lines.size() - shown));
    }

    const Experiment& experiment_;
    const ShowRequest& request_;
    const Style& style_;
    std::string out_;
};

}  // namespace

std::string metricHeading(const Experiment& experiment, const MetricLine& line, const Style& style) {
    const Metric& metric = experiment.metrics[line.metric];
    std::string text = style.strong(printable(metric.displayName)) + "  [" + printable(metric.uniqueName) +
                       "]  " + valueText(line.value, metric.unit);
    if (!metric.unit.empty()) text += ' ' + printable(metric.unit);
    if (line.percent)
        text += fmt::format("  ({:.1f} % of its root{})", *line.percent,
                            Wholes(experiment).areOfFirst() ? " in the first experiment" : "");
    text += '\n';
    if (const auto missing = missingTerms(experiment, line.metric))
        text += "incomplete: " + printable(missingTermsText(*missing)) + '\n';
    else if (metric.incomplete)
        text += "incomplete: only some terms of its composition were measured\n";
    if (line.whyNotEvaluated) text += style.alert("not evaluated: " + *line.whyNotEvaluated) + '\n';
    if (!metric.description.empty()) text += printable(metric.description) + '\n';
    return text;
}

std::string valuesText(const Experiment& experiment, const ShowRequest& request, const Style& style) {
    TextWriter writer(experiment, request, style);
    return request.metric ? writer.oneMetric(*request.metric) : writer.wholeExperiment();
}

}  // namespace holos::cli
