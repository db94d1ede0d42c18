// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of MPI calls: the programs in `programs/`, whose events are known beforehand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using Events = std::vector<std::string>;

/// Without the calls that only ask.
Events inCalls(const Events& events) {
    Events result;
    for (const auto& event : events)
        if (event.find("MPI_Comm_rank") == std::string::npos) result.push_back(event);
    return result;
}

TEST_P(RecordedMpi, typesThatComeAgainAndHandlesThatAreReused_haveTheirOwnSizes) {
    const auto events = eventsOf("type_sizes", 1);
    Events sent;
    for (const auto& event : events.at(0))
        if (event.starts_with("MPI_SEND ")) sent.push_back(event.substr(event.find("bytes ")));
    EXPECT_THAT(sent, ElementsAre("bytes 4", "bytes 8", "bytes 1", "bytes 4", "bytes 8", "bytes 1",    //
                                  "bytes 4", "bytes 4", "bytes 8", "bytes 8", "bytes 12", "bytes 12",  //
                                  "bytes 24", "bytes 24", "bytes 4"));
    EXPECT_THAT(events.at(0), ::testing::Contains(::testing::HasSubstr("2684354560")));
}

/// For the program that call lasts until the recorder has begun, which takes nearly all of that time. On a
/// busy machine the thread may also have to wait for a processor within the call.
TEST_P(RecordedMpi, firstCall_hasNoTimeOfTheRecorder) {
    constexpr int kMostTries = 20;
    const std::filesystem::path told = folder() / "seconds";
    double ofProgram = 0, recorded = 1;
    for (int i = 0; i < kMostTries && 2 * recorded >= ofProgram; ++i) {
        const auto archive = record(folder() / std::to_string(i), path("first_call"), {}, {}, {told});
        ASSERT_TRUE(std::ifstream(told) >> ofProgram);
        const auto asked = runCommand({HOLOS_PROGRAM, "query", archive, "--format", "csv",
                                       "SELECT duration FROM calls WHERE region = 'MPI_Initialized'"});
        ASSERT_TRUE(asked.output.starts_with("duration\n")) << asked.output;
        recorded = std::stod(asked.output.substr(asked.output.find('\n')));
    }
    EXPECT_LT(2 * recorded, ofProgram);
}

