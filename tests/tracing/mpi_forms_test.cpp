// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of the less usual forms of MPI's calls, and of the same programs with MPI 4's large
// counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAreArray;
using ::testing::UnorderedElementsAreArray;
using Events = std::vector<std::string>;
using RecordedForms = RecordedMpi;

/// True when the program was built for an MPI with the functions of MPI 4.
bool isMpi4(const Events& events) {
    return !with(events, {"MPI_Isendrecv", "MPI_Comm_idup_with_info"}).empty();
}

/// Expected events of messages with rank 1, whose number of integers is their tag unless it is given.
/// Requests are numbered as they begin.
class Messages {
  public:
    void add(const std::string& event) { events_.push_back(event); }
    void sent(int tag) { add(message("MPI_SEND to", tag, tag)); }
    void received(int tag) { add(message("MPI_RECV from", tag, tag)); }
    /// The request's number.
    int isend(int tag, int ints) { return begin(message("MPI_ISEND to", tag, ints)); }
    int irecv() { return begin("MPI_IRECV_REQUEST"); }
    void isendDone(int request) { add("MPI_ISEND_COMPLETE" + of(request)); }
    void irecvDone(int request, int tag, int ints) {
        add(message("MPI_IRECV from", tag, ints) + of(request));
    }
    void cancelled(int request) { add("MPI_REQUEST_CANCELLED" + of(request)); }
    const Events& events() const { return events_; }

  private:
    static std::string message(const std::string& kind, int tag, int ints) {
        return kind + " 1 tag " + std::to_string(tag) + " bytes " + std::to_string(4 * ints);
    }
    static std::string of(int request) { return " request " + std::to_string(request); }
    int begin(const std::string& event) {
        add(event + of(++last_));
        return last_;
    }
    Events events_;
    int last_ = 0;
};

void sendInAllModes(Messages& messages) {
    messages.sent(1);
    messages.sent(2);
    for (int tag = 3; tag <= 5; ++tag) messages.isendDone(messages.isend(tag, tag));
    messages.isend(6, 6);  // freed
}

void sendPersistently(Messages& messages) {
    for (int tag = 1; tag <= 6; ++tag) messages.isendDone(messages.isend(tag, tag));
}

void completeInAllWays(Messages& messages, int number, int ints) {
    for (int tag = 1; tag <= number; ++tag) messages.irecvDone(messages.irecv(), tag, ints != 0 ? ints : tag);
}

void probe(Messages& messages) {
    for (int tag = 1; tag <= 3; ++tag) messages.received(tag);
    messages.irecvDone(messages.irecv(), 4, 4);
}

void cancelAndReceive(Messages& messages) {
    messages.cancelled(messages.irecv());
    messages.irecvDone(messages.irecv(), 1, 3);
}

void exchange(Messages& messages, bool isMpi4) {
    messages.sent(7);
    messages.received(7);
    for (const int tag : {2, 3}) {
        if (!isMpi4) continue;
        const int send = messages.isend(tag, tag + 1);
        const int receive = messages.irecv();
        messages.isendDone(send);
        messages.irecvDone(receive, tag, tag + 1);
    }
}

/// Which of two requests completes first is open.
TEST_P(RecordedForms, messages_bytesAndRequestsOfEachForm) {
    const auto archive = archiveOf("message_forms", 2);
    const auto events = recordedEvents(archive);
    Messages expected;
    sendInAllModes(expected);
    sendPersistently(expected);
    completeInAllWays(expected, 9, 1);
    probe(expected);
    cancelAndReceive(expected);
    exchange(expected, isMpi4(events.at(0)));
    EXPECT_THAT(with(events.at(0), {"SEND to", "RECV from", "IRECV_REQ", "ISEND_COMP", "CANCELLED"}),
                UnorderedElementsAreArray(expected.events()));
    EXPECT_EQ(analysisOf(archive).find("without"), std::string::npos);
}

