// SPDX-License-Identifier: BSD-3-Clause
// Files of an archive that are missing or broken: the rest is analyzed, and what was left out is said.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/damage.h"
#include "tests/support/findings.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using analyzer::Trouble;

/// Two processes that call `f` a hundred times for a tick each; the first one then sends a message.
std::filesystem::path writeTrace(const TemporaryDirectory& directory) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank) {
        trace.on(rank).enter(0, "main");
        for (Tick tick = 0; tick < 200; tick += 2) trace.on(rank).call(tick, tick + 1, "f");
    }
    trace.on(0).send(200, 201, {.peer = 1}).leave(210);
    trace.on(1).recv(200, 201, {.peer = 0}).leave(210);
    return trace.write(directory.path());
}

void expectFirstProcessComplete(const Findings& found) {
    EXPECT_EQ(found.at("visits", "main/f", 0), 100);
    EXPECT_NEAR(found.at("time", "main/f", 0), 0.100, kExact);
    EXPECT_NEAR(found.at("time", "main", 0), 0.109, kExact);  // 210 - 100 - 1 for the send
    EXPECT_EQ(found.at("comms_send", "main/MPI_Send", 0), 1);
}

TEST(DamagedTrace, truncatedEventFile_isAnalyzedAsFarAsItGoes) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    const auto file = eventFile(anchor, 1);
    truncate(file, std::filesystem::file_size(file) / 2);
    const Findings found(anchor, 1);
    expectFirstProcessComplete(found);
    EXPECT_TRUE(found.reported(Trouble::DamagedFile));
    EXPECT_TRUE(found.reported(Trouble::UnmatchedMessage));
    EXPECT_LT(found.at("visits", "main/f", 1), 100);
}

/// What a reader left in memory must not come back as the end of the next file.
TEST(DamagedTrace, eventFileCutAnywhere_endsWithItsLastWholeEvent) {
    constexpr Tick kCalls = 25;
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main");
    trace.on(1).enter(0, "main");
    for (Tick call = 0; call < kCalls; ++call) {
        trace.on(0).call(2 * call, 2 * call + 1, "f");
        trace.on(1).call(2 * call, 2 * call + 1, "g");
    }
    trace.on(0).leave(2 * kCalls);
    trace.on(1).leave(2 * kCalls);
    const TemporaryDirectory directory;
    const auto anchor = trace.write(directory.path());
    const auto file = eventFile(anchor, 1);
    double after = kCalls;
    for (std::uintmax_t bytes = std::filesystem::file_size(file) - 1; bytes > 60; --bytes) {
        truncate(file, bytes);
        const Findings found(anchor, 1);
        EXPECT_EQ(found.at("visits", "main/f", 0), kCalls) << bytes;
        EXPECT_EQ(found.at("visits", "main/f", 1), 0) << bytes;
        const double calls = found.at("visits", "main/g", 1);
        EXPECT_LE(calls, after) << bytes;
        EXPECT_GE(calls, after - 1) << bytes;
        EXPECT_TRUE(found.reported(Trouble::DamagedFile)) << bytes;
        after = calls;
    }
}

TEST(DamagedTrace, eventFileCutToItsHeader_leavesTheOthers) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    truncate(eventFile(anchor, 1), 5);
    const Findings found(anchor, 1);
    expectFirstProcessComplete(found);
    EXPECT_TRUE(found.reported(Trouble::DamagedFile));
}

TEST(DamagedTrace, emptyEventFile_leavesTheOthers) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    replace(eventFile(anchor, 1), "");
    const Findings found(anchor, 1);
    expectFirstProcessComplete(found);
    EXPECT_TRUE(found.reported(Trouble::DamagedFile));
}

TEST(DamagedTrace, missingEventFile_leavesTheOthers) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    std::filesystem::remove(eventFile(anchor, 1));
    const Findings found(anchor, 1);
    expectFirstProcessComplete(found);
    EXPECT_TRUE(found.reported(Trouble::DamagedFile));
    EXPECT_EQ(found.at("visits", "main/f", 1), 0);
}

TEST(DamagedTrace, foreignEventFile_leavesTheOthers) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    replace(eventFile(anchor, 1), std::string(1000, 'x'));
    const Findings found(anchor, 1);
    expectFirstProcessComplete(found);
    EXPECT_TRUE(found.reported(Trouble::DamagedFile));
}

TEST(DamagedTrace, missingLocalDefinitions_changeNothing) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    std::filesystem::remove(localDefinitionFile(anchor, 1));
    const Findings found(anchor, 1);
    expectFirstProcessComplete(found);
    EXPECT_EQ(found.at("visits", "main/f", 1), 100);
}

TEST(DamagedTrace, clockBackwards_isReportedAndTimesStayPositive) {
    const TemporaryDirectory directory;
    const auto anchor = writeTrace(directory);
    changeTimestamp(eventFile(anchor, 1), 5101, 5040);  // the builder's clock starts at 5000
    const Findings found(anchor, 1);
    expectFirstProcessComplete(found);
    EXPECT_TRUE(found.reported(Trouble::ClockBackwards));
    EXPECT_EQ(found.at("visits", "main/f", 1), 100);
    for (const auto* path : {"main", "main/f", "main/MPI_Recv"})
        EXPECT_GE(found.at("time", path, 1), 0) << path;
}

}  // namespace
}  // namespace holos::testing
