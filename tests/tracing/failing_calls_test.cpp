// SPDX-License-Identifier: BSD-3-Clause
// MPI calls that fail: `programs/failing_calls.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAreArray;

/// What a process does after each call that failed.
std::vector<std::string> exchangeOf(int rank) {
    std::vector<std::string> events{"ENTER MPI_Send", "MPI_SEND to 1 tag 7 bytes 4", "LEAVE MPI_Send"};
    if (rank == 1) events = {"ENTER MPI_Recv", "MPI_RECV from 0 tag 7 bytes 4", "LEAVE MPI_Recv"};
    for (const char* event : {"ENTER MPI_Barrier", "MPI_COLLECTIVE_BEGIN",
                              "MPI_COLLECTIVE_END BARRIER root NONE sent 0 received 0", "LEAVE MPI_Barrier"})
        events.emplace_back(event);
    return events;
}

class RecordedFailures : public RecordedMpi {
  protected:
    /// The calls that fail are regions and nothing else, and all that follows is complete.
    void expectAll(const std::string& program, const Words& mode) {
        const auto events = eventsOf(program, 2, {}, mode);
        ASSERT_EQ(events.size(), 2U);
        expectAll(0, events.begin()->second);
        expectAll(1, events.rbegin()->second);
    }

  private:
    static void expectAll(int rank, const std::vector<std::string>& events) {
        std::vector<std::string> expected;
        for (const std::string call : {"MPI_Send", "MPI_Isend", "MPI_Irecv", "MPI_Bcast", "MPI_Recv"}) {
            expected.push_back("ENTER " + call);
            expected.push_back("LEAVE " + call);
            for (const std::string& event : exchangeOf(rank)) expected.push_back(event);
        }
        const auto begin = std::find(events.begin(), events.end(), "LEAVE MPI_Comm_set_errhandler");
        const auto end = std::find(events.begin(), events.end(), "ENTER MPI_Errhandler_free");
        ASSERT_LT(begin, end);
        EXPECT_THAT(std::vector<std::string>(begin + 1, end), ElementsAreArray(expected));
    }
};

TEST_P(RecordedFailures, errorIsReturned_onlyRegionsOfFailedCalls) {
    expectAll("failing_calls", {});
}

TEST_P(RecordedFailures, errorHandlerJumps_eventsBehindAreComplete) {
    expectAll("failing_calls", {"jump"});
}

TEST_P(RecordedFailures, errorHandlerThrows_eventsBehindAreComplete) {
    expectAll("throwing_calls", {"throw"});
}

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedFailures, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace holos::testing
