// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/derive/scopes.h"

#include <gmock/gmock.h>

#include "algebra/model/queries.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/merge.h"
#include "metric-specs/specification.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::findShown;
using holos::testing::SmallExperiment;
using holos::testing::valuesAt;
using specs::Scope;
using ::testing::ElementsAre;

/// Two nodes with two sockets each, one process of two threads on each socket.
SystemTree fourSockets() {
    SystemTree system;
    const auto machine = system.nodes.add({"cluster", "machine", "", {}});
    for (int node = 0; node < 2; ++node) {
        const auto host = system.nodes.add({"node", "node", "", {}}, machine);
        for (int socket = 0; socket < 2; ++socket) {
            Process process;
            process.node = system.nodes.add({"socket", "socket", "", {}}, host);
            const ProcessId id(system.processes.size());
            system.processes.push_back(process);
            for (int thread = 0; thread < 2; ++thread) system.locations.push_back({"t", thread, {}, id, {}});
        }
    }
    return system;
}

std::vector<double> counted(const SystemTree& system, Scope scope, const std::vector<double>& values) {
    auto table = std::make_shared<SeverityTable>(1, values.size());
    for (std::size_t at = 0; at < values.size(); ++at) table->add(CallPathId(0), LocationId(at), values[at]);
    const auto rows = oncePerScope(system, scope, [table] { return rowsOf(table); })();
    std::vector<double> scratch(values.size());
    const auto row = rows->row(CallPathId(0), scratch);
    return {row.begin(), row.end()};
}

TEST(Scopes, socketAndNode_countOnce) {
    const SystemTree system = fourSockets();
    const std::vector<double> values{7, 7, 5, 5, 3, 3, 2, 2};
    EXPECT_THAT(counted(system, Scope::Socket, values), ElementsAre(7, 0, 5, 0, 3, 0, 2, 0));
    EXPECT_THAT(counted(system, Scope::Node, values), ElementsAre(7, 0, 0, 0, 3, 0, 0, 0));
}

TEST(Scopes, firstWithValues_isTaken) {
    EXPECT_THAT(counted(fourSockets(), Scope::Node, {0, 0, 0, 5, 0, 3, 2, 2}),
                ElementsAre(0, 0, 0, 5, 0, 3, 0, 0));
}

TEST(Scopes, unknownCores_areThoseOfTheLocations) {
    const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8};
    EXPECT_EQ(counted(fourSockets(), Scope::Core, values), values);
}

TEST(Scopes, unknownSockets_areTheNodes) {
    const SystemTree oneNode = SmallExperiment(2, 2).take().system;
    EXPECT_THAT(counted(oneNode, Scope::Socket, {9, 9, 9, 9}), ElementsAre(9, 0, 0, 0));
}

/// A process with two threads on each of two sockets: what the threads' attributes say.
TEST(Scopes, placesOfThreads_tellSocketsAndCoresOfOneProcess) {
    SystemTree system = SmallExperiment(1, 4).take().system;
    const std::vector<std::pair<std::string, std::string>> places{
        {"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "0"}};
    for (std::size_t at = 0; at < places.size(); ++at)
        system.locations[at].attributes = {{"socket", places[at].first}, {"core", places[at].second}};
    EXPECT_THAT(counted(system, Scope::Socket, {7, 7, 5, 5}), ElementsAre(7, 0, 5, 0));
    EXPECT_THAT(counted(system, Scope::Core, {7, 6, 5, 5}), ElementsAre(7, 6, 5, 0));
    EXPECT_THAT(counted(system, Scope::Node, {9, 9, 9, 9}), ElementsAre(9, 0, 0, 0));
}

TEST(Scopes, equalPlacesOnTwoNodes_areTwo) {
    SystemTree system = fourSockets();
    for (auto& location : system.locations) location.attributes = {{"socket", "0"}, {"core", "3"}};
    EXPECT_THAT(counted(system, Scope::Core, {7, 7, 5, 5, 3, 3, 2, 2}), ElementsAre(7, 0, 5, 0, 3, 0, 2, 0));
}

/// Four threads read the same counter of their node: 10 in main, then 30 in main/f.
TEST(Scopes, derivation_attributesASharedCounterOnce) {
    const auto text =
        "scope node = dram\naggroup S = dram own\nmeasure DRAM = dram\ncompute TWICE = 2 * DRAM\n"
        "ratio PER = DRAM / own\n";
    const auto spec = specs::parse(text, "test.spec");
    SmallExperiment build(2, 2);
    build.counter("dram", {{"main", {10, 10, 10, 10}}, {"main/f", {30, 30, 30, 30}}});
    build.counter("own", {{"main", {5, 5, 5, 5}}, {"main/f", {1, 2, 3, 4}}});
    const Experiment once = derive(build.take(), spec);
    const auto total = [](const Experiment& of, const char* name) {
        return aggregate(of, {findShown(of, name)});
    };
    EXPECT_THAT(valuesAt(once, "DRAM", "main/f"), ElementsAre(30, 0, 0, 0));
    EXPECT_EQ(total(once, "DRAM"), 40);
    EXPECT_EQ(total(once, "TWICE"), 80);
    EXPECT_EQ(total(once, "own"), 30);
    EXPECT_DOUBLE_EQ(total(once, "PER"), 40.0 / 30.0);
}

/// What the analysis divided among the threads is no longer the same count of each.
TEST(Scopes, derivationOfAnAttributedCounter_keepsThePartsOfAll) {
    const auto spec = specs::parse("scope node = dram\naggroup S = dram\nmeasure DRAM = dram\n", "test.spec");
    SmallExperiment build(2, 2);
    build.counter("dram", {{"main", {10, 20, 30, 40}}});
    Experiment attributed = build.take();
    setAttribute(attributed.metrics[*attributed.findMetric("dram")].attributes, kAttributedAttribute, "time");
    EXPECT_THAT(valuesAt(derive(std::move(attributed), spec), "DRAM", "main"), ElementsAre(10, 20, 30, 40));
}

/// Earlier versions have the whole at the location that read it.
TEST(Scopes, derivationAfterMergingAttributedAndNot_keepsThePartsOfAllInAnyOrder) {
    const auto spec = specs::parse("scope node = dram\naggroup S = dram\nmeasure DRAM = dram\n", "test.spec");
    SmallExperiment build(2, 2);
    build.counter("dram", {{"main", {10, 20, 30, 40}}});
    Experiment attributed = build.take();
    Metric& metric = attributed.metrics[*attributed.findMetric("dram")];
    setAttribute(metric.attributes, kAttributedAttribute, "time");
    metric.description = "an estimate";
    SmallExperiment buildEarlier(2, 2);
    buildEarlier.counter("dram", {{"main", {100, 0, 0, 0}}});
    const Experiment earlier = buildEarlier.take();
    for (const Inputs& inputs : {Inputs{attributed, earlier}, Inputs{earlier, attributed}}) {
        const Experiment merged = merge(inputs, &spec);
        EXPECT_THAT(valuesAt(merged, "DRAM", "main"), ElementsAre(55, 10, 15, 20));
        EXPECT_EQ(merged.metrics[findShown(merged, "DRAM")].description, "an estimate");
    }
}

}  // namespace
}  // namespace holos::algebra
