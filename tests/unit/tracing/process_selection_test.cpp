// SPDX-License-Identifier: BSD-3-Clause
// Which recorded processes a trace is made of, and what is said of the others.
#include <gmock/gmock.h>

#include <deque>
#include <fstream>

#include "tests/support/temporary_directory.h"
#include "tracing/recordings/archive/plan/process_selection.h"
#include "tracing/recordings/archive/plan/processor_use.h"
#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ProcessSelection : public ::testing::Test {
  protected:
    RecordedProcess& add(const std::string& program, std::int64_t launcherRank = -1) {
        RecordedProcess& process = all_.emplace_back();
        process.pid = all_.size();
        process.directory = directory_.path() / ("host." + std::to_string(process.pid) + ".0");
        process.host = "host";
        process.executable = program;
        process.launcherRank = launcherRank;
        process.syncs = {{1'000, 0, 0}};
        process.status.ended = 1;
        std::filesystem::create_directory(process.directory);
        return process;
    }
    RecordedProcess& addWithEvents(const std::string& program, std::int64_t launcherRank = -1) {
        RecordedProcess& process = add(program, launcherRank);
        process.locations[0] = {};
        process.chunks[0] = {{0, tracing::kChunkBytes}};
        return process;
    }
    /// Seconds on processors while it was recorded.
    static RecordedProcess& use(RecordedProcess& process, double seconds) {
        constexpr double kNanoseconds = 1e9;
        process.processTimes = {{5, 0}, {5 + static_cast<std::int64_t>(kNanoseconds * seconds), 0}};
        return process;
    }
    void addRank(std::uint32_t rank, std::uint32_t size) { add("/bin/solver", rank).world = {rank, size}; }

    /// The numbers of the processes, from 1.
    std::vector<std::uint64_t> select() {
        const std::vector<RecordedProcess> all(all_.begin(), all_.end());
        std::vector<std::uint64_t> numbers;
        for (const auto* one : selectProcesses(all, notes_).processes)
            numbers.push_back(one != nullptr ? one->pid : 0);
        return numbers;
    }

    holos::testing::TemporaryDirectory directory_;
    std::deque<RecordedProcess> all_;
    std::vector<std::string> notes_;
};

TEST_F(ProcessSelection, programThatRunsTwice_isTwoProcesses) {
    addWithEvents("/bin/app");
    addWithEvents("/bin/app");
    EXPECT_THAT(select(), ElementsAre(1, 2));
    EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(ProcessSelection, processesWithoutEvents_areAllThereWhereNoneHasAny) {
    add("/bin/sh");
    add("/bin/app");
    add("/bin/app");
    EXPECT_THAT(select(), ElementsAre(1, 2, 3));
    EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(ProcessSelection, processesWithoutEvents_areCountedWhereOthersHaveSome) {
    addWithEvents("/bin/app");
    for (int i = 0; i < 3; ++i) add("/bin/sed");
    add("/bin/sh");
    EXPECT_THAT(select(), ElementsAre(1));
    EXPECT_THAT(notes_,
                ElementsAre("4 processes were left out: they recorded no events: /bin/sed (3), /bin/sh (1)"));
}

TEST_F(ProcessSelection, processWithoutEventsThatComputes_isThereBesideOthersThatHaveSome) {
    use(add("/bin/compute"), 0.9);
    use(addWithEvents("/bin/app"), 0.2);
    use(add("/bin/sed"), 0.01);
    EXPECT_THAT(select(), ElementsAre(1, 2));
    EXPECT_THAT(notes_, ElementsAre("/bin/sed (process 3 on host) was left out: it recorded no events"));
}

TEST_F(ProcessSelection, processWithoutEventsThatComputesLittle_isLeftOut) {
    use(add("/bin/startsOthers"), 0.3);  // of which a tenth of the run would be 0.31 s
    use(addWithEvents("/bin/app"), 2.8);
    EXPECT_THAT(select(), ElementsAre(2));
}

TEST_F(ProcessSelection, launcherThatComputes_isNoneOfItsRanks) {
    use(add("/bin/mpirun"), 0.9);
    use(addWithEvents("/bin/app", 0), 0.1);
    EXPECT_THAT(select(), ElementsAre(2));
}

/// `TraceProcess` refers to the processes of the recording.
TEST_F(ProcessSelection, programsLeftOut_areNamedWithTheirProcessorTime) {
    Recording recording;
    use(addWithEvents("/bin/app"), 10);
    use(add("/bin/python3"), 0.5);
    use(add("/bin/python3"), 0.25);
    use(add("/bin/gzip"), 0.8);
    use(add("/bin/sed"), 0.01);
    recording.processes.assign(all_.begin(), all_.end());
    const TracePlan plan = planTrace(recording);
    ASSERT_EQ(plan.processes.size(), 1u);
    EXPECT_EQ(
        programsLeftOut(plan, recording.processes),
        "Of the recorded programs not in this: gzip (0.8 s of processor time) and python3 (2 processes, "
        "0.75 s of processor time)");
}

TEST_F(ProcessSelection, programsLeftOutThatHardlyComputed_areNotNamed) {
    Recording recording;
    use(addWithEvents("/bin/app"), 10);
    use(add("/bin/sed"), 0.01);
    recording.processes.assign(all_.begin(), all_.end());
    const TracePlan plan = planTrace(recording);
    EXPECT_EQ(programsLeftOut(plan, recording.processes), "");
}

TEST_F(ProcessSelection, programThatBecomesAnother_isNotMissed) {
    add("/bin/env").replaced = true;
    addWithEvents("/bin/app");
    EXPECT_THAT(select(), ElementsAre(2));
    EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(ProcessSelection, ranksOfALauncherWithoutMpi_areInTheirOrder_andTheLauncherIsNotMissed) {
    add("/bin/mpirun");
    add("/bin/app", 1);
    addWithEvents("/bin/app", 0);
    EXPECT_THAT(select(), ElementsAre(3, 2));
    EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(ProcessSelection, helpersOfMpiRanks_areNamedWithTheReason) {
    add("/bin/mpirun");
    addRank(0, 1);
    addWithEvents("/bin/helper", 0);
    add("/bin/python3", 0);
    add("/bin/python3", 0);
    EXPECT_THAT(select(), ElementsAre(2));
    EXPECT_THAT(
        notes_,
        ElementsAre("/bin/helper (process 3 on host) was left out: it recorded events, but never completed "
                    "MPI_Init",
                    "2 processes were left out: they recorded no events: /bin/python3 (2)"));
}

TEST_F(ProcessSelection, programsWhoseMpiIsNotRecorded_areNamedWithThatReason) {
    addRank(0, 1);
    for (int i = 0; i < 2; ++i)
        addWithEvents("/bin/other").troubles = {
            "MPI is not recorded: the program uses Other MPI, whose ABI is not known"};
    EXPECT_THAT(select(), ElementsAre(1));
    EXPECT_THAT(notes_,
                ElementsAre("2 processes were left out: they recorded events, but MPI is not recorded: "
                            "the program uses Other MPI, whose ABI is not known: /bin/other (2)"));
}

TEST_F(ProcessSelection, ranksThatAreThereTwice_areNamed) {
    addRank(0, 2);
    addRank(1, 2);
    addRank(0, 2);
    addRank(1, 2);
    EXPECT_THAT(select(), ElementsAre(1, 2));
    EXPECT_THAT(notes_,
                ElementsAre("2 processes were left out: they had a rank that another process of its job "
                            "had, too: /bin/solver (2)"));
}

TEST_F(ProcessSelection, recordingThatCannotBeRead_isNamed) {
    addWithEvents("/bin/app");
    RecordedProcess& broken = add("");
    broken.pid = 0;
    broken.host.clear();
    broken.syncs.clear();
    EXPECT_THAT(select(), ElementsAre(1));
    EXPECT_THAT(notes_,
                ElementsAre("an unknown program (host.2.0) was left out: it left a recording that cannot be "
                            "read"));
}

TEST_F(ProcessSelection, severalProgramsWithoutMpi_nameTheirProcesses) {
    Recording recording;
    addWithEvents("/bin/first");
    addWithEvents("/bin/second");
    recording.processes.assign(all_.begin(), all_.end());
    const TracePlan plan = planTrace(recording);
    ASSERT_EQ(plan.processes.size(), 2u);
    EXPECT_EQ(plan.processes[0].name, "Process 0 (first)");
    EXPECT_EQ(plan.processes[1].name, "Process 1 (second)");
}

}  // namespace
}  // namespace holos::archive