TEST_P(RecordedMpi, pointToPointCalls_exactSequence) {
    const auto events = eventsOf("messages", 2);
    ASSERT_EQ(events.size(), 2);
    EXPECT_THAT(
        inCalls(events.at(0)),
        ElementsAre("ENTER MPI_Init", "LEAVE MPI_Init",                                               //
                    "ENTER MPI_Send", "MPI_SEND to 1 tag 1 bytes 12", "LEAVE MPI_Send",               //
                    "ENTER MPI_Ssend", "MPI_SEND to 1 tag 2 bytes 16", "LEAVE MPI_Ssend",             //
                    "ENTER MPI_Recv", "MPI_RECV from 1 tag 3 bytes 40", "LEAVE MPI_Recv",             //
                    "ENTER MPI_Send", "LEAVE MPI_Send", "ENTER MPI_Recv", "LEAVE MPI_Recv",           //
                    "ENTER MPI_Sendrecv", "MPI_SEND to 1 tag 4 bytes 24",                             //
                    "MPI_RECV from 1 tag 4 bytes 24", "LEAVE MPI_Sendrecv",                           //
                    "ENTER MPI_Irecv", "MPI_IRECV_REQUEST request 1", "LEAVE MPI_Irecv",              //
                    "ENTER MPI_Irecv", "LEAVE MPI_Irecv",                                             //
                    "ENTER MPI_Isend", "MPI_ISEND to 1 tag 5 bytes 28 request 2", "LEAVE MPI_Isend",  //
                    "ENTER MPI_Waitall", "MPI_IRECV from 1 tag 5 bytes 28 request 1",                 //
                    "MPI_ISEND_COMPLETE request 2", "LEAVE MPI_Waitall",                              //
                    "ENTER MPI_Irecv", "MPI_IRECV_REQUEST request 3", "LEAVE MPI_Irecv",              //
                    "ENTER MPI_Send", "MPI_SEND to 1 tag 6 bytes 32", "LEAVE MPI_Send",               //
                    "ENTER MPI_Waitany", "MPI_IRECV from 1 tag 6 bytes 32 request 3", "LEAVE MPI_Waitany",
                    "ENTER MPI_Irecv", "MPI_IRECV_REQUEST request 4", "LEAVE MPI_Irecv",    //
                    "ENTER MPI_Test", "MPI_REQUEST_TEST request 4", "LEAVE MPI_Test",       //
                    "ENTER MPI_Cancel", "LEAVE MPI_Cancel",                                 //
                    "ENTER MPI_Wait", "MPI_REQUEST_CANCELLED request 4", "LEAVE MPI_Wait",  //
                    "ENTER MPI_Recv_init", "LEAVE MPI_Recv_init",                           //
                    "ENTER MPI_Ssend_init", "LEAVE MPI_Ssend_init",                         //
                    "ENTER MPI_Startall", "MPI_IRECV_REQUEST request 5",                    //
                    "MPI_ISEND to 1 tag 8 bytes 36 request 6", "LEAVE MPI_Startall",        //
                    "ENTER MPI_Waitall", "MPI_IRECV from 1 tag 8 bytes 36 request 5",       //
                    "MPI_ISEND_COMPLETE request 6", "LEAVE MPI_Waitall",                    //
                    "ENTER MPI_Startall", "MPI_IRECV_REQUEST request 7",                    //
                    "MPI_ISEND to 1 tag 8 bytes 36 request 8", "LEAVE MPI_Startall",        //
                    "ENTER MPI_Waitall", "MPI_IRECV from 1 tag 8 bytes 36 request 7",       //
                    "MPI_ISEND_COMPLETE request 8", "LEAVE MPI_Waitall",                    //
                    "ENTER MPI_Request_free", "LEAVE MPI_Request_free",                     //
                    "ENTER MPI_Request_free", "LEAVE MPI_Request_free",                     //
                    "ENTER MPI_Comm_split", "MPI_COLLECTIVE_BEGIN",                         //
                    "MPI_COLLECTIVE_END CREATE_HANDLE root NONE sent 0 received 0", "LEAVE MPI_Comm_split",
                    "ENTER MPI_Mprobe", "LEAVE MPI_Mprobe",                                  //
                    "ENTER MPI_Mrecv", "MPI_RECV from 0 tag 9 bytes 40", "LEAVE MPI_Mrecv",  //
                    "ENTER MPI_Comm_free", "MPI_COLLECTIVE_BEGIN",                           //
                    "MPI_COLLECTIVE_END DESTROY_HANDLE root NONE sent 0 received 0", "LEAVE MPI_Comm_free",
                    "ENTER MPI_Finalize", "LEAVE MPI_Finalize"));
}

/// What the root, rank 1 of three, says of all operations with `2` integers or so, in the order in which the
/// programs call them. An integer has 4 bytes. A process counts what it would send to itself, unless it is in
/// place.
const Events& operationsOfRoot() {
    static const Events kOperations{"BARRIER root NONE sent 0 received 0",
                                    "BCAST root 1 sent 24 received 8",
                                    "GATHER root 1 sent 8 received 24",
                                    "GATHERV root 1 sent 8 received 24",
                                    "SCATTER root 1 sent 24 received 8",
                                    "SCATTERV root 1 sent 24 received 8",
                                    "ALLGATHER root NONE sent 24 received 24",
                                    "ALLGATHERV root NONE sent 24 received 24",
                                    "ALLTOALL root NONE sent 24 received 24",
                                    "ALLTOALLV root NONE sent 12 received 12",
                                    "ALLTOALLW root NONE sent 12 received 12",
                                    "ALLREDUCE root NONE sent 48 received 48",
                                    "REDUCE root 1 sent 8 received 24",
                                    "REDUCE_SCATTER root NONE sent 24 received 24",
                                    "REDUCE_SCATTER_BLOCK root NONE sent 24 received 24",
                                    "SCAN root NONE sent 16 received 16",
                                    "EXSCAN root NONE sent 8 received 8"};
    return kOperations;
}

