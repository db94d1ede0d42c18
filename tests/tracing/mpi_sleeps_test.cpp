// SPDX-License-Identifier: BSD-3-Clause
// Functions that sleep within calls of MPI: those of the program, which MPI calls back, and those of MPI and
// its plug-ins. `programs/sleeps_in_mpi.c`.
#include <gmock/gmock.h>

#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

class RecordedSleepInMpi : public RecordedMpi {};

TEST_P(RecordedSleepInMpi, ofAnOperation_isShown_ofLibrariesThatCameLater_isMpis) {
    std::size_t inOperation = 0;
    const auto archive = archiveOf("sleeps_in_mpi", 2, {}, {HOLOS_PROGRAMS "/libsleeps_in_mpi.so"});
    for (const auto& [location, events] : recordedEvents(archive, true)) {
        inOperation += with(events, {"ENTER usleep"}).size();
        EXPECT_EQ(with(events, {"ENTER nanosleep"}).size(), 1) << location << ": outside of MPI";
    }
    EXPECT_GE(inOperation, 1) << "in one process or in both";
}

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedSleepInMpi, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& family) { return family.param; });

}  // namespace
}  // namespace holos::testing
