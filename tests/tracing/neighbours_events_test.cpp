// SPDX-License-Identifier: BSD-3-Clause
// Messages of operations of neighbours (`programs/neighbours.c`) and in partitions
// (`programs/partitioned.c`).
#include <gmock/gmock.h>

#include <regex>

#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAreArray;
using Events = std::vector<std::string>;

/// Messages, without the tag that all operations of neighbours share and without requests.
Events messagesOf(const Events& events) {
    static const std::regex kRest(" tag [0-9]+| request [0-9]+");
    Events messages;
    for (const auto& event : with(events, {"SEND to", "RECV from"}))
        messages.push_back(std::regex_replace(event, kRest, ""));
    return messages;
}

class RecordedNeighbours : public RecordedMpi {};

// An integer has 4 bytes. The middle one has both neighbours.
TEST_P(RecordedNeighbours, inTheMiddleOfARow_messagesToAndFromBoth) {
    const auto archive = archiveOf("neighbours", 3);
    const auto all = recordedEvents(archive);
    struct Form {
        std::string sentLeft, sentRight, gotLeft, gotRight;
    };
    const std::vector<Form> forms{{"12", "12", "12", "12"},  // allgather
                                  {"8", "8", "8", "8"},      // allgatherv
                                  {"16", "16", "16", "16"},  // alltoall
                                  {"4", "8", "8", "4"},      // alltoallv, alltoallw
                                  {"4", "8", "8", "4"}};
    const auto sent = [](const std::string& kind, const Form& form) {
        return Events{"MPI_" + kind + "SEND to 0 bytes " + form.sentLeft,
                      "MPI_" + kind + "SEND to 2 bytes " + form.sentRight};
    };
    const auto received = [](const std::string& kind, const Form& form) {
        return Events{"MPI_" + kind + "RECV from 0 bytes " + form.gotLeft,
                      "MPI_" + kind + "RECV from 2 bytes " + form.gotRight};
    };
    Events expected;
    const auto expect = [&expected](const Events& more) { expected = expected + more; };
    for (const Form& form : forms) expect(sent("", form) + received("", form));
    const bool hasPersistent = !with(all.at(1), {"MPI_Neighbor_alltoall_init"}).empty();
    for (int i = 0; i < (hasPersistent ? 3 : 1); ++i) {
        for (const Form& form : forms) expect(sent("I", form));
        for (const Form& form : forms) expect(received("I", form));
    }
    expect({"MPI_SEND to 2 bytes 20", "MPI_RECV from 0 bytes 20"});  // the circle
    expect({"MPI_SEND to 0 bytes 24", "MPI_RECV from 0 bytes 24"});  // the pair
    EXPECT_THAT(messagesOf(all.at(1)), ElementsAreArray(expected));
    EXPECT_EQ(with(all.at(1), {"MPI_ISEND_COMPLETE"}).size(), with(all.at(1), {"MPI_ISEND to"}).size());
    // At the end of the row, and without a partner in the graph.
    const auto last = messagesOf(all.at(2));
    EXPECT_EQ(last.front(), "MPI_SEND to 1 bytes 12");
    EXPECT_EQ(last.back(), "MPI_RECV from 1 bytes 20");
    // All of them are matched, and stand in the matrix of who sends to whom.
    EXPECT_EQ(analysisOf(archive).find("without"), std::string::npos);
}

class RecordedPartitions : public RecordedMpi {};

TEST_P(RecordedPartitions, twoSizesOfThem_oneMessageWhenTheLastIsReady) {
    if (!std::filesystem::exists(HOLOS_PROGRAMS "/partitioned_" + GetParam()))
        GTEST_SKIP() << GetParam() << " knows no messages in partitions";
    const auto archive = archiveOf("partitioned", 2);
    const auto events = recordedEvents(archive);
    Events sender;
    Events receiver;
    for (const std::string request : {"1", "2"}) {
        sender = sender + Events{"ENTER MPI_Pready",       "LEAVE MPI_Pready",
                                 "ENTER MPI_Pready_range", "LEAVE MPI_Pready_range",
                                 "ENTER MPI_Pready_list",  "MPI_ISEND to 1 tag 5 bytes 32 request " + request,
                                 "LEAVE MPI_Pready_list",  "MPI_ISEND_COMPLETE request " + request};
        receiver = receiver + Events{"MPI_IRECV_REQUEST request " + request,
                                     "MPI_IRECV from 0 tag 5 bytes 32 request " + request};
    }
    EXPECT_THAT(with(events.at(0), {"Pready", "ISEND"}), ElementsAreArray(sender));
    EXPECT_THAT(with(events.at(1), {"IRECV"}), ElementsAreArray(receiver));
    EXPECT_EQ(analysisOf(archive).find("without"), std::string::npos);
}

const auto kNameOf = [](const auto& instance) { return instance.param; };
INSTANTIATE_TEST_SUITE_P(Libraries, RecordedNeighbours, ::testing::Values(HOLOS_MPI_FAMILIES), kNameOf);
INSTANTIATE_TEST_SUITE_P(Libraries, RecordedPartitions, ::testing::Values(HOLOS_MPI_FAMILIES), kNameOf);

}  // namespace
}  // namespace holos::testing
