// SPDX-License-Identifier: BSD-3-Clause
// CUBE 3 documents: as other programs write them, written and read again, and damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "algebra/files/cube3.h"
#include "algebra/files/experiment_file.h"
#include "algebra/model/queries.h"
#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/algebra/sample_experiment.h"

namespace holos::algebra::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// main (id 3) calls work (id 8) on two threads, ids 1 and 0, of two processes, ids 7 and 5.
const std::string kDocument = R"(<?xml version="1.0" encoding="ISO-8859-1"?>
<cube version="3.0">
  <attr key="Creator" value="someone & others"/>
  <doc><mirrors><murl>http://example.org/</murl></mirrors></doc>
  <metrics title="M">
    <metric id="4"><disp_name>Time</disp_name><uniq_name>time</uniq_name><dtype>FLOAT</dtype><uom>sec</uom>
      <url></url><descr>all < the time</descr>
      <metric id="2"><disp_name>MPI</disp_name><uniq_name>mpi</uniq_name><dtype>INTEGER</dtype></metric>
    </metric>
    <metric id="9"><disp_name>V</disp_name><uniq_name>v</uniq_name><dtype>FLOAT</dtype><val>VOID</val></metric>
  </metrics>
  <program>
    <region id="0" mod="a.c" begin="1" end="9"><name>main</name><url></url><descr></descr></region>
    <region id="6" mod="a.c" begin="11" end="19"><name>work</name><url></url><descr></descr></region>
    <cnode id="3" line="-1" mod="" calleeId="0"><cnode id="8" line="5" mod="a.c" calleeId="6"></cnode></cnode>
  </program>
  <system>
    <machine Id="0"><name>jugene</name><descr>big</descr>
      <node Id="0"><name>n0</name>
        <process Id="7"><name>P0</name><rank>0</rank><thread Id="1"><name>T</name><rank>0</rank></thread></process>
        <process Id="5"><name>P1</name><rank>1</rank><thread Id="0"><name>U</name><rank>0</rank></thread></process>
      </node>
    </machine>
    <topologies><cart name="grid" ndims="1"><dim size="4" periodic="true"/>
      <coord thrdId="1">2</coord><coord procId="5">3</coord><coord nodeId="0">1</coord></cart></topologies>
  </system>
<severity>
<matrix metricId="4">
<row cnodeId="3">
0.5
1e2
</row>
<row cnodeId="8"> 7 </row>
</matrix>
<matrix metricId="2"><row cnodeId="8">0 12</row><row cnodeId="3">0 0</row></matrix>
<matrix metricId="9"><row cnodeId="3">1 1</row></matrix>
</severity>
</cube>
)";

class Cube3 : public ::testing::Test {
  protected:
    std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }

    Experiment read(const std::string& text) const {
        std::ofstream(file("in.cube"), std::ios::binary) << text;
        return readExperiment(file("in.cube"));
    }

    std::string complaint(const std::string& text) const {
        try {
            read(text);
        } catch (const Error& error) {
            return error.what();
        }
        return "no complaint";
    }

    std::string complaintWith(const std::string& what, const std::string& by) const {
        return complaint(std::string(kDocument).replace(kDocument.find(what), what.size(), by));
    }

    Experiment roundTrip(const Experiment& experiment, const std::string& name = "again.cube") const {
        writeExperiment(experiment, file(name));
        return readExperiment(file(name));
    }

  private:
    holos::testing::TemporaryDirectory folder_;
};

std::vector<double> row(const Experiment& experiment, std::size_t metric, std::size_t path) {
    const auto values = experiment.severities.table(MetricId(metric)).row(CallPathId(path));
    return {values.begin(), values.end()};
}

TEST_F(Cube3, document_becomesTheModel) {
    const Experiment experiment = read(kDocument);
    ASSERT_EQ(experiment.metrics.size(), 3U);
    EXPECT_EQ(experiment.metrics[MetricId(0)].description, "all < the time");
    EXPECT_EQ(experiment.metrics[MetricId(1)].valueType, ValueType::Int64);
    EXPECT_EQ(experiment.metrics.parent(MetricId(1)), MetricId(0));
    EXPECT_EQ(experiment.attributes.at(0).second, "someone & others");
    ASSERT_EQ(experiment.callTree.size(), 2U);
    EXPECT_EQ(experiment.regionOf(CallPathId(1)).name, "work");
    EXPECT_EQ(experiment.callTree[CallPathId(1)].line, 5);

    const SystemTree& system = experiment.system;
    ASSERT_EQ(system.nodes.size(), 2U);
    EXPECT_EQ(system.nodes[SystemNodeId(0)].className, "machine");
    EXPECT_EQ(system.nodes[SystemNodeId(0)].description, "big");
    EXPECT_EQ(system.nodes[SystemNodeId(1)].className, "node");
    ASSERT_EQ(system.locations.size(), 2U);
    EXPECT_EQ(system.locations[0].name, "U");
    EXPECT_EQ(system[system.locations[0].process].rank, 1);

    ASSERT_EQ(experiment.topologies.size(), 1U);
    const auto& coordinates = experiment.topologies[0].coordinates;
    ASSERT_EQ(coordinates.size(), 2U);
    EXPECT_EQ(std::get<LocationId>(coordinates[0].resource), LocationId(1));
    EXPECT_EQ(std::get<ProcessId>(coordinates[1].resource), ProcessId(1));
}

