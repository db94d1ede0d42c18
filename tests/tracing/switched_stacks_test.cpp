// SPDX-License-Identifier: BSD-3-Clause
// Threads that run on several stacks in turn, and coroutines, which need none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"
#include "tests/tracing/recorded_paths.h"

namespace holos::testing {
namespace {

using Visits = std::map<std::string, double>;
using Names = std::set<std::string>;

/// Of the program's regions, by those of its functions that led there.
Visits visitsOf(const std::string& program, const Names& functions) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/" + program);
    EXPECT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    return visitsByNames(algebra::readCubex(archive / "analysis.cubex"), "user", functions);
}

const std::string kOwn = "(anonymous namespace)::";

class SwitchedStacks : public ::testing::TestWithParam<const char*> {};

/// `programs/switched_stacks.cpp`: on stacks of which nobody knows where they end, callers are unknown; those
/// on the thread's own are as they were.
TEST_P(SwitchedStacks, ofEachStack_callersAreThoseOrUnknown) {
    if (!std::filesystem::exists(std::string(HOLOS_PROGRAMS "/") + GetParam()))
        GTEST_SKIP() << "no Boost.Fiber here";
    const std::string all = kOwn + "runAll()/";
    const std::string fibers = all + kOwn + "runFibers(void (*)(), void (*)())/";
    const std::string thread = kOwn + "onThread()/thread";
    const std::string other = "UNKNOWN CALLERS/" + kOwn;
    Visits expected;
    for (const std::string outermost : {"main/", ""}) {
        expected[outermost + all + kOwn + "switchContexts()/" + thread] = 3;
        expected[outermost + all + kOwn + "resumeCoroutines()/" + thread] = 2;
        expected[outermost + fibers + thread] = 4;
        expected[outermost + all + thread] = 1;
        expected[other + "inContext()/context"] += 3;
        expected[other + "inCoroutine()/coroutine"] += 5;
        expected[other + "inFiber()/fiber"] += 4;
        // Regions of one thread that are not nested end together; nobody knows what led to the second one.
        expected[other + "beginFirst()/first"] += 1;
        expected[other + "beginFirst()/first/" + other + "beginSecond()/second"] += 1;
    }
    Names functions{"main", "UNKNOWN CALLERS"};
    for (const char* name :
         {"runAll()", "switchContexts()", "resumeCoroutines()", "runFibers(void (*)(), void (*)())",
          "onThread()", "inContext()", "inCoroutine()", "inFiber()", "beginFirst()", "beginSecond()"})
        functions.insert(kOwn + name);
    EXPECT_EQ(visitsOf(GetParam(), functions), expected);
}

INSTANTIATE_TEST_SUITE_P(Programs, SwitchedStacks,
                         ::testing::Values("switched_stacks", "switched_stacks_optimised"),
                         [](const auto& instance) { return std::string(instance.param); });

/// `programs/coroutines.cpp`.
TEST(RecordedCoroutines, standBelowWhoResumesThem) {
    const std::string first = kOwn + "first(" + kOwn + "Steps const&)";
    const std::string second = kOwn + "second(" + kOwn + "Steps const&)";
    const std::string step = kOwn + "step()";
    const Visits expected{{"main/" + first + '/' + step + "/step", 1},
                          {"main/" + second + '/' + step + "/step", 1}};
    EXPECT_EQ(visitsOf("coroutines", {"main", "UNKNOWN CALLERS", first, second, step}), expected);
}

}  // namespace
}  // namespace holos::testing
