// SPDX-License-Identifier: BSD-3-Clause
#include "cli/export/export_format.h"

#include <fmt/format.h>

#include <span>

#include "algebra/files/experiment_file.h"
#include "algebra/model/metric_rows.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "base/wrong_request.h"
#include "cli/terminal/terminal.h"
#include "report/tables/summary.h"

namespace holos::cli {

using namespace algebra;
using namespace tables;

#define HOLOS_EXPORT_FORMAT(X) std::unique_ptr<ExportFormat> make##X##Format();
#include "cli/export/formats.def"
#undef HOLOS_EXPORT_FORMAT

std::vector<std::unique_ptr<ExportFormat>> makeExportFormats() {
    std::vector<std::unique_ptr<ExportFormat>> formats;
#define HOLOS_EXPORT_FORMAT(X) formats.push_back(make##X##Format());
#include "cli/export/formats.def"
#undef HOLOS_EXPORT_FORMAT
    return formats;
}

void ExportOutput::write(std::string_view text) {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    pending_ += text;
    if (pending_.size() > kPiece) flush();
}

void ExportOutput::finish() {
    flush();
    if (file_) file_->commit();
}

void ExportOutput::flush() {
    if (file_)
        file_->write(pending_);
    else
        print(pending_);
    pending_.clear();
}

std::string jsonString(const std::string& text) {
    return jsonText(nlohmann::json(text));
}

std::vector<Option> ExportFormat::addOptions(Command& /*command*/) {
    return {};
}

algebra::MetricId onlyMetric(const algebra::Experiment& experiment,
                             const std::vector<algebra::MetricId>& named, const std::string& format) {
    if (named.size() > 1) throw UsageError("--metric: --format " + format + " has place for one");
    const auto time = experiment.findMetric("time");
    if (named.empty() && !time)
        throw UsageError("--metric: is missing; the experiment has no metric \"time\"");
    const algebra::MetricId metric = named.empty() ? *time : named.front();
    if (!algebra::isSumOfParts(experiment.metrics[metric]))
        throw WrongRequest("metric \"" + experiment.metrics[metric].uniqueName +
                           "\": its values cannot be added up by stacks");
    return metric;
}

void sayLeftOutBelowZero(std::size_t stacks) {
    if (stacks == 0) return;
    complain(fmt::format("note: {} with less than nothing {} left out: flame graphs have no place for {}",
                         counted(stacks, "stack"), stacks == 1 ? "is" : "are", stacks == 1 ? "it" : "them"));
}

namespace {

/// A value of a row; a row that is not there is missing as a whole.
double valueIn(std::span<const double> row, std::size_t at, double missing) {
    return row.empty() ? missing : row[at];
}

void exportMetric(const Experiment& experiment, MetricId metric, bool zeros, ValueSink& sink) {
    MetricRows rows(experiment, metric, MetricRows::Below::Extreme);
    for (const CallPathId path : experiment.callTree.ids()) {
        if (!zeros && !rows.hasRow(path)) continue;
        const auto own = rows.own(path), withBelow = rows.withBelow(path);
        for (std::size_t at = 0; at < experiment.system.locations.size(); ++at) {
            const double value = valueIn(own, at, rows.missing());
            if (zeros || value != rows.missing())
                sink.add({metric, path, LocationId(at), value, valueIn(withBelow, at, rows.missing())});
        }
    }
}

}  // namespace

std::vector<MetricId> ValueFormat::metrics(const Experiment& experiment,
                                           const std::vector<MetricId>& named) const {
    if (!named.empty()) return named;
    std::vector<MetricId> all;
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        if (!metric.ghost && !metric.isVoid && metric.valueType != ValueType::Compound) all.push_back(id);
    }
    return all;
}

std::string ValueFormat::communication(const Experiment& /*experiment*/, const std::string& /*file*/) const {
    throw UsageError("--communication: --format " + word() + " has no table of messages");
}

void ValueFormat::write(const ExportRequest& request, ExportOutput& output) const {
    const std::string& file = request.files.front();
    const Experiment experiment = readExperiment(file);
    if (request.communication) return output.write(communication(experiment, file));
    std::vector<MetricId> named;
    for (const std::string& name : request.metrics) named.push_back(metricNamed(experiment, name, file));
    const auto sink = valuesTo(output, experiment);
    for (const MetricId metric : metrics(experiment, named)) {
        try {
            exportMetric(experiment, metric, request.zeros, *sink);
        } catch (const Error& error) {
            const std::string& name = experiment.metrics[metric].uniqueName;
            if (experiment.metrics[metric].hasValues() || !request.metrics.empty())
                throw Error("metric \"" + name + "\": " + error.what(), Place{.file = file});
            complain("note: metric \"" + name + "\" is left out: " + error.what());
        }
    }
    sink->finish();
}

}  // namespace holos::cli
