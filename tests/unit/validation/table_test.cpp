// SPDX-License-Identifier: BSD-3-Clause
// Validations as tables and as experiments.
#include "validation/kept_validation.h"

#include <gmock/gmock.h>

#include "algebra/model/queries.h"
#include "base/error.h"
#include "tests/support/small_experiment.h"

namespace holos::validation {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Validation example() {
    Validation validation;
    validation.machine = {{"Processor", "Test 1"}};
    validation.suites = {{"page-faults", "page-writes", 0, {{1, 3, 2, 0.5}, {10, 3, 11, 0}}},
                         {"page-faults", "page-writes", 1, {{10, 3, 12, 0}}}};
    validation.reads = {{"page-faults", 300, {0, 3, 0.25, 0.1}}};
    return validation;
}

std::string errorOf(const std::string& table) {
    try {
        readTable("event,microbenchmark,processor,predicted,runs,mean,deviation,nanoseconds\n" + table,
                  "t.csv");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(ValidationTable, writtenAndRead_isTheSame) {
    const Validation read = readTable(tableOf(example()), "t.csv");
    EXPECT_EQ(read.machine, example().machine);
    EXPECT_EQ(read.suites, example().suites);
    EXPECT_EQ(read.reads, example().reads);
}

TEST(ValidationTable, damagedLines_areErrorsWithTheirPlace) {
    EXPECT_THAT(errorOf("a,b,0,1,1,1\n"), AllOf(HasSubstr("t.csv:2"), HasSubstr("8 fields")));
    EXPECT_THAT(errorOf("a,b,0,1,1,x,0,\n"), HasSubstr("field 6"));
    EXPECT_THAT(errorOf("a,b,0,1,1,-1,0,\n"), HasSubstr("field 6"));
    EXPECT_THAT(errorOf("a,b,0,1,1.5,1,0,\n"), HasSubstr("no count"));
    EXPECT_THAT(errorOf(",b,0,1,1,1,0,\n"), HasSubstr("field 1 is empty"));
    EXPECT_THAT(errorOf(""), HasSubstr("no case"));
    EXPECT_THROW(readTable("something else\n", "t.csv"), Error);
}

TEST(ValidationExperiment, hasCountsPerCaseAndProcessorAndTheirDifference) {
    const algebra::Experiment experiment = asExperiment(example());
    const std::string path = "page-faults/page-writes/10";
    EXPECT_THAT(testing::valuesAt(experiment, "PREDICTED", path), ElementsAre(10, 10));
    EXPECT_THAT(testing::valuesAt(experiment, "REPORTED", path), ElementsAre(11, 12));
    EXPECT_THAT(testing::valuesAt(experiment, "EXCESS", path), ElementsAre(1, 2));
    EXPECT_THAT(testing::valuesAt(experiment, "READ_TIME", "page-faults/reading"), ElementsAre(300, 0));
    // 1 + 1 + 2 events too many of 1 + 10 + 10.
    const algebra::MetricId difference = testing::findShown(experiment, "DIFFERENCE");
    EXPECT_NEAR(algebra::aggregate(experiment, {difference, algebra::Extent::Inclusive}), 100.0 * 4 / 21,
                1e-9);
}

}  // namespace
}  // namespace holos::validation