TEST_P(RecordedMpi, collectiveOperations_bytesOfRootAndOther) {
    const auto events = eventsOf("collectives", 3);
    ASSERT_EQ(events.size(), 3);
    const std::string end = "MPI_COLLECTIVE_END ";
    const Events ofRoot =
        operationsOfRoot() +
        Events{// in place
               "GATHER root 1 sent 0 received 16", "GATHERV root 1 sent 0 received 16",
               "SCATTER root 1 sent 16 received 0", "SCATTERV root 1 sent 16 received 0",
               "ALLGATHER root NONE sent 16 received 16", "ALLGATHERV root NONE sent 16 received 16",
               "ALLTOALL root NONE sent 16 received 16", "ALLREDUCE root NONE sent 32 received 32",
               "REDUCE root 1 sent 0 received 16", "REDUCE_SCATTER root NONE sent 16 received 16",
               "REDUCE_SCATTER_BLOCK root NONE sent 16 received 16", "SCAN root NONE sent 8 received 8",
               // communicators: two of two processes, one of this process alone, one between groups
               "CREATE_HANDLE root NONE sent 0 received 0", "CREATE_HANDLE root NONE sent 0 received 0",
               "ALLREDUCE root NONE sent 8 received 8", "BCAST root 0 sent 4 received 4",
               "CREATE_HANDLE root NONE sent 0 received 0", "BARRIER root NONE sent 0 received 0",
               "DESTROY_HANDLE root NONE sent 0 received 0", "DESTROY_HANDLE root NONE sent 0 received 0",
               "DESTROY_HANDLE root NONE sent 0 received 0"};
    Events expected;
    for (const auto& one : ofRoot) expected.push_back(end + one);
    EXPECT_THAT(with(events.at(1), {end}), ElementsAreArray(expected));

    const Events ofRankTwo = with(events.at(2), {end});
    ASSERT_EQ(ofRankTwo.size(), expected.size());
    EXPECT_EQ(ofRankTwo[1], end + "BCAST root 1 sent 0 received 8");
    EXPECT_EQ(ofRankTwo[3], end + "GATHERV root 1 sent 12 received 0");
    EXPECT_EQ(ofRankTwo[5], end + "SCATTERV root 1 sent 0 received 12");
    EXPECT_EQ(ofRankTwo[7], end + "ALLGATHERV root NONE sent 36 received 24");
    EXPECT_EQ(ofRankTwo[13], end + "REDUCE_SCATTER root NONE sent 24 received 36");
    EXPECT_EQ(ofRankTwo[15], end + "SCAN root NONE sent 8 received 24");
    EXPECT_EQ(ofRankTwo[16], end + "EXSCAN root NONE sent 0 received 16");
    EXPECT_EQ(with(events.at(2), {"ENTER MPI_Barrier"}).size(), 2);
    EXPECT_EQ(with(events.at(2), {"BARRIER root"}).size(), 2);
}

TEST_P(RecordedMpi, collectivesCompletedLater_requestAndCompletion) {
    const auto events = with(eventsOf("started_collectives", 3).at(1), {"NON_BLOCKING"});
    Events expected;
    std::size_t request = 0;
    const auto expect = [&](const Events& operations) {
        for (std::size_t i = 1; i <= operations.size(); ++i)
            expected.push_back("NON_BLOCKING_COLLECTIVE_REQUEST request " + std::to_string(request + i));
        for (const auto& operation : operations)
            expected.push_back("NON_BLOCKING_COLLECTIVE_COMPLETE " + operation + " request " +
                               std::to_string(++request));
    };
    const Events& all = operationsOfRoot();
    expect(all);
    if (events.size() > 2 * (all.size() + 1)) {  // MPI 4
        expect(all);
        expect({all.begin(), all.begin() + 4});
    }
    expect({all.front()});
    EXPECT_THAT(events, ElementsAreArray(expected));
}

