// SPDX-License-Identifier: BSD-3-Clause
// What the recorder takes from the program's heap: `programs/heap_calls.c`, which counts calls of its
// allocator.
#include <gmock/gmock.h>

#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

using Words = std::vector<std::string>;

/// What the program prints; the recorder's own lines are left out.
std::string printed(const Words& command) {
    const auto result = runCommand(command);
    EXPECT_EQ(result.exitCode, 0) << result.output;
    const auto end = result.output.find('\n', result.output.find(" calls "));
    const auto begin = result.output.rfind('\n', result.output.find(" calls ")) + 1;
    return result.output.substr(begin, end - begin);
}

Words recording(const TemporaryDirectory& directory, const Words& options, const Words& program) {
    return Words{HOLOS_PROGRAM, "record", "-o", directory.path() / "run"} + options + Words{"--"} + program;
}

const std::string heapCalls = HOLOS_PROGRAMS "/heap_calls";

TEST(RecordedHeap, ofRegionsThreadsAndTeams_seesNoCallOfTheRecorder) {
    const TemporaryDirectory directory;
    EXPECT_EQ(printed(recording(directory, {}, {heapCalls})), printed({heapCalls}));
}

class RecordedHeapWith : public ::testing::TestWithParam<Words> {};

/// What they need once, the C library allocates before the program begins.
TEST_P(RecordedHeapWith, options_seesNoCallOfTheRecorderInMain) {
    const auto inMain = [](const std::string& line) { return line.substr(line.find(", ")); };
    const TemporaryDirectory directory;
    EXPECT_EQ(inMain(printed(recording(directory, GetParam(), {heapCalls}))), inMain(printed({heapCalls})));
}
INSTANTIATE_TEST_SUITE_P(Options, RecordedHeapWith,
                         ::testing::Values(Words{"--counters", "ru_nvcsw"},
                                           Words{"--counters-async", "10ms", "--counters", "proc_rss"},
                                           Words{"--write-back", "100ms"}));

class RecordedHeapOfMpi : public RecordedMpi {};

TEST_P(RecordedHeapOfMpi, ofMessages_seesNoCallOfTheRecorder) {
    const TemporaryDirectory directory;
    const Words launched = launcher(1, GetParam()) + Words{path("heap_calls")};
    EXPECT_EQ(printed(recording(directory, {}, launched)), printed(launched));
}
INSTANTIATE_TEST_SUITE_P(Libraries, RecordedHeapOfMpi, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& family) { return family.param; });

}  // namespace
}  // namespace holos::testing
