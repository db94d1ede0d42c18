// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <fstream>

#include "base/error.h"
#include "tests/unit/tracing/conversion_fixture.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/recordings/archive/folder/ownership.h"

namespace holos::archive {
namespace {

TEST_F(ConversionTest, processOfAnotherRun_isLeftOutAndNamed) {
    std::ofstream(recording() / "run") << R"({"id": "1f", "job": "", "origins": {}})";
    for (const auto& [name, run] : {std::pair("host.1.0", "1f"), std::pair("host.2.0", "2e")}) {
        auto log = program();
        log.sync(3'000, 1'500);
        std::ofstream(writeProcess(recording(), name, log) / "alive") << "run " << run << '\n';
    }
    const Result result = finish(directory_.path());
    EXPECT_EQ(result.processes, 1u);
    EXPECT_THAT(result.notes, Contains("host.2 is a process of another run and was left out"));
    EXPECT_EQ(measurement()["run"], "1f");
}

/// One name and number in two namespaces of processes: no program that the other one was replaced by.
TEST_F(ConversionTest, equalNumbersInTwoNamespaces_areTwoProcesses) {
    for (const auto& [name, pidNamespace] : {std::pair("host.1.0", 11), std::pair("host.1.1", 22)}) {
        auto log = program();
        log.region(1, "work").sync(2'000, 1'000);
        const auto folder = writeProcess(recording(), name, log, false);
        RawEvents().add(RecordKind::Enter, 1'200, {1}).write(folder);
        std::ofstream(folder / "alive") << "boot b\nnamespace " << pidNamespace << "\nstart 7\n";
    }
    EXPECT_THAT(finish(directory_.path(), Check::LivingProcesses).notes,
                Contains(HasSubstr("2 processes (0, 1) did not end normally")));
}

/// The trace is complete: what is left of the recording may not be.
TEST_F(ConversionTest, recordingWhoseTraceIsThere_isRemovedAndTheTraceStays) {
    auto log = program();
    log.sync(3'000, 1'500);
    writeProcess(recording(), "host.1.0", log);
    std::ofstream(recording() / "run") << R"({"id": "1f", "job": "", "origins": {}})";
    std::ofstream(directory_.path() / "traces.otf2") << "complete";
    std::ofstream(directory_.path() / "measurement.json") << R"({"run": "1f"})";
    EXPECT_EQ(finish(directory_.path()).processes, 0u);
    EXPECT_FALSE(needsFinish(directory_.path()));
    EXPECT_EQ(fs::file_size(directory_.path() / "traces.otf2"), 8u);
}

TEST_F(ConversionTest, traceOfAnotherRun_isNotReplaced) {
    writeProcess(recording(), "host.1.0", program());
    std::ofstream(recording() / "run") << R"({"id": "1f", "job": "", "origins": {}})";
    std::ofstream(directory_.path() / "traces.otf2") << "complete";
    std::ofstream(directory_.path() / "measurement.json") << R"({"run": "2e"})";
    EXPECT_THROW(finish(directory_.path()), Error);
    EXPECT_TRUE(needsFinish(directory_.path()));
    EXPECT_EQ(fs::file_size(directory_.path() / "traces.otf2"), 8u);
}

TEST_F(ConversionTest, whereSomebodyElsesFilesHaveTheNames_theyStayAndTheRecordingToo) {
    auto log = program();
    log.sync(3'000, 1'500);
    writeProcess(recording(), "host.1.0", log);
    std::ofstream(recording() / "run") << R"({"id": "1f", "job": "", "origins": {}})";
    for (const char* name : {"traces.def", "measurement.json"}) {
        std::ofstream(directory_.path() / name) << "mine";
        EXPECT_THROW(finish(directory_.path()), Error);
        EXPECT_TRUE(needsFinish(directory_.path()));
        EXPECT_EQ(fs::file_size(directory_.path() / name), 4u);
        fs::remove(directory_.path() / name);
    }
    EXPECT_EQ(finish(directory_.path()).processes, 1u);
}

/// Of a process that was killed while it moved the parts to their places.
TEST_F(ConversionTest, traceThatWasOnItsWay_isPutInPlace) {
    const std::string run(32, 'a');
    writeProcess(recording(), "host.1.0", program());
    std::ofstream(recording() / "run") << R"({"id": ")" << run << R"(", "job": "", "origins": {}})";
    const fs::path ready = directory_.path() / ("traces.ready." + run);
    fs::create_directory(ready);
    std::ofstream(ready / "traces.otf2") << "complete";
    std::ofstream(ready / "measurement.json") << R"({"run": ")" << run << R"("})";
    std::ofstream(directory_.path() / "traces.def") << "definitions";
    EXPECT_EQ(finish(directory_.path()).processes, 0u);
    EXPECT_FALSE(needsFinish(directory_.path()) || fs::exists(ready));
    EXPECT_EQ(fs::file_size(directory_.path() / "traces.otf2"), 8u);
    EXPECT_EQ(fs::file_size(directory_.path() / "traces.def"), 11u);
}

TEST_F(ConversionTest, partsOfATrace_sayWhichRunTheyAreOf) {
    auto log = program();
    log.sync(3'000, 1'500);
    writeProcess(recording(), "host.1.0", log);
    std::ofstream(recording() / "run") << R"({"id": "1f", "job": "", "origins": {}})";
    finish(directory_.path());
    const InTheWay found = inTheWay(directory_.path());
    EXPECT_THAT(found.others, ::testing::IsEmpty());
    EXPECT_THAT(found.ofHolos,
                ::testing::UnorderedElementsAre("traces/", "traces.def", "traces.otf2", "measurement.json"));
}

TEST_F(ConversionTest, emptyRecording_isAnError_andStays) {
    EXPECT_THROW(finish(directory_.path()), Error);
    EXPECT_TRUE(needsFinish(directory_.path()));
    EXPECT_FALSE(fs::exists(directory_.path() / "traces.otf2"));
}

}  // namespace
}  // namespace holos::archive
