// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/files/cubex.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "algebra/files/anchor.h"
#include "algebra/files/packed/compression.h"
#include "algebra/files/stored_values.h"
#include "algebra/files/tar.h"
#include "algebra/files/value_reader.h"
#include "algebra/files/value_writer.h"
#include "algebra/model/row_sums.h"
#include "algebra/model/rows.h"
#include "algebra/model/severities.h"
#include "base/output_file.h"

namespace holos::algebra {
namespace {

constexpr std::string_view kGhost = "ghost_";

/// The name of a metric's members without `.index` and `.data`.
std::string memberStem(std::uint64_t metricId, bool ghost) {
    return (ghost ? std::string(kGhost) : std::string()) + std::to_string(metricId);
}

/// Whether a member has the name of some metric's values, so that it cannot be an additional file.
bool isValueMember(std::string_view name) {
    if (name.starts_with(kGhost)) name.remove_prefix(kGhost.size());
    const auto digits = name.find_first_not_of("0123456789");
    return digits != 0 && digits != name.npos &&
           (name.substr(digits) == ".data" || name.substr(digits) == ".index");
}

bool fillsBlocks(const std::string& content) {
    return !content.empty() && content.size() % tar::kBlock == 0;
}

/// Where sums of a metric are wanted: those of its rows as they are written, if these are what others ask
/// for; null otherwise.
RowSums* sumsOf(const Experiment& experiment, MetricId id, WantedSums* sums) {
    if (sums == nullptr || !(*sums)[id.index()]) return nullptr;
    const Metric& metric = experiment.metrics[id];
    std::optional<RowSums>& wanted = (*sums)[id.index()];
    if (metric.valueType != ValueType::Double || metric.storage == Storage::Inclusive || !metric.hasValues())
        wanted.reset();
    else
        wanted = RowSums{std::vector<double>(experiment.callTree.size()),
                         std::vector<double>(experiment.system.locations.size()),
                         std::vector<double>(experiment.callTree.size())};
    return wanted ? &*wanted : nullptr;
}

void writeMetric(const Experiment& experiment, MetricId id, const std::vector<CallPathId>& depthFirst,
                 const std::vector<CallPathId>& wide, TarWriter& tar, RowSums* sums) {
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
    const bool isInclusive = metric.storage == Storage::Inclusive;
    const Sums stored = isInclusive ? Sums::None : Sums::WhereLarge;
    writeValues(*rows, metric.valueType, isInclusive ? Negative::CountsDown : Negative::IsZero,
                isInclusive ? wide : depthFirst, stored, stem, tar, sums);
}

/// The additional files. Those that fill their last block stand at the end, see `TarWriter`.
void writeFiles(const Experiment& experiment, TarWriter& tar) {
    for (const bool filling : {false, true})
        for (const auto& [name, content] : experiment.files)
            if (fillsBlocks(content) == filling && name != kAnchor && !isValueMember(name))
                tar.add(name, content);
}

}  // namespace

void writeCubex(const Experiment& experiment, const std::filesystem::path& path, Links links,
                WantedSums* sums) {
    OutputFile file(path, links);
    TarWriter tar(file);
    std::string anchor = writeAnchor(experiment);
    if (fillsBlocks(anchor)) anchor += '\n';
    tar.add(kAnchor, anchor);
    const auto depthFirst = depthFirstRows(experiment.callTree);
    const auto wide = wideRows(experiment.callTree);
    for (const MetricId id : experiment.metrics.ids())
        writeMetric(experiment, id, depthFirst, wide, tar, sumsOf(experiment, id, sums));
    writeFiles(experiment, tar);
    tar.finish();
    file.commit();
}

namespace {

constexpr std::uint64_t kLargestAnchor = std::uint64_t{1} << 29;

using Members = std::map<std::string, TarMember>;

std::string readAnchorText(const FileReader& file, const Members& members) {
    const auto member = members.find(kAnchor);
    if (member == members.end()) file.fail("is not an experiment: its container has no \"anchor.xml\"", 0);
    std::string text = file.read(member->second.offset, member->second.size);
    if (!isGzip(text)) return text;
    auto unpacked = inflate(text, kLargestAnchor);
    if (!unpacked) file.fail("damaged container: \"anchor.xml\" cannot be unpacked", member->second.offset);
    return std::move(*unpacked);
}

std::optional<TarMember> find(const Members& members, const std::string& name) {
    const auto found = members.find(name);
    return found == members.end() ? std::nullopt : std::optional(found->second);
}

/// The members of a metric's values, by its number in the file.
StoredValues storedValues(const Metric& metric, std::size_t number, const Members& members,
                          const std::shared_ptr<const FileReader>& file,
                          const std::shared_ptr<const RowLayout>& layout) {
    const std::string stem = memberStem(number, metric.ghost);
    return {file,
            layout,
            find(members, stem + ".index"),
            find(members, stem + ".data"),
            metric.valueType,
            metric.storage,
            metric.uniqueName};
}

/// Attaches every metric's values to be loaded when they are asked for.
void attachValues(const Anchor& anchor, Experiment& experiment, const Members& members,
                  const std::shared_ptr<const FileReader>& file,
                  const std::shared_ptr<const RowLayout>& layout) {
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        if (!metric.hasValues()) continue;
        const std::size_t number = anchor.metricIds[id.index()];
        const StoredValues values = storedValues(metric, number, members, file, layout);
        const std::string stem = memberStem(number, metric.ghost);
        if (values.index.has_value() != values.data.has_value())
            file->fail("damaged container: the metric \"" + metric.uniqueName + "\" has the member \"" +
                           stem + (values.index ? ".index\" but no \"" : ".data\" but no \"") + stem +
                           (values.index ? ".data\"" : ".index\""),
                       (values.index ? values.index : values.data)->offset);
        if (metric.valueType != ValueType::Compound)
            experiment.severities.setRows(id, [values] { return openValues(values); });
        else if (values.index && values.data)
            experiment.compoundValues[id] = std::make_shared<CompoundValues>(
                CompoundValues{file->read(values.index->offset, values.index->size),
                               file->read(values.data->offset, values.data->size)});
    }
}

}  // namespace

