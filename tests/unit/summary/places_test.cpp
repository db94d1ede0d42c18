// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "algebra/insight/summary/measures.h"
#include "algebra/insight/summary/words.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

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

}  // namespace
}  // namespace holos::algebra