// MPI_Alltoallv and MPI_Alltoallw, by each of three ranks.
TEST_P(RecordedMpi, exchangesInWhichARankReceivesFromAll_sayIt) {
    const auto archive = archiveOf("collectives", 3);
    const CommandResult printed = runCommand({"otf2-print", (archive / "traces.otf2").string()});
    std::istringstream lines(printed.output);
    std::size_t told = 0;
    for (std::string line; std::getline(lines, line);)
        if (line.find("(\"ReceivesFromAll\"") != std::string::npos) ++told;
    EXPECT_EQ(told, 3 * 2);
}

// Between {2, 1} and {0}: rank 0 has two partners, the others have one.
TEST_P(RecordedMpi, operationsBetweenGroups_bytesOfBothSides_andAnalyzed) {
    const auto archive = archiveOf("between_groups", 3);
    const auto events = recordedEvents(archive);
    const auto ofOperations = [&](std::uint64_t rank) {
        return with(events.at(rank), {"SEND to", "RECV from", "_END ", "_COMPLETE "});
    };
    const std::string end = "MPI_COLLECTIVE_END ";
    const std::string made = end + "CREATE_HANDLE root NONE sent 0 received 0";
    const std::string freed = end + "DESTROY_HANDLE root NONE sent 0 received 0";
    EXPECT_THAT(
        ofOperations(0),
        ElementsAre(made, made, made, "MPI_SEND to 1 tag 7 bytes 12",
                    "MPI_IRECV from 1 tag 8 bytes 16 request 1", end + "BARRIER root NONE sent 0 received 0",
                    end + "BCAST root SELF sent 16 received 0", end + "BCAST root 1 sent 0 received 8",
                    end + "GATHERV root SELF sent 0 received 12", end + "REDUCE root 1 sent 8 received 0",
                    end + "ALLGATHER root NONE sent 8 received 8",
                    end + "ALLREDUCE root NONE sent 16 received 16",
                    "NON_BLOCKING_COLLECTIVE_COMPLETE BCAST root SELF sent 24 received 0 request 2", made,
                    end + "BARRIER root NONE sent 0 received 0", freed, freed, freed, freed));
    EXPECT_THAT(
        with(ofOperations(1), {"SEND", "RECV", "root SELF"}),
        ElementsAre("MPI_RECV from 0 tag 7 bytes 12", "MPI_SEND to 0 tag 8 bytes 16",
                    end + "BCAST root SELF sent 8 received 0", end + "REDUCE root SELF sent 0 received 8"));
    EXPECT_THAT(
        with(ofOperations(2), {"THIS", "GATHERV", "ALL"}),
        ElementsAre(end + "BCAST root THIS_GROUP sent 0 received 0", end + "GATHERV root 0 sent 8 received 0",
                    end + "REDUCE root THIS_GROUP sent 0 received 0",
                    end + "ALLGATHER root NONE sent 4 received 4",
                    end + "ALLREDUCE root NONE sent 8 received 8"));
    EXPECT_EQ(analysisOf(archive).find("counts without"), std::string::npos);
}

TEST_P(RecordedMpi, grids_areTopologiesOfTheExperiment) {
    const auto archive = archiveOf("grids", 4);
    const auto definitions = runCommand({"otf2-print", "-G", archive / "traces.otf2"}).output;
    EXPECT_THAT(definitions, ::testing::ContainsRegex("CART_TOPOLOGY .*MPI grid 0"));
    EXPECT_THAT(definitions, ::testing::ContainsRegex("CART_DIMENSION .*Size: 2, Periodic"));
    analysisOf(archive);
    const auto info = runCommand({HOLOS_PROGRAM, "info", archive / "analysis.cubex"}).output;
    EXPECT_THAT(info, ::testing::HasSubstr("topology MPI grid 0: 2 x 2\n"));
    EXPECT_THAT(info, ::testing::HasSubstr("topology MPI grid 1: 2\n"));
    EXPECT_THAT(info, ::testing::HasSubstr("topology MPI grid 2: 2\n"));
}