Experiment readCubex(const std::filesystem::path& path) {
    const auto file = std::make_shared<const FileReader>(path);
    const Members members = readTarDirectory(*file);
    Anchor anchor = readAnchor(readAnchorText(*file, members), file->name());
    Experiment experiment = std::move(anchor.experiment);
    const auto layout = std::make_shared<const RowLayout>(experiment.callTree, anchor.columns);
    attachValues(anchor, experiment, members, file, layout);
    for (const auto& [name, member] : members)
        if (name != kAnchor && !isValueMember(name))
            experiment.files[name] = file->read(member.offset, member.size);
    return experiment;
}

std::vector<std::string> containerProblems(const std::filesystem::path& path) {
    const auto file = std::make_shared<const FileReader>(path);
    const Members members = readTarDirectory(*file);
    const Anchor anchor = readAnchor(readAnchorText(*file, members), file->name());
    const auto layout = std::make_shared<const RowLayout>(anchor.experiment.callTree, anchor.columns);
    std::set<std::string> stems;
    std::vector<std::string> found;
    for (const MetricId id : anchor.experiment.metrics.ids()) {
        const Metric& metric = anchor.experiment.metrics[id];
        const std::size_t number = anchor.metricIds[id.index()];
        stems.insert(memberStem(number, metric.ghost));
        if (!metric.hasValues() || metric.valueType == ValueType::Compound) continue;
        const StoredValues values = storedValues(metric, number, members, file, layout);
        if (const auto why = sizeProblem(values))
            found.push_back("metric \"" + metric.uniqueName + "\": " + *why);
        else if (!hasTrueSums(values))
            found.push_back("metric \"" + metric.uniqueName +
                            "\": its stored sums are not those of its values");
    }
    for (const auto& [name, member] : members)
        if (isValueMember(name) && !stems.contains(name.substr(0, name.find('.'))))
            found.push_back("the member \"" + name + "\" belongs to no metric");
    return found;
}

}  // namespace holos::algebra