TEST_F(Cube3, values_areInTheOrderOfThreadIdsAndMissingOnesZero) {
    const Experiment experiment = read(kDocument);
    EXPECT_THAT(row(experiment, 0, 0), ElementsAre(0.5, 100));
    EXPECT_THAT(row(experiment, 0, 1), ElementsAre(7, 0));
    EXPECT_THAT(row(experiment, 1, 0), ElementsAre());
    EXPECT_THAT(row(experiment, 1, 1), ElementsAre(0, 12));
    EXPECT_FALSE(experiment.severities.has(MetricId(2)));
}

TEST_F(Cube3, valuesOfALargeFile_stayThereAndAreTheSame) {
    const Experiment held = read(kDocument);
    const Experiment left = readCube3(file("in.cube"), 0);
    const MetricId time(0), mpi(1);
    EXPECT_TRUE(held.severities.isInMemory(time));
    EXPECT_FALSE(left.severities.isInMemory(time));
    for (const MetricId metric : {time, mpi}) {
        EXPECT_EQ(perLocation(left, {metric}), perLocation(held, {metric}));
        EXPECT_EQ(perCallPath(left, {metric}, Extent::Exclusive),
                  perCallPath(held, {metric}, Extent::Exclusive));
    }
    EXPECT_FALSE(left.severities.rows(mpi)->hasRow(CallPathId(0))) << "it is all zero";
    EXPECT_FALSE(left.severities.has(MetricId(2))) << "void";
}

TEST_F(Cube3, valuesBetweenComments_areReadAsTheyAre) {
    std::string text = kDocument;
    text.insert(text.find("<row cnodeId=\"8\"> 7"), "<!-- <row cnodeId=\"8\">77</row> -->");
    read(text);
    const Experiment kept = readCube3(file("in.cube"), 0);
    EXPECT_TRUE(kept.severities.isInMemory(MetricId(0)));
    EXPECT_EQ(perLocation(kept, {MetricId(0)}), perLocation(read(kDocument), {MetricId(0)}));
}

TEST_F(Cube3, fileThatIsShortenedWhileItIsOpen_isAnError) {
    read(kDocument);
    const Experiment left = readCube3(file("in.cube"), 0);
    std::filesystem::resize_file(file("in.cube"), 100);
    EXPECT_THROW(left.severities.rows(MetricId(0))->table(), Error);
}

TEST_F(Cube3, writtenAndRead_isTheSame) {
    const Experiment experiment = read(kDocument);
    const Experiment again = roundTrip(experiment);
    EXPECT_EQ(again.attributes, experiment.attributes);
    EXPECT_EQ(again.mirrors, experiment.mirrors);
    EXPECT_EQ(again.metricsTitle, "M");
    for (const std::size_t metric : {0U, 1U})
        for (const std::size_t path : {0U, 1U})
            EXPECT_EQ(row(again, metric, path), row(experiment, metric, path));
    EXPECT_TRUE(again.metrics[MetricId(2)].isVoid);
    EXPECT_EQ(again.system.nodes[SystemNodeId(0)].description, "big");
    EXPECT_EQ(again.callTree[CallPathId(1)].fileNumber,
              experiment.callTree[CallPathId(1)].fileNumber.value_or(0) - 7);
    EXPECT_EQ(again.topologies[0].coordinates.size(), 2U);
}

TEST_F(Cube3, everyDouble_comesBackAsItWas) {
    Experiment experiment = sampleStructure();
    const MetricId id = addSampleMetric(experiment, "time", 1.0 / 3.0);
    const auto values = experiment.severities.edit(id).editRow(CallPathId(0));
    values[0] = 1e-300;
    values[1] = -std::numeric_limits<double>::max();
    values[2] = 0.1;
    for (const char* name : {"a.cube", "a.cube.gz", "a.cubex"}) {
        const Experiment again = roundTrip(experiment, name);
        for (const CallPathId path : experiment.callTree.ids())
            EXPECT_EQ(row(again, 0, path.index()), row(experiment, 0, path.index())) << name;
    }
}

TEST_F(Cube3, packedFile_isSmallerAndToldByItsContent) {
    Experiment experiment = sampleStructure();
    addSampleMetric(experiment, "time", 2.0);
    writeExperiment(experiment, file("a.cube"));
    writeExperiment(experiment, file("a.cube.gz"));
    EXPECT_LT(std::filesystem::file_size(file("a.cube.gz")), std::filesystem::file_size(file("a.cube")) / 2);
    std::filesystem::rename(file("a.cube.gz"), file("b.cubex"));
    EXPECT_EQ(formatOf(file("b.cubex")), FileFormat::Cube3);
    EXPECT_EQ(row(readExperiment(file("b.cubex")), 0, 2), row(experiment, 0, 2));
}

