// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of one-sided communication: `programs/one_sided.c`.
#include <gmock/gmock.h>

#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using RecordedOneSided = RecordedMpi;

TEST_P(RecordedOneSided, operationsAndSynchronization_exactSequence) {
    const auto events = eventsOf("one_sided", 2);
    EXPECT_THAT(
        with(events.at(0), {"RMA"}),
        ElementsAre("RMA_COLLECTIVE_BEGIN", "RMA_WIN_CREATE",
                    "RMA_COLLECTIVE_END CREATE_HANDLE process",                               // create
                    "RMA_COLLECTIVE_BEGIN", "RMA_COLLECTIVE_END BARRIER process and memory",  // fence
                    "RMA_PUT to 1 bytes 12 operation 1", "RMA_GET to 1 bytes 8 operation 2",  //
                    "RMA_COLLECTIVE_BEGIN",                                                   // fence
                    "RMA_OP_COMPLETE_NON_BLOCKING operation 1", "RMA_OP_COMPLETE_REMOTE operation 1",  //
                    "RMA_OP_COMPLETE_NON_BLOCKING operation 2", "RMA_OP_COMPLETE_REMOTE operation 2",  //
                    "RMA_COLLECTIVE_END BARRIER process and memory",                                   //
                    "RMA_GROUP_SYNC process",                                    // start
                    "RMA_ATOMIC to 1 ACCUMULATE sent 4 received 0 operation 3",  //
                    "RMA_OP_COMPLETE_NON_BLOCKING operation 3", "RMA_OP_COMPLETE_REMOTE operation 3",  //
                    "RMA_GROUP_SYNC process and memory",                                    // complete
                    "RMA_GROUP_SYNC process", "RMA_GROUP_SYNC process and memory",          // post, wait
                    "RMA_REQUEST_LOCK to 1 EXCLUSIVE", "RMA_PUT to 1 bytes 8 operation 4",  //
                    "RMA_OP_COMPLETE_NON_BLOCKING operation 4",                             // flush_local
                    "RMA_OP_COMPLETE_REMOTE operation 4",                                   // flush
                    "RMA_ATOMIC to 1 FETCH_AND_ACCUMULATE sent 4 received 4 operation 5",   //
                    "RMA_OP_COMPLETE_NON_BLOCKING operation 5", "RMA_OP_COMPLETE_REMOTE operation 5",  //
                    "RMA_RELEASE_LOCK to 1",                                                           //
                    "RMA_REQUEST_LOCK to UNDEFINED SHARED", "RMA_PUT to 1 bytes 16 operation 6",  // lock_all
                    "RMA_OP_COMPLETE_NON_BLOCKING operation 6",                                   // wait
                    "RMA_ATOMIC to 1 COMPARE_AND_SWAP sent 8 received 4 operation 7",
                    "RMA_SYNC to 0 MEMORY",                                                            //
                    "RMA_OP_COMPLETE_REMOTE operation 6", "RMA_OP_COMPLETE_NON_BLOCKING operation 7",  //
                    "RMA_OP_COMPLETE_REMOTE operation 7", "RMA_RELEASE_LOCK to UNDEFINED",             //
                    "RMA_COLLECTIVE_BEGIN", "RMA_WIN_CREATE",                    // allocate
                    "RMA_COLLECTIVE_END CREATE_HANDLE_AND_ALLOCATE process",     //
                    "RMA_COLLECTIVE_BEGIN", "RMA_WIN_DESTROY",                   // free
                    "RMA_COLLECTIVE_END DESTROY_HANDLE_AND_DEALLOCATE process",  //
                    "RMA_COLLECTIVE_BEGIN", "RMA_WIN_DESTROY", "RMA_COLLECTIVE_END DESTROY_HANDLE process"));
}

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedOneSided, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace holos::testing