/// A broadcast of one integer in each communicator: its root sends one to each of the members.
TEST_P(RecordedForms, communicators_eachHasItsMembers) {
    const auto archive = archiveOf("communicators", 3);
    const auto events = recordedEvents(archive);
    const auto sent = [](int members) { return "sent " + std::to_string(4 * members) + " received 4"; };
    std::vector<std::string> ofFirst{sent(2), sent(2), sent(3), sent(3), sent(0), sent(3)};
    std::vector<std::string> ofLast{sent(0), sent(0), sent(0), sent(0), sent(2), sent(3), sent(0)};
    if (isMpi4(events.at(0))) {
        ofFirst.insert(ofFirst.begin() + 2, sent(3));
        ofLast.insert(ofLast.begin() + 2, sent(0));
    }
    const auto broadcasts = [&](std::uint64_t rank) {
        Events bytes;
        for (const auto& event : with(events.at(rank), {"END BCAST"}))
            bytes.push_back(event.substr(event.find("sent")));
        return bytes;
    };
    EXPECT_THAT(broadcasts(0), ElementsAreArray(ofFirst));
    EXPECT_THAT(broadcasts(2), ElementsAreArray(ofLast));
    // create, dup_with_info, idup, split, split_type, dist_graph_create, split, intercomm_create; and
    // create_group by two of the three.
    const std::size_t made = isMpi4(events.at(0)) ? 9 : 8;
    EXPECT_EQ(with(events.at(0), {"CREATE_HANDLE"}).size(), made + 1);
    EXPECT_EQ(with(events.at(1), {"CREATE_HANDLE"}).size(), made);
    EXPECT_THAT(analysisOf(archive), ::testing::Not(::testing::ContainsRegex("without|incomplete")));
}

TEST_P(RecordedForms, windows_operationsAndTheirCompletion) {
    const auto events = eventsOf("window_forms", 2);
    const std::string here = "RMA_OP_COMPLETE_NON_BLOCKING operation ";
    const std::string there = "RMA_OP_COMPLETE_REMOTE operation ";
    const auto both = [&](const std::string& number) { return Events{here + number, there + number}; };
    const Events expected = Events{"RMA_REQUEST_LOCK to UNDEFINED SHARED",
                                   "RMA_ATOMIC to 1 FETCH_AND_ACCUMULATE sent 4 received 4 operation 1",
                                   here + "1",   // flush_local_all
                                   there + "1",  // flush_all
                                   "RMA_ATOMIC to 1 ACCUMULATE sent 8 received 0 operation 2",
                                   "RMA_ATOMIC to 1 FETCH_AND_ACCUMULATE sent 12 received 12 operation 3",
                                   "RMA_GET to 1 bytes 16 operation 4",
                                   here + "2",
                                   here + "3",
                                   here + "4",
                                   there + "2",
                                   there + "3",
                                   there + "4",
                                   "RMA_RELEASE_LOCK to UNDEFINED",
                                   "RMA_GROUP_SYNC process",
                                   "RMA_PUT to 1 bytes 20 operation 5"} +
                            both("5") +
                            Events{"RMA_GROUP_SYNC process and memory", "RMA_PUT to 1 bytes 24 operation 6"} +
                            both("6") + Events{"RMA_PUT to 1 bytes 28 operation 7"} + both("7");
    EXPECT_THAT(with(events.at(0), {"_LOCK", "RMA_PUT", "RMA_GET", "RMA_ATOMIC", "RMA_OP", "RMA_GROUP"}),
                ElementsAreArray(expected));
    EXPECT_THAT(with(events.at(1), {"RMA_GROUP"}),
                ::testing::ElementsAre("RMA_GROUP_SYNC process", "RMA_GROUP_SYNC process and memory"));
    const std::string made = "RMA_COLLECTIVE_END CREATE_HANDLE";
    EXPECT_THAT(with(events.at(1), {"CREATE_HANDLE"}),
                ::testing::ElementsAre(made + " process", made + "_AND_ALLOCATE process", made + " process"));
}

/// Expected events of a file.
class Operations {
  public:
    void blocking(const std::string& kind, int ints, const std::string& way = "NONE") {
        begin(kind, way, ints);
        complete(ints);
    }
    void later(const std::string& kind, int ints, const std::string& way = "NON_BLOCKING") {
        begin(kind, way, ints);
        events_.push_back("IO_OPERATION_ISSUED operation " + std::to_string(number_));
        complete(ints);
    }
    const Events& events() const { return events_; }

  private:
    void begin(const std::string& kind, const std::string& way, int ints) {
        events_.push_back("IO_OPERATION_BEGIN " + kind + ' ' + way + ' ' + std::to_string(4 * ints) +
                          " operation " + std::to_string(++number_));
    }
    void complete(int ints) {
        events_.push_back("IO_OPERATION_COMPLETE " + std::to_string(4 * ints) + " operation " +
                          std::to_string(number_));
    }
    Events events_;
    int number_ = 0;
};