TEST_F(Cube3, whatItCannotHold_isLeftOutAndSaid) {
    Experiment experiment = sampleStructure();
    addSampleMetric(experiment, "time", 1.0);
    addSampleMetric(experiment, "fastest", 1.0, Storage::Exclusive, ValueType::MinDouble);
    addDerivedMetric(experiment, "ratio", Storage::PostDerived, "metric::time() / 2");
    addDerivedMetric(experiment, "twice", Storage::PreDerivedExclusive, "metric::time() * 2");
    experiment.files["notes"] = "text";
    EXPECT_THAT(lossesInCube3(experiment),
                ElementsAre("metrics left out: fastest, ratio", "expressions replaced by their values: twice",
                            "additional files left out: notes", "paradigms and roles of regions left out"));
    const Experiment again = roundTrip(experiment);
    ASSERT_EQ(again.metrics.size(), 2U);
    EXPECT_EQ(again.metrics[MetricId(1)].uniqueName, "twice");
    EXPECT_EQ(aggregate(again, {MetricId(1)}), 2 * aggregate(experiment, {MetricId(0)}));
}

TEST_F(Cube3, metricBelowOneLeftOut_isATreeOfItsOwn) {
    Experiment experiment = sampleStructure();
    const MetricId ratio = addDerivedMetric(experiment, "ratio", Storage::PostDerived, "1");
    Metric below;
    below.uniqueName = "below";
    experiment.metrics.add(below, experiment.metrics.add(below, ratio));
    const Experiment again = roundTrip(experiment);
    ASSERT_EQ(again.metrics.size(), 2U);
    EXPECT_EQ(again.metrics.roots().size(), 1U);
}

TEST_F(Cube3, deepSystemTree_isFlattenedToMachinesAndNodes) {
    Experiment experiment = sampleStructure();
    const SystemNodeId board = experiment.system.nodes.add({"board 0", "board", "", {}}, SystemNodeId(1));
    experiment.system.processes[0].node = board;
    experiment.system.processes[1].node = SystemNodeId(0);
    const Experiment again = roundTrip(experiment);
    ASSERT_EQ(again.system.processes.size(), 2U);
    std::vector<std::string> names;
    for (const SystemNodeId id : again.system.nodes.ids()) names.push_back(again.system.nodes[id].name);
    EXPECT_THAT(names, ElementsAre("cluster", "cluster", "node 1/board 0"));
}

TEST_F(Cube3, undefinedValues_areWrittenAsZero) {
    Experiment experiment = sampleStructure();
    const MetricId id = addSampleMetric(experiment, "time", 1.0);
    experiment.severities.edit(id).editRow(CallPathId(0))[0] = std::numeric_limits<double>::quiet_NaN();
    experiment.severities.edit(id).editRow(CallPathId(0))[1] = std::numeric_limits<double>::infinity();
    EXPECT_THAT(row(roundTrip(experiment), 0, 0), ElementsAre(0, 0, 3, 4));
}

TEST_F(Cube3, wrongDocuments_areNamedWithTheirLine) {
    EXPECT_THAT(complaintWith("\"3.0\"", "\"2.0\""), HasSubstr("in.cube:2: version 3 of the CUBE format"));
    EXPECT_THAT(complaintWith("metricId=\"2\"", "metricId=\"1\""), HasSubstr("no metric has the id 1"));
    EXPECT_THAT(complaintWith("metricId=\"2\"", "metricId=\"4\""),
                HasSubstr("matrix of metric 4 is there twice"));
    EXPECT_THAT(complaintWith("row cnodeId=\"8\"", "row cnodeId=\"5\""),
                HasSubstr("no call path has the id 5"));
    EXPECT_THAT(complaintWith("row cnodeId=\"8\"", "row cnodeId=\"3\""), HasSubstr("is there twice"));
    EXPECT_THAT(complaintWith("1e2", "1e2 3"), HasSubstr("more than 2 values"));
    EXPECT_THAT(complaintWith("1e2", "1,5"), HasSubstr("a number was expected, not \"1,5"));
    EXPECT_THAT(complaintWith("Id=\"7\"", "Id=\"5\""), HasSubstr("process id 5 is there twice"));
    EXPECT_THAT(complaintWith("thread Id=\"1\"", "thread Id=\"0\""), HasSubstr("there twice"));
    EXPECT_THAT(complaintWith("thread Id=\"1\"", "thread Id=\"2000000000\""), HasSubstr("too large"));
    EXPECT_THAT(complaint(kDocument.substr(0, kDocument.size() - 20)), HasSubstr("in.cube:"));
    EXPECT_THAT(complaint("<cube"), HasSubstr("in.cube"));
    EXPECT_THAT(complaint(" "), HasSubstr("not an experiment"));
}

}  // namespace
}  // namespace holos::algebra::testing
