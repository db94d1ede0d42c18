// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algebra/files/experiment_file.h"
#include "algebra/model/call_names.h"
#include "algebra/model/metric_values.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/json.h"
#include "base/output_file.h"
#include "cli/commands.h"
#include "cli/show/show_formats.h"
#include "cli/terminal/terminal.h"
#include "report/tables/summary.h"

namespace holos::cli {

using namespace tables;

using namespace algebra;

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

struct ExportOptions {
    std::string file;
    std::string format = "csv";
    std::vector<std::string> metrics;
    std::string output;
    bool zeros = false;
    bool communication = false;
};

/// Where the rows go: standard output, or a file that appears when it is complete.
class Sink {
  public:
    explicit Sink(const std::string& file) {
        if (!file.empty()) file_.emplace(file);
    }
    void write(std::string_view text) {
        pending_ += text;
        if (pending_.size() > kPiece) flush();
    }
    void finish() {
        flush();
        if (file_) file_->commit();
    }

  private:
    void flush() {
        if (file_)
            file_->write(pending_);
        else
            print(pending_);
        pending_.clear();
    }
    std::optional<OutputFile> file_;
    std::string pending_;
};

/// One value and where it is.
struct Row {
    MetricId metric;
    CallPathId path;
    LocationId location;
    double value;
    double inclusive;  ///< with what the call path calls
};

/// Call paths as text, in which a `/` of a name is `\\/`. Of very deep ones, whose texts would together be as
/// long as the square of the depth, the calls in the middle are left out.
class PathTexts {
  public:
    explicit PathTexts(const Experiment& experiment) : tree_(experiment.callTree) {
        for (const CallPathId path : tree_.ids()) {
            names_.push_back(escaped(callText(experiment, path)));
            const auto parent = tree_.parent(path);
            depths_.push_back(parent ? depths_[parent->index()] + 1 : 0);
            const bool isOfTop = depths_.back() < kKept || !parent;
            tops_.push_back(isOfTop ? path : tops_[parent->index()]);
        }
    }

    std::string of(CallPathId path) const {
        const std::size_t depth = depths_[path.index()];
        if (depth < 2 * kKept) return upTo(path, depth + 1);
        const std::size_t omitted = depth + 1 - 2 * kKept;
        return upTo(tops_[path.index()], kKept) + fmt::format("/… {} calls …/", omitted) + upTo(path, kKept);
    }

  private:
    static constexpr std::size_t kKept = 100;  ///< of a deep one at both ends

    static std::string escaped(const std::string& name) {
        std::string text;
        for (const char c : name) {
            if (c == '/' || c == '\\') text += '\\';
            text += c;
        }
        return text;
    }
    std::string upTo(CallPathId path, std::size_t calls) const {
        std::vector<CallPathId> chain;
        for (std::optional<CallPathId> at = path; at && chain.size() < calls; at = tree_.parent(*at))
            chain.push_back(*at);
        std::string text;
        for (std::size_t at = chain.size(); at-- > 0;)
            text += names_[chain[at].index()] + (at > 0 ? "/" : "");
        return text;
    }

    const CallTree& tree_;
    std::vector<std::string> names_;
    std::vector<std::size_t> depths_;
    std::vector<CallPathId>
        tops_;  ///< of each call path, the caller with which the beginning of its text ends
};

/// How values of several call paths or locations become one.
const char* aggregationOf(const Metric& metric) {
    if (metric.storage == Storage::PostDerived) return "expression";
    if (metric.valueType == ValueType::MinDouble) return "minimum";
    return metric.valueType == ValueType::MaxDouble ? "maximum" : "sum";
}

/// The columns of a data frame. Their names and order are a promise (docs/experiments.md).
class Table {
  public:
    Table(const Experiment& experiment, bool json, Sink& sink)
        : experiment_(experiment), json_(json), sink_(sink), paths_(experiment) {
        sink_.write(json_ ? "["
                          : "metric,unit,call_path_id,call_path,region,module,rank,thread,location,value,"
                            "parent,inclusive,aggregation\n");
    }

    void add(const Row& row) { sink_.write(json_ ? jsonRow(row) : csvRow(row)); }

    void finish() {
        if (json_) sink_.write("\n]\n");
        sink_.finish();
    }

  private:
    std::string csvRow(const Row& row) {
        const auto& [metric, region, location, process] = partsOf(row);
        const auto parent = experiment_.callTree.parent(row.path);
        return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csvField(metric.uniqueName),
                           csvField(metric.unit), row.path.index(), csvField(textOf(row.path)),
                           csvField(region.name), csvField(region.module), process.rank, location.rank,
                           csvField(locationText(experiment_, row.location)), csvField(row.value),
                           parent ? std::to_string(parent->index()) : "", csvField(row.inclusive),
                           aggregationOf(metric));
    }

    std::string jsonRow(const Row& row) {
        const auto& [metric, region, location, process] = partsOf(row);
        nlohmann::ordered_json object{{"metric", metric.uniqueName},
                                      {"unit", metric.unit},
                                      {"call_path_id", row.path.index()},
                                      {"call_path", textOf(row.path)},
                                      {"region", region.name},
                                      {"module", region.module},
                                      {"rank", process.rank},
                                      {"thread", location.rank},
                                      {"location", locationText(experiment_, row.location)}};
        object["value"] = row.value;
        const auto parent = experiment_.callTree.parent(row.path);
        object["parent"] = parent ? nlohmann::ordered_json(parent->index()) : nlohmann::ordered_json();
        object["inclusive"] = row.inclusive;
        object["aggregation"] = aggregationOf(metric);
        return (std::exchange(first_, false) ? "\n" : ",\n") + jsonText(object);
    }

