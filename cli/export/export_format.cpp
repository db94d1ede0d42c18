// SPDX-License-Identifier: BSD-3-Clause
#include "cli/export/export_format.h"

#include <fmt/format.h>

#include <algorithm>

#include "algebra/files/experiment_file.h"
#include "algebra/model/metric_values.h"
#include "algebra/model/source_lines.h"
#include "base/error.h"
#include "base/text.h"
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
        throw Error("metric \"" + experiment.metrics[metric].uniqueName +
                    "\": its values cannot be added up by stacks");
    return metric;
}

void sayLeftOutBelowZero(std::size_t stacks) {
    if (stacks == 0) return;
    complain(fmt::format("note: {} with less than nothing {} left out: flame graphs have no place for {}",
                         counted(stacks, "stack"), stacks == 1 ? "is" : "are", stacks == 1 ? "it" : "them"));
}

namespace {

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

void exportMetric(const Experiment& experiment, MetricId metric, bool zeros, ValueSink& sink) {
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
                sink.add({metric, path, LocationId(at), value, valueIn(inclusive, path, at)});
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
