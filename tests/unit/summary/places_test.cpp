// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/summary.h"
#include "algebra/insight/summary/words.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::HasSubstr;

/// main: step (fluxes, update), output.
CallTree tree() {
    CallTree made;
    const CallPathId main = made.add({});
    const CallPathId step = made.add({}, main);
    made.add({}, step);
    made.add({}, step);
    made.add({}, main);
    return made;
}

std::vector<std::size_t> placesIn(const std::vector<double>& values, double least) {
    std::vector<std::size_t> found;
    for (const Place& place : placesOf(tree(), values, least)) found.push_back(place.path.index());
    return found;
}

TEST(Places, valueInOneCallPath_isThere) {
    EXPECT_EQ(placesIn({0, 0, 0, 9, 1}, 2), std::vector<std::size_t>{3});
}

TEST(Places, valueInSmallParts_isWhereTheyAreCalled) {
    EXPECT_EQ(placesIn({0, 1, 1.5, 1.5, 0}, 2), std::vector<std::size_t>{1});
}

TEST(Places, severalLargeOnes_largestFirst) {
    EXPECT_EQ(placesIn({0, 0, 3, 9, 5}, 2), (std::vector<std::size_t>{3, 4, 2}));
}

TEST(Places, restOfTheCaller_isAPlaceWhereItIsAsMuch) {
    EXPECT_EQ(placesIn({2.5, 0, 3, 0, 0}, 2), (std::vector<std::size_t>{2, 0}));
    EXPECT_EQ(placesIn({1.5, 0, 3, 0, 0}, 2), std::vector<std::size_t>{2});
}

TEST(Places, nothing_isNowhere) {
    EXPECT_TRUE(placesIn({0, 0, 0, 0, 0}, 0).empty());
}

/// A path in which functions that begin with `std::` are of the C++ library.
std::string textOf(const std::string& path) {
    testing::SmallExperiment build(1, 1);
    build.metric(testing::seconds("time"), "", {{path, {1}}});
    Experiment experiment = build.take();
    for (Region& region : experiment.regions) {
        if (region.name == "THREADS") region.module.clear();
        if (region.name.starts_with("std::")) region.module = "/usr/include/c++/12/bits/std_thread.h";
    }
    return pathText(experiment, testing::findPath(experiment, path));
}

TEST(PathText, functionsOfTheCppLibrary_areLeftOut) {
    EXPECT_EQ(textOf("app/main/f/std::lock/std::mutex::lock()/pthread_mutex_lock"),
              "app › main › f › std::lock › … › pthread_mutex_lock");
    EXPECT_EQ(textOf("app/THREADS/std::_State/std::__invoke/work/step"), "app › THREADS › … › work › step");
    EXPECT_EQ(textOf("app/THREADS/std::_State"), "app › THREADS › std::_State");
    EXPECT_EQ(textOf("a/b/c/d/e/f"), "… › b › c › d › e › f");
}

/// A lambda has no name of its own; the library's functions that call it are made for it.
TEST(PathText, lambda_isNamedAfterTheFunctionInWhichItStands) {
    EXPECT_EQ(
        textOf("app/THREADS/std::thread::_State_impl<std::tuple<n::f(int, g<2>)::{lambda(int)#2}, int> >/"
               "std::__invoke/operator()(int) const"),
        "app › THREADS › … › n::f(int, g<2>)::{lambda(int)#2}");
    EXPECT_EQ(textOf("app/main/operator()(int) const"), "app › main › operator()(int) const");
}

/// Rank 1 sleeps in two functions before it calls MPI again, and rank 0 waits for that in a send: this is one
/// problem.
TEST(SeveralPlaces, ofSleepBeforeMpiIsCalledAgain_gainWhatAllBring) {
    const testing::SmallExperiment::Rows asleep{{"main/read/usleep", {0, 3}}, {"main/write/usleep", {0, 1}}};
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "",
                 {{"main", {6, 6}}, asleep[0], asleep[1], {"main/MPI_Send", {4, 0}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {6, 6}}});
    build.metric(testing::seconds("system_waiting"), "time", asleep);
    build.metric(testing::seconds("mpi_lateprogress"), "time", {{"main/MPI_Send", {4, 0}}});
    build.metric(testing::seconds("delay"), "", asleep);
    build.metric(testing::seconds("delay_lateprogress_aggregate"), "delay", asleep);
    const auto summary = summarize(build.take());
    ASSERT_EQ(summary->problems.size(), 1U);
    const Problem& problem = summary->problems.front();
    EXPECT_DOUBLE_EQ(problem.cost, 4);
    EXPECT_DOUBLE_EQ(problem.gain.value(), 4);
    EXPECT_THAT(problem.who, HasSubstr("4.00 s"));
}

/// Two processes: the second one waits for 4 s that the first one sleeps, 3 of them in a function that the
/// other one calls, and that sleeps, too.
TEST(SeveralPlaces, thatCallEachOther_gainWhatBothBring) {
    testing::SmallExperiment build(2, 1);
    build.barriers({.work = {{"main", {5, 5}}},
                    .sleep = {{"main/save", {1.5, 0.5}}, {"main/save/write", {3.5, 0.5}}},
                    .waits = {{"main/MPI_Barrier", {0, 4}}},
                    .delays = {{"main/save", {1, 0}}, {"main/save/write", {3, 0}}}});
    std::vector<Problem> problems = summarize(build.take())->problems;
    std::erase_if(problems, [](const Problem& problem) { return problem.kind == "sleep"; });  // what both do
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_THAT(problems.front().who, HasSubstr("takes 5.00 s, the other one 1.00 s"));
    EXPECT_NEAR(problems.front().cost, 4, 1e-9);
    EXPECT_NEAR(problems.front().gain.value(), 4, 1e-9);
}

}  // namespace
}  // namespace holos::algebra