TEST_P(RecordedMpi, selectedGroupsOfFunctions_onlyTheirRegionsAndEvents) {
    const auto messages = eventsOf("messages", 2, {"--mpi", "p2p"}).at(0);
    EXPECT_FALSE(with(messages, {"MPI_SEND to", "MPI_IRECV from"}).empty());
    EXPECT_THAT(with(messages, {"COLLECTIVE", "MPI_Comm_"}), ::testing::IsEmpty());
    EXPECT_THAT(with(messages, {"MPI_Init", "MPI_Finalize"}), ::testing::SizeIs(4));
}

TEST_P(RecordedMpi, ranksThatAreNotSelected_areThereWithoutEvents) {
    const auto archive = archiveOf("between_groups", 3, {"--ranks", "1-2"});
    const auto events = recordedEvents(archive);
    EXPECT_FALSE(events.contains(0));
    EXPECT_FALSE(with(events.at(1), {"BCAST root SELF"}).empty());
    EXPECT_FALSE(with(events.at(2), {"BCAST root THIS_GROUP"}).empty());
    EXPECT_THAT(analysisOf(archive), ::testing::Not(::testing::HasSubstr("guessed")));
}

TEST_P(RecordedMpi, twoProgramsInOneRun_eachHasItsNameAndARegion) {
    const auto plain = runCommand(launcher(1, GetParam()) + Words{"true", ":", "-n", "1", "true"});
    if (plain.exitCode != 0)
        GTEST_SKIP() << "mpirun of " << GetParam() << " does not start two programs here: " << plain.output;
    const auto twin = folder() / "twin";
    std::filesystem::copy_file(path("messages"), twin);
    const std::string archive = folder() / ("messages_" + GetParam());
    archiveOf("messages", 1, {}, {":", "-n", "1", HOLOS_PROGRAM, "record", "-o", archive, "--", twin});
    const auto printed = runCommand({"otf2-print", "-G", archive + "/traces.otf2"}).output;
    const auto isRegion = [](const std::string& program) {
        const std::string name = std::filesystem::path(program).filename();
        return ::testing::ContainsRegex("REGION .*\"" + name + "\" <[0-9]+> .Aka. \"" + program +
                                        "\" .*ARTIFICIAL, Paradigm: MEASUREMENT_SYSTEM");
    };
    EXPECT_THAT(printed, isRegion(path("messages")));
    EXPECT_THAT(printed, isRegion(twin));
    analysisOf(archive);
    const auto shown = runCommand({HOLOS_PROGRAM, "show", "--tree", "calls", archive + "/analysis.cubex"});
    EXPECT_THAT(shown.output, ::testing::HasSubstr("messages_" + GetParam()));
    EXPECT_THAT(shown.output, ::testing::HasSubstr("twin"));
}

TEST_P(RecordedMpi, severalThreads_eachHasItsOwnMessages) {
    const auto archive = archiveOf("several_threads", 2);
    std::multiset<Events> ofThreads;
    for (const auto& [location, events] : recordedEvents(archive))
        if (const Events messages = with(events, {"SEND to 1", "RECV from 1"}); !messages.empty())
            ofThreads.insert(messages);
    std::multiset<Events> expected;
    for (const std::string tag : {"1", "2"}) {
        Events messages;
        for (int i = 1; i <= 20; ++i) {
            messages.push_back("MPI_SEND to 1 tag " + tag + " bytes 4");
            messages.push_back("MPI_IRECV from 1 tag " + tag + " bytes 4 request " + std::to_string(i));
        }
        expected.insert(messages);
    }
    EXPECT_EQ(ofThreads, expected);
    EXPECT_EQ(analysisOf(archive).find("without"), std::string::npos);
}

TEST_P(RecordedMpi, oneHandleForTwoThreads_eachCompletesItsOwnRequest) {
    unsigned senders = 0;
    for (const auto& [location, events] : recordedEvents(archiveOf("shared_handle", 2)))
        for (const std::string tag : {"1", "2"}) {
            const std::string send = "MPI_ISEND to 1 tag " + tag + " bytes 4 request 1";
            const Events sends = with(events, {"MPI_ISEND"});
            if (sends.empty() || sends.front() != send) continue;
            EXPECT_THAT(sends, ElementsAre(send, "MPI_ISEND_COMPLETE request 1"));
            ++senders;
        }
    EXPECT_EQ(senders, 2);
}

