// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/profile/profile.h"

#include <map>
#include <memory>

#include "algebra/model/experiment.h"
#include "analyzer/assemble/additions.h"
#include "analyzer/assemble/experiment_builder.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/profile/added_metrics.h"
#include "analyzer/profile/table_replay.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer {

namespace {

using profile::ReplayedTable;
using profile::TableReplay;
using trace::LocationId;

/// Replays tables of all locations: that of a team's master before those of its workers.
class RunReplay {
  public:
    RunReplay(const trace::Definitions& definitions, const std::vector<trace::RegionClass>& classes,
              const RunProfile& run) {
        std::map<std::uint64_t, const LocationProfile*> tables;
        for (const LocationProfile& table : run.locations) tables[table.location] = &table;
        for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
            const std::uint64_t reference = definitions.locations[i].reference;
            const auto found = tables.find(reference);
            if (found == tables.end()) continue;
            numbers_[reference] = i;
            replays_[i] = std::make_unique<TableReplay>(definitions, classes, LocationId(i), *found->second);
        }
    }

    std::vector<ReplayedTable> run(std::size_t locations) {
        for (const auto& [i, replay] : replays_) place(i);
        std::vector<ReplayedTable> all(locations);
        for (const auto& [i, replay] : replays_) all[i] = replay->finish();
        return all;
    }

  private:
    /// In what is damaged, two may be each other's masters.
    void place(std::size_t i) {
        if (isPlaced_[i]) return;
        isPlaced_[i] = true;
        replays_.at(i)->place([this](std::uint64_t master, std::uint32_t path,
                                     trace::ContextId region) -> std::optional<replay::Origin> {
            const auto number = numbers_.find(master);
            if (number == numbers_.end()) return {};
            place(number->second);
            return replays_.at(number->second)->originOf(path, region);
        });
    }

    std::map<std::uint64_t, std::size_t> numbers_;  ///< by reference
    std::map<std::size_t, std::unique_ptr<TableReplay>> replays_;
    std::map<std::size_t, bool> isPlaced_;
};

}  // namespace

algebra::Experiment experimentOf(const RunProfile& run, const std::filesystem::path& archive) {
    const trace::Definitions definitions = trace::readDefinitions(trace::findAnchor(archive));
    const std::vector<trace::RegionClass> classes = trace::classifyRegions(definitions);
    const auto workers = workers::makeThreads(0);
    std::vector<ReplayedTable> tables =
        RunReplay(definitions, classes, run).run(definitions.locations.size());
    replay::ReplayedCalls calls{definitions, classes, ByLocation<replay::LocationCalls>(tables.size()),
                                ByLocation<std::vector<Diagnosis>>(tables.size())};
    for (std::size_t i = 0; i < tables.size(); ++i) calls.locations.put(i, std::move(tables[i].calls));
    paths::MergedTree merged = paths::mergeCallTrees(calls, *workers);
    const paths::MergedTree& tree = merged;
    const std::vector<std::vector<std::optional<algebra::CallPathId>>> pathOf = tree.pathOf;
    algebra::Experiment experiment = assemble::buildExperiment(
        calls, std::move(merged), profile::severitiesOf(tables), {}, *workers, profile::addedMetrics());
    profile::addVisitTimes(experiment, definitions, pathOf, tables);
    assemble::addHardware(experiment, definitions);
    assemble::addOffProcessor(experiment);
    experiment.attributes.emplace_back(algebra::kProfileAttribute, "1");
    return experiment;
}

}  // namespace holos::analyzer
