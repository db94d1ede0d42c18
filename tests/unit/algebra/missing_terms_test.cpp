// SPDX-License-Identifier: BSD-3-Clause
// What would complete an incomplete composition.
#include "algebra/insight/findings/missing_terms.h"

#include <gmock/gmock.h>

#include "algebra/operators/derive/derive.h"
#include "metric-specs/specification.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::SmallExperiment;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kMemory = R"(
compose ACCESS = NEAR + FAR
compose FAR = REMOTE + DISK
measure NEAR = near_loads
measure REMOTE = remote_loads
aggroup ALL = near_loads
aggroup SLOW = remote_loads DISK
aggroup ONE = remote_loads
)";

/// Only the near loads were counted, and what is in `also`.
std::optional<MissingTerms> missingIn(const std::string& specification, const std::string& also = {}) {
    SmallExperiment build;
    build.counter("near_loads", {{"main", {1, 2}}});
    if (!also.empty()) build.counter(also, {{"main", {1, 2}}});
    const Experiment experiment = derive(build.take(), specs::parse(specification, "memory.spec"));
    for (const MetricId id : experiment.metrics.ids())
        if (experiment.metrics[id].displayName.ends_with("ACCESS")) return missingTerms(experiment, id);
    return std::nullopt;
}

TEST(MissingTerms, incompleteComposition_isFollowedDownToEvents) {
    const auto missing = missingIn(kMemory);
    ASSERT_TRUE(missing);
    EXPECT_THAT(missing->events, ElementsAre("remote_loads", "DISK"));
    EXPECT_THAT(missing->sets, ElementsAre("SLOW"));  // one set rather than two
    EXPECT_THAT(missing->uncovered, IsEmpty());
    EXPECT_EQ(missingTermsText(*missing),
              "without remote_loads and DISK; the measurement set SLOW counts what is missing");
}

TEST(MissingTerms, measuredTerms_areNotMissing) {
    const auto missing = missingIn(kMemory, "remote_loads");
    ASSERT_TRUE(missing);
    EXPECT_THAT(missing->events, ElementsAre("DISK"));
}

TEST(MissingTerms, eventOfNoSet_isNamed) {
    const auto missing = missingIn("compose ACCESS = near_loads + FAR + DEEP\naggroup A = FAR\n");
    ASSERT_TRUE(missing);
    EXPECT_EQ(missingTermsText(*missing),
              "without FAR and DEEP; the measurement set A counts all of it but DEEP");
    EXPECT_EQ(missingTermsText(*missingIn("compose ACCESS = near_loads + FAR\n")),
              "without FAR, which no measurement set counts");
}

TEST(MissingTerms, completeOrUnspecified_sayNothing) {
    EXPECT_FALSE(missingIn("compose ACCESS = near_loads + FAR\n", "FAR"));
    Experiment experiment = SmallExperiment().counter("x", {{"main", {1, 2}}}).take();
    experiment.metrics[MetricId(0)].incomplete = true;
    EXPECT_FALSE(missingTerms(experiment, MetricId(0)));
    experiment.files[kSpecificationFile] = "compose = = nonsense";
    EXPECT_FALSE(missingTerms(experiment, MetricId(0)));
}

}  // namespace
}  // namespace holos::algebra
