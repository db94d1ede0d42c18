// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/recorded_facts.h"

#include <gmock/gmock.h>

#include <fstream>
#include <string>
#include <vector>

#include "algebra/model/processors.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "tests/support/temporary_directory.h"

namespace holos::analyzer {
namespace {

algebra::Experiment withMeasurement(const std::string& text) {
    const testing::TemporaryDirectory folder;
    std::ofstream(folder.path() / "measurement.json") << text;
    algebra::Experiment experiment;
    addRecordedFacts(experiment, folder.path());
    return experiment;
}

TEST(RecordedFacts, measurement_givesProcessorAndMoves) {
    const algebra::Experiment experiment = withMeasurement(
        R"({"moves": "2 threads moved", "host": {"processor": "AMD EPYC",
            "processorKind": {"vendor": "AuthenticAMD", "family": 25, "hertz": 2.5e9}}})");
    const specs::Processor processor = algebra::processorOf(experiment);
    EXPECT_EQ(processor.name, "AMD EPYC");
    EXPECT_EQ(processor.vendor, "AuthenticAMD");
    EXPECT_EQ(processor.family, 25U);
    EXPECT_EQ(processor.model, std::nullopt);
    EXPECT_EQ(processor.hertz, 2.5e9);
    EXPECT_THAT(experiment.attributes,
                ::testing::Contains(::testing::Pair("holos::moves", "2 threads moved")));
}

TEST(RecordedFacts, measurement_givesTheConfigurationByTheNamesOfTable1) {
    const algebra::Experiment experiment = withMeasurement(
        R"({"begin": "2026-01-02T03:04:05Z", "clock": "tsc", "command": ["mpirun", "-n", "3", "./a b"],
            "libraries": {"mpi": "Open MPI v4.1.4, package: Debian OpenMPI"},
            "compiler": {"name": "GNU C17 12.2.0", "options": "-mtune=generic -O2"},
            "hardware": {"n1": {"cores": 8}}, "processes": [{"host": "n1"}, {"host": "n1"}, {"host": "n2"}],
            "host": {"name": "n1", "system": "Linux 6.1", "distribution": "Debian 12", "counterRegisters": 4,
                     "memoryBytes": 17179869184, "peaks": {"operations": 2.1e12, "bandwidth": 2e11},
                     "processorKind": {"hertz": 2.5e9}}})");
    const auto of = [&](const char* name) {
        return algebra::attribute(experiment.attributes, name).value_or("");
    };
    EXPECT_EQ(of("Operating System"), "Debian 12, Linux 6.1");
    EXPECT_EQ(of("Core"), "8/node, 2500 MHz");
    EXPECT_EQ(of("Counter registers"), "4");
    EXPECT_EQ(of("Memory"), "16.0 GiB/node");
    EXPECT_EQ(of("Peak operations [1/s]"), "2.1e+12");
    EXPECT_EQ(of("Peak bandwidth [bytes/s]"), "2e+11");
    EXPECT_EQ(of("Compiler"), "GNU C17 12.2.0");
    EXPECT_EQ(of("Compiler options"), "-mtune=generic -O2");
    EXPECT_EQ(of("MPI"), "Open MPI 4.1.4");
    EXPECT_EQ(of("SMP nodes"), "2");
    EXPECT_EQ(of("MPI processes"), "1 to 2/node");
    EXPECT_EQ(of("Command"), "mpirun -n 3 './a b'");
    EXPECT_EQ(of("Recorded"), "2026-01-02T03:04:05Z");
    EXPECT_EQ(
        algebra::attribute(
            withMeasurement(R"({"libraries": {"mpi": "MPICH Version:      4.0.2"}})").attributes, "MPI"),
        "MPICH 4.0.2");
}

TEST(RecordedFacts, programsLeftOut_standFirst) {
    const algebra::Experiment experiment = withMeasurement(
        R"json({"leftOut": "Of the recorded programs not in this: se (0.9 s of processor time)"})json");
    EXPECT_THAT(algebra::firstToKnow(experiment),
                ::testing::ElementsAre("Of the recorded programs not in this: se (0.9 s of processor time)"));
}

TEST(RecordedFacts, processesThatFailed_areCounted) {
    const auto failedOf = [](const std::string& ends) {
        return algebra::attribute(withMeasurement(R"({"processes": [)" + ends + "]}").attributes,
                                  algebra::kFailedAttribute);
    };
    const std::string well = R"({"end": {"how": "exit", "exitCode": 0}})";
    EXPECT_EQ(failedOf(well + R"(, {"end": {"how": "not known"}}, {})"), std::nullopt);
    EXPECT_EQ(failedOf(well + R"(, {"end": {"how": "exit", "exitCode": 3}})"), "1");
    EXPECT_EQ(failedOf(well + R"(, {"end": {"how": "signal", "signal": 9}})"), "1");
    EXPECT_EQ(failedOf(R"({"end": {"how": "exit", "exitCode": 0, "calledMpiAbort": true}}, )" + well), "1");
}

