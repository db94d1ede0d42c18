// SPDX-License-Identifier: BSD-3-Clause
// What is said about metrics: all that programs and people ask for, and the same in docs/metrics.md.
#include <gmock/gmock.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "analyzer/assemble/imbalance.h"
#include "analyzer/assemble/metric_catalog.h"
#include "analyzer/metric_guide.h"
#include "analyzer/patterns/list.h"

namespace holos::analyzer {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::EndsWith;

constexpr std::size_t kSteps = 20;  ///< of time in a picture

template <class Visit>
void forAll(Visit&& visit) {
    for (const assemble::Metric* metric : assemble::metricCatalog()) visit(*metric);
    for (const assemble::CauseEntry* entry : assemble::causeCatalog()) visit(*entry);
    for (const assemble::ImbalanceMetric& metric : assemble::imbalanceMetrics()) visit(metric);
}

TEST(MetricDescriptors, everyMetric_saysWhatUsersRead) {
    forAll([](const auto& metric) {
        SCOPED_TRACE(metric.uniqueName);
        EXPECT_STRNE(metric.displayName, "");
        EXPECT_THAT(metric.unit,
                    AnyOf(::testing::StrEq("sec"), ::testing::StrEq("occ"), ::testing::StrEq("bytes")));
        EXPECT_THAT(metric.description, EndsWith("."));
    });
}

TEST(MetricDescriptors, parents_standBeforeTheirChildren) {
    std::set<std::string> before;
    forAll([&](const auto& metric) {
        EXPECT_TRUE(metric.parent == nullptr || before.contains(metric.parent)) << metric.uniqueName;
        EXPECT_TRUE(before.insert(metric.uniqueName).second) << metric.uniqueName;
    });
}

TEST(MetricDescriptors, everyCollectiveOperation_hasARule) {
    for (std::size_t i = 0; i < replay::kCollectives; ++i) {
        const auto operation = static_cast<replay::Collective>(i);
        EXPECT_EQ(patterns::ruleOf(operation) == nullptr, operation == replay::Collective::Other) << i;
    }
}

TEST(MetricDescriptors, everyKindOfWaiting_hasOneDelay) {
    std::array<int, patterns::kWaitKinds> delays{};
    for (const patterns::Pattern* pattern : patterns::allPatterns())
        for (const patterns::Delay& delay : pattern->delays) ++delays[static_cast<std::size_t>(delay.kind)];
    EXPECT_THAT(delays, Each(1));
}

TEST(MetricDescriptors, pictures_haveLanesOfEqualLengthAndArrowsInside) {
    forAll([](const auto& metric) {
        if (metric.picture == nullptr) return;
        SCOPED_TRACE(metric.uniqueName);
        bool waits = false;
        for (const algebra::Lane& lane : metric.picture->lanes) {
            const std::string time(lane.time);
            EXPECT_EQ(time.size(), kSteps) << lane.who;
            EXPECT_EQ(time.find_first_not_of("-d=# "), std::string::npos) << lane.who;
            waits = waits || time.find('#') != std::string::npos;
        }
        EXPECT_TRUE(waits);
        for (const algebra::Arrow& arrow : metric.picture->arrows)
            for (const auto& [lane, step] :
                 {std::pair{arrow.fromLane, arrow.from}, {arrow.toLane, arrow.to}}) {
                EXPECT_LT(static_cast<std::size_t>(lane), metric.picture->lanes.size());
                EXPECT_LE(static_cast<std::size_t>(step), kSteps);
            }
    });
}

TEST(MetricGuide, waitStates_haveMeaningAndPicture) {
    const algebra::MetricGuide& guide = metricGuide();
    EXPECT_TRUE(guide.isWaitState("mpi_latesender"));
    EXPECT_FALSE(guide.isWaitState("time"));
    EXPECT_FALSE(guide.isWaitState("no metric"));
    EXPECT_EQ(guide.find("no metric"), nullptr);
    EXPECT_EQ(guide.pictureOf("time"), nullptr);
    EXPECT_NE(guide.pictureOf("delay_latesender"), nullptr);
    EXPECT_EQ(guide.pictureOf("delay_latesender_longterm"), guide.pictureOf("delay_latesender"));
    forAll([&](const auto& metric) {
        EXPECT_TRUE(!guide.isWaitState(metric.uniqueName) || metric.picture != nullptr) << metric.uniqueName;
    });
}

/// The names in the manual's page, which stand between backticks.
std::set<std::string> namesInPage() {
    std::ifstream file(std::filesystem::path(HOLOS_DOCS) / "metrics.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    static const std::regex kName("`([a-z0-9_]+)`");
    std::set<std::string> names;
    for (std::sregex_iterator match(page.begin(), page.end(), kName), end; match != end; ++match)
        names.insert((*match)[1]);
    return names;
}

TEST(MetricsPage, whatPatternsMeasureAndWhatDelaysCost_isThere) {
    const std::set<std::string> page = namesInPage();
    ASSERT_THAT(page, Contains("time"));
    for (const patterns::Pattern* pattern : patterns::allPatterns()) {
        for (const patterns::Metric* metric : pattern->metrics)
            EXPECT_THAT(page, Contains(metric->uniqueName));
        for (const patterns::Delay& delay : pattern->delays) EXPECT_THAT(page, Contains(delay.uniqueName));
    }
}

}  // namespace
}  // namespace holos::analyzer