TEST_P(RecordedForms, files_bytesOfEachWayToReadAndWrite) {
    const auto events = eventsOf("file_forms", 2, {}, {folder() / "data"});
    const std::string all = "COLLECTIVE";
    const std::string allLater = "NON_BLOCKING|COLLECTIVE";
    Operations expected;
    expected.blocking("WRITE", 1);
    expected.later("WRITE", 2);
    expected.later("READ", 3);
    expected.later("READ", 2);
    // together
    expected.blocking("WRITE", 4, all);
    expected.later("WRITE", 5, allLater);
    expected.later("WRITE", 6, allLater);
    expected.blocking("FLUSH", 0, all);
    expected.blocking("READ", 4, all);
    expected.later("READ", 5, allLater);
    expected.blocking("READ", 6, all);
    expected.later("READ", 7, allLater);
    // in two calls
    expected.later("WRITE", 8, allLater);
    expected.later("WRITE", 9, allLater);
    expected.blocking("FLUSH", 0, all);
    expected.later("READ", 8, allLater);
    expected.later("READ", 9, allLater);
    for (const std::string kind : {"WRITE", "READ"}) {  // with the shared pointer
        expected.blocking(kind, 1);
        expected.later(kind, 2);
        expected.blocking(kind, 3, all);
        expected.later(kind, 4, allLater);
        if (kind == "WRITE") expected.blocking("FLUSH", 0, all);
    }
    EXPECT_THAT(with(events.at(1), {"IO_OPERATION"}), ElementsAreArray(expected.events()));
    EXPECT_EQ(with(events.at(1), {"IO_SEEK"}).size(), 8);
}

