// SPDX-License-Identifier: BSD-3-Clause
#include "cli/export/export_format.h"

#include <fmt/format.h>

#include "algebra/model/source_lines.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/terminal/terminal.h"

namespace holos::cli {

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

}  // namespace holos::cli
