// SPDX-License-Identifier: BSD-3-Clause
// What is said of the differences between runs that stand beside each other on a page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/differences.h"
#include "tests/support/small_experiment.h"

namespace holos::report {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// One process waits for so long of its 10 s.
algebra::Experiment waiting(const std::string& program, double seconds) {
    testing::SmallExperiment build(1, 1);
    const std::string call = program + "/MPI_Recv";
    build.metric(testing::seconds("time"), "", {{program, {9 - seconds}}, {call, {1 + seconds}}});
    build.metric(testing::seconds("mpi"), "time", {{call, {1 + seconds}}});
    build.metric(testing::seconds("mpi_latesender"), "mpi", {{call, {seconds}}});
    return build.take();
}

std::vector<std::string> differencesBetween(algebra::Experiment first, algebra::Experiment second) {
    std::vector<Subject> subjects;
    subjects.push_back({"A", std::move(first)});
    subjects.push_back({"B", std::move(second)});
    return differencesOf(Subjects(std::move(subjects)));
}

TEST(DifferenceWords, callThatWaitsInOneRunOnly_isNamed) {
    EXPECT_THAT(differencesBetween(waiting("old", 0), waiting("old", 0.4)),
                Contains(HasSubstr("MPI_Recv waits on B and not on A")));
}

/// It has the same call, by another path: neither of them waits less there.
TEST(DifferenceWords, callPathOfAnotherProgram_isNotComparedWithNothing) {
    EXPECT_THAT(differencesBetween(waiting("old", 0.4), waiting("new", 0.4)), IsEmpty());
}

}  // namespace
}  // namespace holos::report
