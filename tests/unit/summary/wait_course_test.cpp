// SPDX-License-Identifier: BSD-3-Clause
// How waiting is spread over a run.
#include "algebra/model/wait_files.h"

#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

/// Rank 1 waits for 4 from tick 12 on, and for 2 from tick 50 on; the run ends at 99, so that a part has 5.
Findings twoWaits(unsigned workers) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(16, 17, {.peer = 1}).send(52, 53, {.peer = 1}).leave(99);
    trace.on(1).enter(0, "main").recv(12, 17, {.peer = 0}).recv(50, 53, {.peer = 0}).leave(99);
    return Findings(trace, workers);
}

TEST(WaitCourse, waits_countInThePartInWhichTheyBegin) {
    const auto courses = algebra::waitCoursesOf(twoWaits(1).result().experiment);
    ASSERT_EQ(courses.size(), 1U);
    EXPECT_EQ(courses.front().metric, "mpi_latesender");
    for (std::size_t part = 0; part < algebra::kCourseParts; ++part)
        EXPECT_NEAR(courses.front().seconds[part],
                    part == 2    ? 0.004
                    : part == 10 ? 0.002
                                 : 0,
                    kExact)
            << part;
    for (std::size_t part = 0; part < algebra::kCourseParts; ++part)
        EXPECT_EQ(courses.front().waits.at(part), part == 2 || part == 10 ? 1 : 0) << part;
    EXPECT_EQ(courses.front().typical, courses.front().seconds);  // of one wait
}

TEST(WaitCourse, anyNumberOfWorkers_sameText) {
    const auto textOf = [](const Findings& found) {
        return found.result().experiment.files.at(algebra::kWaitCourseFile);
    };
    EXPECT_EQ(textOf(twoWaits(1)), textOf(twoWaits(3)));
}

TEST(WaitCourse, runWithoutWaits_hasNone) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").leave(10);
    EXPECT_FALSE(Findings(trace).result().experiment.files.contains(algebra::kWaitCourseFile));
}

TEST(WaitCourse, linesThatAreNone_arePassedOver) {
    algebra::Experiment experiment;
    const std::string good =
        algebra::waitCourseText({{"m", std::vector<double>(algebra::kCourseParts, 0.25), {}, {}}});
    experiment.files[algebra::kWaitCourseFile] =
        "m\t1\t2\n\nx\t" + std::string(200, '9') + "\n" + good + "m\tnan";
    const auto courses = algebra::waitCoursesOf(experiment);
    ASSERT_EQ(courses.size(), 1U);
    EXPECT_EQ(courses.front().seconds, std::vector<double>(algebra::kCourseParts, 0.25));
    EXPECT_TRUE(courses.front().waits.empty());  // as older experiments have them
}

}  // namespace
}  // namespace holos::testing
