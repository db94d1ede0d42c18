// SPDX-License-Identifier: BSD-3-Clause
// What libraries do before and after `main`: `programs/around_main.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class RecordedAroundMain : public ::testing::Test {
  protected:
    static std::string program(const std::string& name) { return HOLOS_PROGRAMS "/" + name; }
    /// What `holos record` says.
    std::string said(const std::string& name, const std::vector<std::string>& environment = {}) const {
        std::vector<std::string> words{"env"};
        words.insert(words.end(), environment.begin(), environment.end());
        for (const std::string& word :
             {std::string(HOLOS_PROGRAM), std::string("record"), std::string("-o"),
              (directory_.path() / "run").string(), std::string("--"), program(name)})
            words.push_back(word);
        const auto result = runCommand(words);
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return result.output;
    }
    TemporaryDirectory directory_;
};

TEST_F(RecordedAroundMain, threadOfAConstructor_isThereFromItsBeginToItsEnd) {
    const auto locations = recordedEvents(record(directory_.path(), program("around_main_pool")));
    ASSERT_EQ(locations.size(), 2);
    EXPECT_THAT(with(locations.begin()->second, {"CREATE", "WAIT"}),
                ElementsAre("THREAD_CREATE", "THREAD_WAIT 1"));
    EXPECT_THAT(with(locations.rbegin()->second, {"THREAD_BEGIN", "pool_worker", "THREAD_END"}),
                ElementsAre("THREAD_BEGIN", "ENTER pool_worker", "LEAVE pool_worker", "THREAD_END"));
}

TEST_F(RecordedAroundMain,
       anotherLibraryThatComesFirst_recordingBeginsWithTheNextThread_andTheOneBeforeIsNamed) {
    const std::string output = said("around_main_second");
    EXPECT_THAT(output, HasSubstr("1 thread is not in the trace (stays)"));
    EXPECT_THAT(output, HasSubstr("began before the recording"));
    const auto locations = recordedEvents(directory_.path() / "run");
    ASSERT_EQ(locations.size(), 2);
    EXPECT_THAT(with(locations.rbegin()->second, {"pool_worker"}),
                ElementsAre("ENTER pool_worker", "LEAVE pool_worker"));
}

TEST_F(RecordedAroundMain, threadsOfOpenBlas_areThereWithTheirTime) {
    if (!std::filesystem::exists(program("matrix_products"))) GTEST_SKIP() << "no OpenBLAS here";
    said("matrix_products", {"OPENBLAS_NUM_THREADS=2"});
    const auto locations = recordedEvents(directory_.path() / "run");
    ASSERT_EQ(locations.size(), 2);
    EXPECT_THAT(with(locations.rbegin()->second, {"THREAD_BEGIN", "THREAD_END"}),
                ElementsAre("THREAD_BEGIN", "THREAD_END"));
    std::ifstream file(directory_.path() / "run" / "measurement.json");
    for (const auto& law : nlohmann::json::parse(file)["laws"]) EXPECT_TRUE(law["holds"]) << law;
}

class OpenMpAroundMain : public RecordedAroundMain, public ::testing::WithParamInterface<const char*> {};

TEST_P(OpenMpAroundMain, regionsOfConstructorsAndDestructors_areThere) {
    const std::string name = std::string("around_main_openmp_") + GetParam();
    if (!std::filesystem::exists(program(name))) GTEST_SKIP() << "no such compiler here";
    const auto locations = recordedEvents(record(directory_.path(), program(name)));
    ASSERT_EQ(locations.size(), 2);
    for (const auto& [location, events] : locations) EXPECT_EQ(with(events, {"TEAM_BEGIN"}).size(), 3);
}

INSTANTIATE_TEST_SUITE_P(Compilers, OpenMpAroundMain, ::testing::Values("gcc", "clang"));

TEST_F(RecordedAroundMain, openMpOfGccWithTheRuntimeOfLlvm_isThere) {
    if (!std::filesystem::exists(program("around_main_openmp_clang")))
        GTEST_SKIP() << "no runtime of LLVM here";
    const auto locations = recordedEvents(
        record(directory_.path(), program("around_main_openmp_gcc"), {}, {"--openmp-runtime", "llvm"}));
    ASSERT_EQ(locations.size(), 2);
    for (const auto& [location, events] : locations) EXPECT_EQ(with(events, {"TEAM_BEGIN"}).size(), 3);
}

TEST_F(RecordedAroundMain, openMpThatMayNotReport_isSaidWithWhatToDo) {
    if (!std::filesystem::exists(program("around_main_openmp_clang")))
        GTEST_SKIP() << "no runtime of LLVM here";
    EXPECT_THAT(said("around_main_openmp_clang", {"OMP_TOOL=disabled"}),
                HasSubstr("OMP_TOOL=disabled keeps LLVM's runtime from reporting them; unset it"));
}

TEST_F(RecordedAroundMain, openMpThatIsLinkedStatically_isSaidWithWhatToDo) {
    EXPECT_THAT(said("around_main_static"), HasSubstr("(libgomp.a): link with its shared library"));
    EXPECT_THAT(recordedEvents(directory_.path() / "run"), ::testing::SizeIs(2)) << "its threads are there";
}

/// The loader then has little room for thread-local data of what is preloaded.
TEST_F(RecordedAroundMain, programThatIsAudited_isRecorded) {
    for (const char* name : {"around_main_pool", "around_main_openmp_gcc"}) {
        const TemporaryDirectory directory;
        const auto archive = record(directory.path(), "/usr/bin/env", {}, {},
                                    {"LD_AUDIT=" HOLOS_PROGRAMS "/libauditing.so", program(name)});
        EXPECT_THAT(recordedEvents(archive), ::testing::SizeIs(2)) << name;
    }
}

}  // namespace
}  // namespace holos::testing
