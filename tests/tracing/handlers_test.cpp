// SPDX-License-Identifier: BSD-3-Clause
// Programs whose handlers of signals interrupt the recorder, or are interrupted by it.
#include <gtest/gtest.h>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

bool hasSampleIn(const std::filesystem::path& archive, const std::string& function) {
    const std::string text = runCommand({"otf2-print", archive / "traces.otf2"}).output;
    return text.find("CALLING_CONTEXT; \"" + function + '@') != std::string::npos;
}

TEST(RecordedHandlers, jumpOutOfThem_losesNoLaterSample) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/handler_jumps_plain", {},
                                {"--sample", "1ms"}, {"processor"});
    EXPECT_TRUE(hasSampleIn(archive, "after"));
}

TEST(RecordedHandlers, profilerOfTheProgram_seesTheProgram) {
    const TemporaryDirectory directory;
    record(directory.path(), HOLOS_PROGRAMS "/own_profiler", {}, {"--sample", "4ms"});
}

}  // namespace
}  // namespace holos::testing