TEST_P(RecordedMpi, fortranModules_sameEventsAndSentinels) {
    if (!std::filesystem::exists(path("messages_fortran"))) GTEST_SKIP() << "no Fortran compiler here";
    const auto events = eventsOf("messages_fortran", 2);
    const auto eventsF08 = eventsOf("messages_f08", 2);
    EXPECT_THAT(with(events.at(0), {"MPI_SEND", "MPI_RECV", "MPI_ISEND", "MPI_IRECV"}),
                ::testing::UnorderedElementsAre(
                    "MPI_SEND to 1 tag 5 bytes 80", "MPI_RECV from 1 tag 6 bytes 56",  //
                    "MPI_IRECV_REQUEST request 1", "MPI_ISEND to 1 tag 1 bytes 24 request 2",
                    "MPI_IRECV from 1 tag 1 bytes 24 request 1", "MPI_ISEND_COMPLETE request 2",
                    "MPI_IRECV_REQUEST request 3", "MPI_ISEND to 1 tag 1 bytes 24 request 4",
                    "MPI_IRECV from 1 tag 1 bytes 24 request 3", "MPI_ISEND_COMPLETE request 4",
                    "MPI_SEND to 1 tag 9 bytes 8", "MPI_RECV from 1 tag 9 bytes 8"));
    EXPECT_THAT(with(events.at(0), {"MPI_COLLECTIVE_END"}),
                ElementsAre("MPI_COLLECTIVE_END ALLREDUCE root NONE sent 80 received 80",
                            "MPI_COLLECTIVE_END CREATE_HANDLE root NONE sent 0 received 0",
                            "MPI_COLLECTIVE_END BCAST root 0 sent 160 received 80",
                            "MPI_COLLECTIVE_END DESTROY_HANDLE root NONE sent 0 received 0"));
    // Which request completes first is open.
    EXPECT_THAT(eventsF08.at(0), ::testing::UnorderedElementsAreArray(events.at(0)));
}

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedMpi, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& instance) { return instance.param; });

/// Runs a program whose MPI is not recorded to its end, and says why.
void expectUnrecorded(const std::string& program, const std::string& reason) {
    const TemporaryDirectory directory;
    const std::string path = HOLOS_PROGRAMS "/" + program;
    const auto result = runCommand({HOLOS_PROGRAM, "record", "-o", directory.path() / "run", "--", path});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, ::testing::HasSubstr("MPI is not recorded: the program uses " + reason));
    const auto events = recordedEvents(directory.path() / "run");
    for (const auto& [location, ofLocation] : events)
        EXPECT_THAT(with(ofLocation, {"MPI_"}), ::testing::IsEmpty());
}

TEST(RecordedUnknownMpi, noAdapter_programRunsAndTheReasonIsSaid) {
    expectUnrecorded("unknown_mpi_user", "Imaginary MPI 1.0, for which Holos has no adapter");
}

TEST(RecordedUnknownMpi, noProfilingInterface_programRunsAndTheReasonIsSaid) {
    expectUnrecorded("without_profiling_user",
                     HOLOS_PROGRAMS "/libwithout_profiling.so, which has no profiling interface");
}

TEST(RecordedUnknownMpi, mpitrampolineThatHasNoAnswer_isNotAskedAndProgramRuns) {
    const auto top = std::filesystem::path(HOLOS_PROGRAM).parent_path().parent_path();
    if (std::filesystem::exists(top / "lib" / "libholos-mpi-mpitrampoline.so"))
        GTEST_SKIP() << "Holos was built with MPItrampoline, which the adapter would load";
    expectUnrecorded("like_mpitrampoline_user", "MPItrampoline, for which Holos has no adapter");
}

TEST(RecordedUnknownMpi, standardBinaryInterface_adapterForTheFamilysOwnIsNotTaken) {
    expectUnrecorded("like_standard_abi_user",
                     "MPICH Version:      5.0.2, with MPI's standard binary interface");
}

}  // namespace
}  // namespace holos::testing