    /// That of the last row is kept: rows come path by path.
    const std::string& textOf(CallPathId path) {
        if (pathOfText_ != path) text_ = paths_.of(path);
        pathOfText_ = path;
        return text_;
    }

    struct Parts {
        const Metric& metric;
        const Region& region;
        const Location& location;
        const Process& process;
    };
    Parts partsOf(const Row& row) const {
        const Location& location = experiment_.system[row.location];
        return {experiment_.metrics[row.metric], experiment_.regionOf(row.path), location,
                experiment_.system[location.process]};
    }

    const Experiment& experiment_;
    bool json_;
    Sink& sink_;
    PathTexts paths_;
    std::optional<CallPathId> pathOfText_;
    std::string text_;
    bool first_ = true;
};

/// The metrics that were asked for, or all that have values and are not hidden.
std::vector<MetricId> chosenMetrics(const Experiment& experiment, const ExportOptions& options) {
    std::vector<MetricId> chosen;
    for (const std::string& name : options.metrics)
        chosen.push_back(metricNamed(experiment, name, options.file));
    if (!options.metrics.empty()) return chosen;
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        if (!metric.ghost && !metric.isVoid && metric.valueType != ValueType::Compound) chosen.push_back(id);
    }
    return chosen;
}

/// The smallest or largest value of a call path and those that it calls.
SeverityTable extremesBelow(const Experiment& experiment, const SeverityTable& own, bool isLargest) {
    SeverityTable all = own;
    for (std::size_t i = experiment.callTree.size(); i-- > 0;) {  // callees stand behind their callers
        const auto caller = experiment.callTree.parent(CallPathId(i));
        if (!caller || !all.hasRow(CallPathId(i))) continue;
        const bool isNew = !all.hasRow(*caller);
        const auto to = all.editRow(*caller);
        if (isNew) std::ranges::fill(to, all.missing());
        const auto from = all.row(CallPathId(i));
        for (std::size_t at = 0; at < to.size(); ++at)
            to[at] = isLargest ? std::max(to[at], from[at]) : std::min(to[at], from[at]);
    }
    return all;
}

void exportMetric(const Experiment& experiment, MetricId metric, bool zeros, Table& table) {
    MetricValues values(experiment, {});
    const SeverityTable& all = values.everywhere(metric);
    const ValueType type = experiment.metrics[metric].valueType;
    const bool isExtreme = type == ValueType::MinDouble || type == ValueType::MaxDouble;
    SeverityTable extremes;
    if (isExtreme && all.callPaths() > 0)
        extremes = extremesBelow(experiment, all, type == ValueType::MaxDouble);
    const SeverityTable& inclusive = isExtreme ? extremes : values.everywhere(metric, Extent::Inclusive);
    const auto valueIn = [](const SeverityTable& from, CallPathId path, std::size_t at) {
        return from.callPaths() == 0 ? from.missing() : from.at(path, LocationId(at));
    };
    for (const CallPathId path : experiment.callTree.ids())
        for (std::size_t at = 0; at < experiment.system.locations.size(); ++at) {
            const double value = valueIn(all, path, at);
            if (zeros || value != all.missing())
                table.add({metric, path, LocationId(at), value, valueIn(inclusive, path, at)});
        }
}

void exportExperiment(const ExportOptions& options) {
    const Experiment experiment = readExperiment(options.file);
    if (options.communication) {
        ShowRequest request;
        request.file = options.file;
        request.format = options.format;
        request.top = kAll;
        const std::string table = showCommunication(experiment, request);
        Sink sink(options.output);
        sink.write(table);
        return sink.finish();
    }
    const auto metrics = chosenMetrics(experiment, options);
    Sink sink(options.output);
    Table table(experiment, options.format == "json", sink);
    for (const MetricId metric : metrics) {
        try {
            exportMetric(experiment, metric, options.zeros, table);
        } catch (const Error& error) {
            const std::string& name = experiment.metrics[metric].uniqueName;
            if (experiment.metrics[metric].hasValues() || !options.metrics.empty())
                throw Error("metric \"" + name + "\": " + error.what(), Place{.file = options.file});
            complain("note: metric \"" + name + "\" is left out: " + error.what());
        }
    }
    table.finish();
}

}  // namespace

void addExport(Command& app) {
    auto options = std::make_shared<ExportOptions>();
    Command command = app.command("export", "Write values as a table for data frames");
    command.option("file", options->file, "Experiment (.cubex, .cube), or its folder").required();
    command.option("--format", options->format, "Format of the table").oneOf({"csv", "json"}).showDefault();
    command.option("--metric", options->metrics,
                   "Only this metric (unique or displayed name); may be given several times");
    command.option("-o,--output", options->output, "Where the table goes (default: standard output)")
        .onlyOnCommandLine();
    const Option zeros = command.flag("--zeros", options->zeros, "Also write rows with value zero");
    command
        .flag("--communication", options->communication,
              "Instead of values: who sent how many messages and bytes to whom, and who waited for whom")
        .excludes(command.find("--metric"))
        .excludes(zeros);
    command.footer(
        "One row per metric, call path and location. Values are exclusive along the call tree (inclusive "
        "ones "
        "are\n"
        "a column of their own), and inclusive along the metric tree.\n"
        "Examples:\n"
        "  holos export run/analysis.cubex --metric mpi_latesender -o late.csv\n"
        "  holos export run/analysis.cubex --communication -o messages.csv");
    command.action([options] { exportExperiment(*options); });
}

}  // namespace holos::cli
