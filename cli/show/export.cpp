// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algebra/files/experiment_file.h"
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
};

/// The columns of a data frame. Their names and order are a promise (docs/experiments.md).
class Table {
  public:
    Table(const Experiment& experiment, bool json, Sink& sink)
        : experiment_(experiment), json_(json), sink_(sink) {
        sink_.write(json_ ? "["
                          : "metric,unit,call_path_id,call_path,region,module,rank,thread,location,value\n");
    }

    void add(const Row& row) { sink_.write(json_ ? jsonRow(row) : csvRow(row)); }

    void finish() {
        if (json_) sink_.write("\n]\n");
        sink_.finish();
    }

  private:
    std::string csvRow(const Row& row) {
        const auto& [metric, region, location, process] = partsOf(row);
        return fmt::format("{},{},{},{},{},{},{},{},{},{}\n", csvField(metric.uniqueName),
                           csvField(metric.unit), row.path.index(), csvField(textOf(row.path)),
                           csvField(region.name), csvField(region.module), process.rank, location.rank,
                           csvField(locationText(experiment_, row.location)), csvField(row.value));
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
        return (std::exchange(first_, false) ? "\n" : ",\n") + jsonText(object);
    }

    /// That of the last row is kept: rows come path by path.
    const std::string& textOf(CallPathId path) {
        if (pathOfText_ != path) text_ = callPathText(experiment_, path);
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

void exportMetric(const Experiment& experiment, MetricId metric, bool zeros, Table& table) {
    MetricValues values(experiment, {});
    const SeverityTable& all = values.everywhere(metric);
    for (const CallPathId path : experiment.callTree.ids())
        for (std::size_t at = 0; at < experiment.system.locations.size(); ++at) {
            const double value = all.callPaths() == 0 ? all.missing() : all.at(path, LocationId(at));
            if (zeros || value != all.missing()) table.add({metric, path, LocationId(at), value});
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
        "One row per metric, call path and location. Values are exclusive along the call tree, and "
        "inclusive\n"
        "along the metric tree.\n"
        "Examples:\n"
        "  holos export run/analysis.cubex --metric mpi_latesender -o late.csv\n"
        "  holos export run/analysis.cubex --communication -o messages.csv");
    command.action([options] { exportExperiment(*options); });
}

}  // namespace holos::cli
