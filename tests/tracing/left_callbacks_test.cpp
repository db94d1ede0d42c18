// SPDX-License-Identifier: BSD-3-Clause
// Calls of MPI that the program leaves from within, out of functions that MPI calls:
// `programs/left_callbacks.cpp`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "algebra/files/cubex.h"
#include "tests/tracing/recorded_mpi.h"
#include "tests/tracing/recorded_paths.h"

namespace holos::testing {
namespace {

/// Where each call stands, how often two processes make it.
std::map<std::string, double> expectedCalls(const std::string& around) {
    const std::string namespaceOf = "(anonymous namespace)::";
    const std::string left = "main/" + namespaceOf + around + "(void (*)())/" + namespaceOf;
    return {
        {"main/MPI_Init", 2},
        {"main/MPI_Op_create", 2},
        {"main/MPI_Comm_dup", 2},
        {"main/MPI_Comm_create_errhandler", 2},
        {"main/MPI_Comm_set_errhandler", 2},
        {"main/MPI_Comm_create_keyval", 2},
        {"main/MPI_Comm_set_attr", 2},
        {left + "reduceHere()/MPI_Reduce_local", 2},
        {left + "reduce()/MPI_Allreduce", 2},
        {left + "fail()/MPI_Send", 2},
        {left + "callHandler()/MPI_Comm_call_errhandler", 2},
        {left + "wait()/MPI_Grequest_start", 2},
        {left + "wait()/MPI_Grequest_complete", 2},
        {left + "wait()/MPI_Wait", 2},
        {left + "duplicate()/MPI_Comm_dup", 2},
        {left + "removeAttribute()/MPI_Comm_delete_attr", 2},
        {"main/" + namespaceOf + "goOn()/MPI_Barrier", 14},
        {"main/MPI_Finalize", 2},
    };
}

/// The regions of the functions that MPI calls: `reduce()/MPI_Allreduce/operate(…)/leave()/callback`.
std::size_t regionsWithin(const std::string& call, const algebra::Experiment& experiment) {
    std::size_t regions = 0;
    for (const auto& [names, visits] : visitsByNames(experiment, "user"))
        if (names.find("/MPI_" + call + "/(anonymous namespace)::") != std::string::npos &&
            names.ends_with("leave()/callback"))
            regions += static_cast<std::size_t>(visits);
    return regions;
}

class RecordedCallbacks : public RecordedMpi {
  protected:
    void expectAll(const std::string& program, const std::string& mode, const std::string& around) {
        const auto archive = archiveOf(program, 2, {}, {mode});
        for (const auto& [location, events] : recordedEvents(archive)) {
            const auto isEnter = [](const std::string& event) { return event.rfind("ENTER", 0) == 0; };
            const auto isLeave = [](const std::string& event) { return event.rfind("LEAVE", 0) == 0; };
            EXPECT_EQ(std::count_if(events.begin(), events.end(), isEnter),
                      std::count_if(events.begin(), events.end(), isLeave));
        }
        analysisOf(archive);
        const auto experiment = algebra::readCubex(archive / "analysis.cubex");
        EXPECT_EQ(visitsByNames(experiment, "mpi"), expectedCalls(around));
        for (const std::string call : {"Reduce_local", "Allreduce", "Send", "Comm_call_errhandler", "Wait",
                                       "Comm_dup", "Comm_delete_attr"})
            EXPECT_EQ(regionsWithin(call, experiment), 2) << call;
    }
};

TEST_P(RecordedCallbacks, leftByExceptions_endTheCallsAroundThem) {
    expectAll("left_callbacks", "throw", "callAndCatch");
    expectAll("left_callbacks_optimised", "throw", "callAndCatch");
}

TEST_P(RecordedCallbacks, leftByJumps_endTheCallsAroundThem) {
    expectAll("left_callbacks", "jump", "callAndComeBack");
    expectAll("left_callbacks_optimised", "jump", "callAndComeBack");
}

/// `programs/calls_at_the_end.c`
TEST_P(RecordedCallbacks, ofAttributesInFinalize_areNamedAsPartOfIt) {
    const auto archive = archiveOf("calls_at_the_end", 2);
    for (const auto& [location, events] : recordedEvents(archive))
        EXPECT_THAT(with(events, {"SEND", "RECV", "COLLECTIVE", "MPI_Finalize"}),
                    ::testing::ElementsAre("ENTER MPI_Finalize", "LEAVE MPI_Finalize"));
#if defined(__x86_64__)
    std::ifstream measurement(archive / "measurement.json");
    const std::string said((std::istreambuf_iterator<char>(measurement)), {});
    EXPECT_THAT(said, ::testing::HasSubstr("called MPI themselves: that is part of the call around it"));
#endif
}

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedCallbacks, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& family) { return family.param; });

}  // namespace
}  // namespace holos::testing