Events linesOf(const std::filesystem::path& file) {
    std::ifstream in(file);
    Events lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

Events regionsOf(const Events& events) {
    Events names;
    for (const auto& event : with(events, {"ENTER "})) names.push_back(event.substr(event.find(' ') + 1));
    return names;
}

Events withoutSuffix(const Events& events) {
    static const std::regex kSuffix("(MPI_\\w+)_c\\b");
    Events plain;
    for (const auto& event : events) plain.push_back(std::regex_replace(event, kSuffix, "$1"));
    return plain;
}

TEST_P(RecordedForms, callsThatAreRegionsOnly_inTheirOrder) {
    for (const std::string program :
         {"plain_calls", "plain_types", "plain_calls_large", "plain_types_large"}) {
        if (!std::filesystem::exists(path(program))) continue;  // an MPI without large counts
        const auto calls = folder() / (program + "_calls");
        const auto events = eventsOf(program, 1, {}, {calls, folder() / "data"}).at(0);
        EXPECT_THAT(withoutSuffix(regionsOf(events)), ElementsAreArray(linesOf(calls))) << program;
    }
}

/// What a program does, in any order, without how often it asked or waited for something.
Events doneBy(const Events& events) {
    static const std::regex kAsking(
        "(ENTER|LEAVE) "
        "MPI_(I?[Pp]robe|Improbe|Test.*|Waitsome|Request_get_status|Win_test)|.*(TEST|tested).*");
    Events done;
    for (const auto& event : withoutSuffix(events))
        if (!std::regex_match(event, kAsking)) done.push_back(event);
    std::sort(done.begin(), done.end());
    return done;
}

TEST_P(RecordedForms, largeCounts_sameEventsAsWithUsualOnes) {
    if (!std::filesystem::exists(path("messages_large"))) return;  // an MPI without them
    struct Case {
        const char* program;
        unsigned ranks;
    };
    for (const Case& one : {Case{"messages", 2}, Case{"message_forms", 2}, Case{"collectives", 3},
                            Case{"started_collectives", 3}, Case{"neighbours", 3}, Case{"one_sided", 2},
                            Case{"window_forms", 2}, Case{"files", 2}, Case{"file_forms", 2}}) {
        const std::string name = one.program;
        const auto usual = eventsOf(name, one.ranks, {}, {folder() / "data"});
        const auto large = eventsOf(name + "_large", one.ranks, {}, {folder() / "data"});
        EXPECT_FALSE(with(large.at(0), {"_c"}).empty()) << name;
        for (const auto& [location, events] : usual)
            EXPECT_THAT(doneBy(large.at(location)), ElementsAreArray(doneBy(events))) << name;
    }
}

TEST_P(RecordedForms, fortranModules_sameEvents) {
    if (!std::filesystem::exists(path("forms_fortran"))) GTEST_SKIP() << "no Fortran compiler here";
    Messages expected;
    completeInAllWays(expected, 8, 0);
    expected.received(1);
    expected.irecvDone(expected.irecv(), 2, 2);
    for (int i = 0; i < 2; ++i) {
        const int receive = expected.irecv();
        const int send = expected.isend(3, 3);
        expected.irecvDone(receive, 3, 3);
        expected.isendDone(send);
    }
    expected.sent(4);
    expected.received(4);
    for (const char* event :
         {"NON_BLOCKING_COLLECTIVE_COMPLETE BARRIER root NONE sent 0 received 0 request 14",
          "NON_BLOCKING_COLLECTIVE_COMPLETE ALLREDUCE root NONE sent 16 received 16 request 15",
          "MPI_COLLECTIVE_END ALLGATHERV root NONE sent 8 received 12",
          "NON_BLOCKING_COLLECTIVE_COMPLETE CREATE_HANDLE root NONE sent 0 received 0 request 16",
          "MPI_COLLECTIVE_END BCAST root 1 sent 0 received 12",
          "MPI_COLLECTIVE_END DESTROY_HANDLE root NONE sent 0 received 0",
          "RMA_PUT to 1 bytes 20 operation 1", "RMA_OP_COMPLETE_NON_BLOCKING operation 1",
          "RMA_OP_COMPLETE_REMOTE operation 1"})
        expected.add(event);
    for (const char* program : {"forms_fortran", "forms_f08"}) {
        const auto archive = archiveOf(program, 2);
        EXPECT_THAT(with(recordedEvents(archive).at(0),
                         {"SEND to", "RECV from", "IRECV_REQ", "ISEND_COMP", "COLLECTIVE_COMP",
                          "MPI_COLLECTIVE_END", "RMA_PUT", "RMA_OP"}),
                    UnorderedElementsAreArray(expected.events()))
            << program;
        EXPECT_EQ(analysisOf(archive).find("without"), std::string::npos);
    }
}

/// Not every MPI can do all of this: then the call that fails is a region, too. MPICH 4.0 over UCX, as Debian
/// has it, opens no ports, and so refuses `MPI_Comm_spawn` before it asks its launcher.
TEST_P(RecordedForms, processesThatMeet_areRecordedWithoutHarm) {
    struct Way {
        const char* name;
        unsigned ranks;
        const char* call;
    };
    // Open MPI needs a way to processes of another job; environments of tests may leave it out. Where
    // processes cannot meet they wait for ever.
    const Words launched{"env", "OMPI_MCA_btl=self,vader,tcp"};
    unsigned tried = 0;
    for (const Way& way : {Way{"port", 2, "MPI_Open_port"}, Way{"join", 2, "MPI_Comm_join"},
                           Way{"service", 1, "MPI_Publish_name"}, Way{"spawn", 1, "MPI_Comm_spawn"},
                           Way{"spawn_multiple", 1, "MPI_Comm_spawn_multiple"}}) {
        const Words launcherOfWay = launched + launcher(way.ranks, GetParam());
        const auto alone =
            runCommand(Words{"timeout", "20"} + launcherOfWay + Words{path("dynamic"), way.name});
        if (alone.exitCode != 0) continue;  // with this MPI it is no way at all
        ++tried;
        const auto events =
            recordedEvents(record(folder() / way.name, path("dynamic"), launcherOfWay, {}, {way.name}));
        EXPECT_EQ(with(events.at(0), {std::string("ENTER ") + way.call}).size(), 1) << way.name;
        const bool met = alone.output.find("met") != std::string::npos;
        EXPECT_EQ(with(events.at(0), {"ENTER MPI_Comm_disconnect"}).size(), met ? 1 : 0) << way.name;
        if (!met || way.ranks < 2) continue;
        // Both sides make the communicator together, so that it is a wait if one comes later.
        for (const auto& [rank, ofRank] : events)
            EXPECT_EQ(with(ofRank, {"MPI_COLLECTIVE_END CREATE_HANDLE"}).size(), 1)
                << way.name << " " << rank;
    }
    if (tried == 0) GTEST_SKIP() << "processes cannot meet with " << GetParam() << " here, recorded or not";
}

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedForms, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace holos::testing
