// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/anchor.h"
#include "algebra/files/cubex.h"
#include "algebra/files/member_names.h"
#include "algebra/files/row_order.h"
#include "algebra/files/tar_format.h"
#include "algebra/files/tar_writer.h"
#include "algebra/files/value_types.h"
#include "algebra/files/value_writer.h"
#include "algebra/model/call_extents.h"
#include "base/output_file.h"

namespace holos::algebra {
namespace {

bool fillsBlocks(const std::string& content) {
    return !content.empty() && content.size() % tar::kBlock == 0;
}

void writeMetric(const Experiment& experiment, MetricId id, const std::vector<CallPathId>& depthFirst,
                 const std::vector<CallPathId>& wide, TarWriter& tar) {
    const Metric& metric = experiment.metrics[id];
    if (!metric.hasValues()) return;
    const std::string stem = memberStem(id.index(), metric.ghost);
    const bool summed = missingValue(metric.valueType) == 0.0;
    if (metric.valueType == ValueType::Compound) {
        const auto found = experiment.compoundValues.find(id);
        if (found == experiment.compoundValues.end()) return;
        tar.add(stem + ".index", found->second->index);
        tar.add(stem + ".data", found->second->data);
        return;
    }
    RowsPtr rows = experiment.severities.rows(id);
    if (metric.storage == Storage::Inclusive && summed) {
        const auto inclusive = std::make_shared<SeverityTable>(*rows->table());
        makeInclusive(*inclusive, parentsOf(experiment.callTree));
        rows = rowsOf(inclusive);
    }
    writeValues(*rows, metric.valueType, metric.storage == Storage::Inclusive ? wide : depthFirst, stem, tar);
}

/// The additional files. Those that fill their last block stand at the end, see `TarWriter`.
void writeFiles(const Experiment& experiment, TarWriter& tar) {
    for (const bool filling : {false, true})
        for (const auto& [name, content] : experiment.files)
            if (fillsBlocks(content) == filling && name != kAnchor && !isValueMember(name))
                tar.add(name, content);
}

}  // namespace

void writeCubex(const Experiment& experiment, const std::filesystem::path& path, Links links) {
    OutputFile file(path, links);
    TarWriter tar(file);
    std::string anchor = writeAnchor(experiment);
    if (fillsBlocks(anchor)) anchor += '\n';
    tar.add(kAnchor, anchor);
    const auto depthFirst = depthFirstRows(experiment.callTree);
    const auto wide = wideRows(experiment.callTree);
    for (const MetricId id : experiment.metrics.ids()) writeMetric(experiment, id, depthFirst, wide, tar);
    writeFiles(experiment, tar);
    tar.finish();
    file.commit();
}

}  // namespace holos::algebra
