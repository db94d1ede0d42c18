// SPDX-License-Identifier: BSD-3-Clause
// Files of an archive that are missing or broken: the rest is analyzed, and what was left out is said.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

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

/// Three messages of a run of a second, whose stamps are those of a machine that is up for weeks.
std::filesystem::path writeLateTrace(const TemporaryDirectory& directory) {
    TraceBuilder trace(2);
    trace.clock(1'000'000'000, 5'000'000'000'000'000);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main");
    for (Tick i = 1; i < 4; ++i) {
        trace.on(0).send(200'000'000 * i, 200'000'100 * i, {.peer = 1});
        trace.on(1).recv(150'000'000 * i, 200'000'100 * i, {.peer = 0});
    }
    for (unsigned rank = 0; rank < 2; ++rank)
        trace.on(rank).barrier(700'000'000, 800'000'000).leave(1'000'000'000);
    return trace.write(directory.path());
}

/// Where each time stamp of an event file is.
std::vector<std::size_t> placesOfTimes(const std::string& content, std::uint64_t first, std::uint64_t last) {
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at + 9 <= content.size(); ++at) {
        std::uint64_t time = 0;
        for (unsigned i = 0; i < 8; ++i)
            time |= std::uint64_t{static_cast<std::uint8_t>(content[at + 1 + i])} << (8 * i);
        if (content[at] == 5 && time >= first && time <= last) places.push_back(at + 1);
    }
    return places;
}

TEST(DamagedTrace, bitOfAnyTime_isReportedWhereTimesDoNotFitIntoTheRun) {
    const TemporaryDirectory directory;
    const auto file = eventFile(writeLateTrace(directory), 1);
    const auto anchor = directory.path() / "traces.otf2";
    std::ifstream in(file, std::ios::binary);
    const std::string sound{std::istreambuf_iterator<char>(in), {}};
    const auto places = placesOfTimes(sound, 5'000'000'000'000'000, 5'000'001'000'000'000);
    ASSERT_GE(places.size(), 9U);
    for (const std::size_t place : places) {
        for (std::size_t bit = 21; bit < 64; bit += 3) {
            std::string damaged = sound;
            damaged[place + bit / 8] = static_cast<char>(damaged[place + bit / 8] ^ (1 << (bit % 8)));
            replace(file, damaged);
            const Findings found(anchor, 1);
            const bool isReported = found.reported(Trouble::ClockBackwards);
            for (const char* metric : {"time", "mpi_latesender", "mpi_barrier_wait", "delay"}) {
                EXPECT_GE(found.total(metric), 0) << metric << ' ' << place << ' ' << bit;
                const bool fits =
                    found.total(metric) <= 2 * 1.125;  // of both ranks; some writers are inexact
                EXPECT_TRUE(fits || isReported) << metric << ' ' << place << ' ' << bit;
            }
            // What lies hours away is no time of the run.
            EXPECT_LE(found.total("time"), 2 * 3601.1) << place << ' ' << bit;
        }
    }
}

}  // namespace
}  // namespace holos::testing
