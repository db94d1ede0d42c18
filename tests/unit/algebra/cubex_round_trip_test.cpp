// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "algebra/files/cubex.h"
#include "algebra/files/experiment_file.h"
#include "algebra/model/queries.h"
#include "base/error.h"
#include "tests/unit/algebra/sample_experiment.h"

namespace holos::algebra::testing {
namespace {

std::filesystem::path scratch(const std::string& name) {
    return std::filesystem::path(::testing::TempDir()) / name;
}

/// What comes back after the experiment was written to a file.
Experiment roundTrip(const Experiment& experiment) {
    const auto* const info = ::testing::UnitTest::GetInstance()->current_test_info();
    const auto file = scratch(std::string(info->name()) + ".cubex");
    writeCubex(experiment, file);
    Experiment read = readCubex(file);
    std::filesystem::remove(file);
    return read;
}

void expectEqualTables(const Experiment& expected, const Experiment& actual, MetricId metric) {
    for (const CallPathId path : expected.callTree.ids())
        for (std::size_t at = 0; at < expected.system.locations.size(); ++at)
            EXPECT_EQ(actual.severities.table(metric).at(path, LocationId(at)),
                      expected.severities.table(metric).at(path, LocationId(at)))
                << expected.metrics[metric].uniqueName << " at call path " << path.index() << ", location "
                << at;
}

TEST(CubexRoundTrip, exclusiveAndInclusiveMetrics_keepValues) {
    Experiment experiment = sampleStructure();
    const MetricId exclusive = addSampleMetric(experiment, "time", 1.0);
    const MetricId inclusive = addSampleMetric(experiment, "bytes", 2.0, Storage::Inclusive);
    const Experiment read = roundTrip(experiment);
    expectEqualTables(experiment, read, exclusive);
    expectEqualTables(experiment, read, inclusive);
    EXPECT_EQ(read.metrics[exclusive].storage, Storage::Exclusive);
    EXPECT_EQ(read.metrics[inclusive].storage, Storage::Inclusive);
}

/// A program that calls itself 30,000 times, on a system of 200,000 levels.
TEST(CubexRoundTrip, deepTrees_comeBack) {
    constexpr std::size_t kCalls = 30'000, kLevels = 200'000;
    Experiment experiment;
    experiment.regions.emplace_back().name = "f";
    std::optional<CallPathId> caller;
    for (std::size_t call = 0; call < kCalls; ++call) caller = experiment.callTree.add({}, caller);
    std::optional<SystemNodeId> above;
    for (std::size_t level = 0; level < kLevels; ++level)
        above = experiment.system.nodes.add({"n", "node", "", {}}, above);
    experiment.system.processes.push_back({"rank 0", 0, Process::Type::Process, *above, {}});
    experiment.system.locations.resize(1);
    const MetricId time = addSampleMetric(experiment, "time", 1.0);
    const MetricId bytes = addSampleMetric(experiment, "bytes", 2.0, Storage::Inclusive);
    for (const char* ending : {".cubex", ".cube"}) {
        const auto file = scratch(std::string("deep") + ending);
        writeExperiment(experiment, file);
        const Experiment read = readExperiment(file);
        std::filesystem::remove(file);
        EXPECT_EQ(read.callTree.size(), kCalls);
        EXPECT_EQ(aggregate(read, {time}), aggregate(experiment, {time}));
        EXPECT_EQ(aggregate(read, {bytes}), aggregate(experiment, {bytes}));
    }
}

TEST(CubexRoundTrip, everyValueType_keepsExtremes) {
    using std::numeric_limits;
    struct Case {
        ValueType type;
        double low, high;
    };
    const Case cases[] = {{ValueType::Double, -DBL_MAX, DBL_MAX},
                          {ValueType::Int8, -128, 127},
                          {ValueType::UInt8, 0, 255},
                          {ValueType::Int16, -32768, 32767},
                          {ValueType::UInt16, 0, 65535},
                          {ValueType::Int32, -2147483648.0, 2147483647.0},
                          {ValueType::UInt32, 0, 4294967295.0},
                          {ValueType::Int64, -9007199254740992.0, 9007199254740992.0},
                          {ValueType::UInt64, 0, 9007199254740992.0},
                          {ValueType::MinDouble, -3.5, DBL_MAX},
                          {ValueType::MaxDouble, -DBL_MAX, 3.5}};
    Experiment experiment = sampleStructure();
    for (const auto& [type, low, high] : cases) {
        Metric metric;
        metric.uniqueName = "m" + std::to_string(experiment.metrics.size());
        metric.valueType = type;
        const MetricId id = experiment.metrics.add(metric);
        SeverityTable table = experiment.newTable();
        const auto row = table.editRow(CallPathId(2));
        row[0] = low;
        row[1] = high;
        row[2] = 1.0;
        experiment.severities.set(id, table);
    }
    const Experiment read = roundTrip(experiment);
    for (const MetricId id : experiment.metrics.ids()) {
        EXPECT_EQ(read.metrics[id].valueType, experiment.metrics[id].valueType);
        for (std::size_t at = 0; at < 4; ++at)
            EXPECT_EQ(read.severities.table(id).at(CallPathId(2), LocationId(at)),
                      experiment.severities.table(id).at(CallPathId(2), LocationId(at)))
                << "metric " << id.index() << " location " << at;
    }
}

TEST(CubexRoundTrip, integersOutOfRange_areKeptWithinTheType) {
    Experiment experiment = sampleStructure();
    const MetricId id = addSampleMetric(experiment, "count", 0.0, Storage::Exclusive, ValueType::UInt8);
    const auto row = experiment.severities.edit(id).editRow(CallPathId(0));
    row[0] = 300.0;
    row[1] = -1.0;
    row[2] = 2.6;
    row[3] = std::numeric_limits<double>::quiet_NaN();
    const Experiment read = roundTrip(experiment);
    const auto stored = read.severities.table(id).row(CallPathId(0));
    EXPECT_EQ(stored[0], 255.0);
    EXPECT_EQ(stored[1], 0.0);
    EXPECT_EQ(stored[2], 3.0);
    EXPECT_EQ(stored[3], 0.0);
}

TEST(CubexRoundTrip, notANumber_staysNotANumber) {
    Experiment experiment = sampleStructure();
    const MetricId id = addSampleMetric(experiment, "ratio", 1.0);
    experiment.severities.edit(id).editRow(CallPathId(1))[2] = std::numeric_limits<double>::quiet_NaN();
    const Experiment read = roundTrip(experiment);
    EXPECT_TRUE(std::isnan(read.severities.table(id).at(CallPathId(1), LocationId(2))));
}

TEST(CubexRoundTrip, metric_keepsEveryField) {
    Experiment experiment = sampleStructure();
    const MetricId parent = addSampleMetric(experiment, "time", 1.0);
    Metric metric;
    metric.uniqueName = "~flops";
    metric.displayName = "~Floating point \"operations\" & <more>";
    metric.unit = "occ";
    metric.description = "Line one.\nLine two, it's 'quoted' \xC3\xA4.";
    metric.url = "@mirror@patterns.html#flops";
    metric.valueType = ValueType::Double;
    metric.typeName = "FLOAT";
    metric.origin = Origin::Composed;
    metric.storage = Storage::PreDerivedExclusive;
    metric.incomplete = true;
    metric.ghost = true;
    metric.isVoid = true;
    metric.expression = "metric::time() / 2 < 3";
    metric.initialisation = "{ ${x} = 1; }";
    metric.aggregations = {{"plus", "arg1 + arg2"}, {"minus", "arg1"}};
    metric.rowWise = false;
    metric.convertible = false;
    metric.cacheable = false;
    metric.attributes = {{"k", "v"}, {"k", "again"}};
    const MetricId child = experiment.metrics.add(metric, parent);
    const Experiment read = roundTrip(experiment);
    ASSERT_EQ(read.metrics.size(), 2U);
    ASSERT_EQ(read.metrics.parent(child), parent);
    const Metric& back = read.metrics[child];
    EXPECT_EQ(back.uniqueName, metric.uniqueName);
    EXPECT_EQ(back.displayName, metric.displayName);
    EXPECT_EQ(back.unit, metric.unit);
    EXPECT_EQ(back.description, metric.description);
    EXPECT_EQ(back.url, metric.url);
    EXPECT_EQ(back.typeName, metric.typeName);
    EXPECT_EQ(back.origin, metric.origin);
    EXPECT_EQ(back.storage, metric.storage);
    EXPECT_EQ(back.incomplete, metric.incomplete);
    EXPECT_EQ(back.ghost, metric.ghost);
    EXPECT_EQ(back.isVoid, metric.isVoid);
    EXPECT_EQ(back.expression, metric.expression);
    EXPECT_EQ(back.initialisation, metric.initialisation);
    EXPECT_EQ(back.aggregations, metric.aggregations);
    EXPECT_EQ(back.rowWise, metric.rowWise);
    EXPECT_EQ(back.convertible, metric.convertible);
    EXPECT_EQ(back.cacheable, metric.cacheable);
    EXPECT_EQ(back.attributes, metric.attributes);
}

TEST(CubexRoundTrip, callTree_keepsRegionsCallSitesAndParameters) {
    Experiment experiment = sampleStructure();
    experiment.regions[1].url = "u";
    experiment.regions[1].description = "d";
    experiment.regions[1].attributes = {{"a", "b"}};
    CallPath& path = experiment.callTree[CallPathId(2)];
    path.line = 42;
    path.module = "inner.c";
    path.numericParameters = {{"n", 0.1}, {"m", 1e300}};
    path.stringParameters = {{"phase", "a & b"}};
    path.attributes = {{"key", "value"}};
    const Experiment read = roundTrip(experiment);
    ASSERT_EQ(read.callTree.size(), 6U);
    for (const CallPathId id : experiment.callTree.ids()) {
        EXPECT_EQ(read.callTree.parent(id), experiment.callTree.parent(id));
        EXPECT_EQ(read.regionOf(id).name, experiment.regionOf(id).name);
        EXPECT_EQ(read.regionOf(id).module, experiment.regionOf(id).module);
        EXPECT_EQ(read.regionOf(id).beginLine, experiment.regionOf(id).beginLine);
        EXPECT_EQ(read.regionOf(id).endLine, experiment.regionOf(id).endLine);
        EXPECT_EQ(read.regionOf(id).paradigm, experiment.regionOf(id).paradigm);
        EXPECT_EQ(read.regionOf(id).role, experiment.regionOf(id).role);
    }
    EXPECT_EQ(read.regions[1].url, "u");
    EXPECT_EQ(read.regions[1].description, "d");
    EXPECT_EQ(read.regions[1].attributes, experiment.regions[1].attributes);
    const CallPath& back = read.callTree[CallPathId(2)];
    EXPECT_EQ(back.line, 42);
    EXPECT_EQ(back.module, "inner.c");
    EXPECT_EQ(back.numericParameters, path.numericParameters);
    EXPECT_EQ(back.stringParameters, path.stringParameters);
    EXPECT_EQ(back.attributes, path.attributes);
}

TEST(CubexRoundTrip, systemTreeAndTopologies_areKept) {
    Experiment experiment = sampleStructure();
    experiment.system.processes[1].type = Process::Type::Accelerator;
    experiment.system.locations[1].type = Location::Type::Metric;
    experiment.system.locations[3].type = Location::Type::AcceleratorStream;
    experiment.system.processes[0].attributes = {{"p", "q"}};
    experiment.system.locations[0].attributes = {{"l", "m"}};
    experiment.system.nodes[SystemNodeId(1)].description = "a board";
    experiment.system.nodes[SystemNodeId(1)].attributes = {{"n", "o"}};
    experiment.topologies.push_back(
        {"grid", {{"x", 2, true}, {"y", 3, false}}, {{LocationId(2), {1, 2}}, {ProcessId(1), {0, 1}}}});
    const Experiment read = roundTrip(experiment);
    ASSERT_EQ(read.system.nodes.size(), 2U);
    EXPECT_EQ(read.system.nodes[SystemNodeId(1)].description, "a board");
    EXPECT_EQ(read.system.nodes[SystemNodeId(1)].attributes,
              experiment.system.nodes[SystemNodeId(1)].attributes);
    ASSERT_EQ(read.system.processes.size(), 2U);
    EXPECT_EQ(read.system.processes[1].type, Process::Type::Accelerator);
    EXPECT_EQ(read.system.processes[1].node, SystemNodeId(1));
    EXPECT_EQ(read.system.processes[0].attributes, experiment.system.processes[0].attributes);
    ASSERT_EQ(read.system.locations.size(), 4U);
    EXPECT_EQ(read.system.locations[0].type, Location::Type::Thread);
    EXPECT_EQ(read.system.locations[1].type, Location::Type::Metric);
    EXPECT_EQ(read.system.locations[3].type, Location::Type::AcceleratorStream);
    EXPECT_EQ(read.system.locations[0].attributes, experiment.system.locations[0].attributes);
    ASSERT_EQ(read.topologies.size(), 1U);
    EXPECT_EQ(read.topologies[0].name, "grid");
    ASSERT_EQ(read.topologies[0].dimensions.size(), 2U);
    EXPECT_TRUE(read.topologies[0].dimensions[0].periodic);
    EXPECT_EQ(read.topologies[0].dimensions[1].size, 3U);
    ASSERT_EQ(read.topologies[0].coordinates.size(), 2U);
    EXPECT_EQ(std::get<LocationId>(read.topologies[0].coordinates[0].resource), LocationId(2));
    EXPECT_EQ(std::get<ProcessId>(read.topologies[0].coordinates[1].resource), ProcessId(1));
    EXPECT_EQ(read.topologies[0].coordinates[0].position, (std::vector<std::uint64_t>{1, 2}));
}

TEST(CubexRoundTrip, filesMirrorsAttributesAndTitles_areKept) {
    Experiment experiment = sampleStructure();
    addSampleMetric(experiment, "time", 1.0);
    experiment.attributes = {{"Creator", "Holos"}, {"empty", ""}};
    experiment.mirrors = {"http://example.org/", "https://example.org/b?x=1&y=2"};
    experiment.metricsTitle = "M";
    experiment.callTreeTitle = "C";
    experiment.systemTitle = "S";
    experiment.files = {{"remapping.spec", "text"},
                        {"a file with blanks", std::string(512, 'x')},
                        {"another full one", std::string(1024, '\0')},
                        {"empty", ""},
                        {std::string(150, 'n'), "long name"}};
    const Experiment read = roundTrip(experiment);
    EXPECT_EQ(read.files, experiment.files);
    EXPECT_EQ(read.mirrors, experiment.mirrors);
    EXPECT_EQ(read.metricsTitle, "M");
    EXPECT_EQ(read.callTreeTitle, "C");
    EXPECT_EQ(read.systemTitle, "S");
    for (const auto& attribute : experiment.attributes)
        EXPECT_NE(std::find(read.attributes.begin(), read.attributes.end(), attribute),
                  read.attributes.end());
}

TEST(CubexRoundTrip, deepCallTree_isNoTrouble) {
    Experiment experiment = sampleStructure();
    CallPathId deepest(2);
    for (int depth = 0; depth < 5000; ++depth) {
        CallPath path;
        path.region = RegionId(2);
        deepest = experiment.callTree.add(path, deepest);
    }
    addSampleMetric(experiment, "time", 1.0, Storage::Inclusive);
    const Experiment read = roundTrip(experiment);
    EXPECT_EQ(read.callTree.size(), experiment.callTree.size());
}

TEST(WriteCubex, impossibleName_leavesNothingBehind) {
    const auto folder = scratch("impossible_name");
    std::filesystem::create_directories(folder);
    EXPECT_THROW(writeCubex(sampleStructure(), folder / "missing" / "x.cubex"), Error);
    EXPECT_THROW(writeCubex(sampleStructure(), folder), Error);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST(WriteCubex, metricWithoutValues_hasOneRowOfZeros) {  // because pycubexr refuses metrics without rows
    Experiment experiment = sampleStructure();
    for (const Storage storage : {Storage::Exclusive, Storage::Inclusive}) {
        const MetricId metric =
            addSampleMetric(experiment, "none" + std::to_string(int(storage)), 0.0, storage);
        const RowsPtr rows = roundTrip(experiment).severities.rows(metric);
        const CallPathId root(0);
        ASSERT_TRUE(rows->hasRow(root));
        std::vector<double> scratch(rows->locations());
        EXPECT_TRUE(rows->allMissing(rows->row(root, scratch)));
        for (std::size_t path = 1; storage == Storage::Exclusive && path < rows->callPaths(); ++path)
            EXPECT_FALSE(rows->hasRow(CallPathId(path)));
    }
}

TEST(WriteCubex, ontoItsOwnInput_keepsLazyValues) {
    const auto file = scratch("own_input.cubex");
    Experiment experiment = sampleStructure();
    const MetricId metric = addSampleMetric(experiment, "time", 1.0);
    writeCubex(experiment, file);
    const Experiment read = readCubex(file);
    writeCubex(read, file);
    expectEqualTables(experiment, readCubex(file), metric);
}

}  // namespace
}  // namespace holos::algebra::testing