TEST(RecordedFacts, forkedProcessesThatWereNotRecorded_areKept) {
    const auto isKept = [](const std::string& note) {
        return algebra::hasUnrecordedChildren(withMeasurement(R"({"notes": [")" + note + R"("]})"));
    };
    EXPECT_TRUE(isKept("2 forked processes were not recorded, and what was done there is missing"));
    EXPECT_TRUE(isKept("1 forked process was not recorded, and what was done there is missing"));
    EXPECT_TRUE(isKept("process 0: a forked child was not recorded"));
    EXPECT_FALSE(isKept("Counters were multiplexed"));
}

/// The program waited for children of 1.25 s.
TEST(RecordedFacts, useOfTheMachine_isWithoutChildrenThatAreNotRecorded) {
    const testing::TemporaryDirectory folder;
    std::ofstream(folder.path() / "measurement.json")
        << R"({"processes": [{"host": "n1", "machineSecondsInUse": {"before": 7, "after": 10},
                              "childSecondsOnProcessors": 1.25}]})";
    algebra::Experiment experiment;
    const auto node = experiment.system.nodes.add({"n1", "node", "", {}});
    addRecordedFacts(experiment, folder.path());
    EXPECT_EQ(algebra::machineUseOf(experiment.system.nodes[node].attributes), 1.75);
}

/// Of both processes of a machine; where ranks are left out nobody knows what these used.
TEST(RecordedFacts, useOfTheMachine_isThatOfAllItsProcessesTogether) {
    const auto useOf = [](const std::string& settings) {
        const testing::TemporaryDirectory folder;
        std::ofstream(folder.path() / "measurement.json")
            << R"({"processes": [{"host": "n1", "machineSecondsInUse": {"before": 7, "after": 9}},
                                 {"host": "n1", "machineSecondsInUse": {"before": 6, "after": 8.5}}])" +
                   settings + "}";
        algebra::Experiment experiment;
        const auto node = experiment.system.nodes.add({"n1", "node", "", {}});
        addRecordedFacts(experiment, folder.path());
        return algebra::machineUseOf(experiment.system.nodes[node].attributes);
    };
    EXPECT_EQ(useOf(""), 3);
    EXPECT_EQ(useOf(R"(, "settings": {"ranks": "0,1"})"), std::nullopt);
}

TEST(RecordedFacts, multiplexedCounters_haveTheirError) {
    const testing::TemporaryDirectory folder;
    std::ofstream(folder.path() / "measurement.json")
        << R"({"activeShares": {"L1-loads": {"least": 0.5, "error": 0.0312}, "cycles": {"least": 1},
                                "other": {"error": 1}, "bad": 3}})";
    algebra::Experiment experiment;
    for (const char* name : {"L1_loads", "cycles"}) {
        algebra::Metric metric;
        metric.uniqueName = name;
        experiment.metrics.add(std::move(metric));
    }
    addRecordedFacts(experiment, folder.path());
    const auto errorOf = [&experiment](const char* name) {
        return algebra::attribute(experiment.metrics[*experiment.findMetric(name)].attributes,
                                  algebra::kErrorAttribute);
    };
    EXPECT_EQ(errorOf("L1_loads"), "3.1");
    EXPECT_EQ(errorOf("cycles"), std::nullopt);
}

TEST(RecordedFacts, whatCouldNotBeRecorded_isKept) {
    const std::string note = "process 0: MPI is not recorded: its adapter cannot be loaded";
    const auto experiment = withMeasurement(R"({"notes": [")" + note +
                                            R"(", "process 1: it called exec, which is not recorded"]})");
    EXPECT_EQ(algebra::notRecordedOf(experiment), std::vector<std::string>{note});
}

TEST(RecordedFacts, otherTypesAndDamage_leaveAllElseUnknown) {
    for (const char* text : {"", "{", "[1]", R"({"moves": 1, "host": 2})",
                             R"({"host": {"processor": 1, "processorKind": {"vendor": [], "family": -1}}})"})
        EXPECT_THAT(withMeasurement(text).attributes,
                    ::testing::ElementsAre(::testing::Key(algebra::kUnreadFactsAttribute)))
            << text;
}

TEST(RecordedFacts, noMeasurement_leavesAllUnknown) {
    const testing::TemporaryDirectory folder;
    algebra::Experiment experiment;
    addRecordedFacts(experiment, folder.path());
    EXPECT_TRUE(experiment.attributes.empty());
}

}  // namespace
}  // namespace holos::analyzer
