// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/only.h"

#include <gmock/gmock.h>

#include "algebra/model/communication.h"
#include "algebra/model/queries.h"
#include "algebra/model/wait_files.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/error.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::SmallExperiment;
using holos::testing::valuesAt;
using ::testing::ElementsAre;

/// Inclusive sums: main 36, main/f 26, main/f/g 8, main/f/h 8, main/g 8.
Experiment program() {
    return SmallExperiment(2, 1)
        .counter("e", {{"main", {1, 1}},
                       {"main/f", {4, 6}},
                       {"main/f/g", {3, 5}},
                       {"main/f/h", {8, 0}},
                       {"main/g", {2, 6}}})
        .take();
}

/// By the name of the callee.
std::vector<bool> callsOf(const Experiment& experiment, const std::string& name) {
    std::vector<bool> calls;
    for (const CallPathId path : experiment.callTree.ids())
        calls.push_back(experiment.regionOf(path).name == name);
    return calls;
}

std::string nameOf(const Experiment& experiment, std::size_t location) {
    const Location& place = experiment.system.locations[location];
    return experiment.system[place.process].name + " / " + place.name;
}

TEST(Only, someCallPaths_keepTheirValuesAndTheirCallersNames) {
    const Experiment whole = program();
    const Experiment part = only(program(), {.callPaths = callsOf(whole, "g"), .name = "calls of g"});
    EXPECT_THAT(valuesAt(part, "e", "main/f/g"), ElementsAre(3, 5));
    EXPECT_THAT(valuesAt(part, "e", "main/g"), ElementsAre(2, 6));
    EXPECT_EQ(part.callTree.size(), 4U) << "h is gone; main and f are callers";
    EXPECT_EQ(aggregate(part, {*part.findMetric("e")}), 16.0);
    EXPECT_EQ(partOfRun(part), "calls of g");
}

TEST(Only, someLocations_keepTheirValuesAndTheirPlaces) {
    const Experiment whole = program();
    const Experiment part = only(program(), {.locations = {false, true}, .name = "one"});
    ASSERT_EQ(part.system.locations.size(), 1U);
    EXPECT_EQ(nameOf(part, 0), nameOf(whole, 1));
    EXPECT_THAT(valuesAt(part, "e", "main/f/g"), ElementsAre(5));
    EXPECT_EQ(aggregate(part, {*part.findMetric("e")}), 18.0);
    EXPECT_EQ(part.callTree.size(), whole.callTree.size());
}

TEST(Only, rangeAndPart_areBothNamed) {
    Experiment range = program();
    range.attributes.emplace_back(kRangeAttribute, "0.25 1.5");
    EXPECT_EQ(partOfRun(only(std::move(range), {.locations = {true, false}, .name = "one"})),
              "0.25 s to 1.5 s, one");
}

TEST(Only, everything_changesNothing) {
    EXPECT_FALSE(partOfRun(only(program(), {})));
}

TEST(Only, nothing_isRefused) {
    EXPECT_THROW(only(program(), {.locations = {false, false}}), Error);
    EXPECT_THROW(only(program(), {.callPaths = std::vector<bool>(5, false)}), Error);
}

TEST(Only, longestWaits_areThoseOfThePart) {
    Experiment whole = program();
    const std::string heading = "metric\twait\tbegin\tlocation\tawaited\tcall_path\n";
    const std::string first = "e\t2\t1\t" + nameOf(whole, 0) + "\t\tmain/g\n";
    const std::string second = "e\t1\t1\t" + nameOf(whole, 1) + "\t\tmain/f/g\n";
    whole.files[kInstancesFile] = heading + first + second;
    whole.files[kWaitCourseFile] = "of the whole run";
    const std::vector<bool> f = callsOf(whole, "f");
    Experiment other = program();
    other.files = whole.files;
    const Experiment part = only(std::move(whole), {.locations = {false, true}, .name = "one"});
    EXPECT_EQ(part.files.at(kInstancesFile), heading + second);
    EXPECT_FALSE(part.files.contains(kWaitCourseFile));
    EXPECT_EQ(only(std::move(other), {.callPaths = f, .name = "f"}).files.at(kInstancesFile), heading);
}

TEST(Only, messages_areThoseBetweenProcessesThatStay) {
    const auto withMessages = [] {
        Experiment whole = program();
        whole.files[kCommunicationFile] =
            communicationText({{.sender = ProcessId(0), .receiver = ProcessId(1), .messages = 3},
                               {.sender = ProcessId(1), .receiver = ProcessId(1), .messages = 1}});
        return whole;
    };
    ASSERT_EQ(withMessages().system.processes.size(), 2U);
    const auto traffic = communicationOf(only(withMessages(), {.locations = {false, true}, .name = "one"}));
    ASSERT_EQ(traffic.size(), 1U);
    EXPECT_EQ(traffic.front().sender, ProcessId(0)) << "the second process is the first one now";
    EXPECT_EQ(traffic.front().messages, 1.0);
    const Experiment calls = only(withMessages(), {.callPaths = callsOf(program(), "g"), .name = "g"});
    EXPECT_FALSE(calls.files.contains(kCommunicationFile)) << "who sent in which call path is not known";
}

}  // namespace
}  // namespace holos::algebra
