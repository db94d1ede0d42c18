// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/plain.h"

#include <gmock/gmock.h>

#include "algebra/model/metric_values.h"
#include "tests/unit/algebra/sample_experiment.h"

namespace holos::algebra {
namespace {

using testing::addDerivedMetric;
using testing::addSampleMetric;
using ::testing::ElementsAre;
using testing::sampleStructure;

Experiment withFormulas() {
    Experiment experiment = sampleStructure();
    addSampleMetric(experiment, "loads", 1);
    addSampleMetric(experiment, "stores", 2, Storage::Inclusive);
    addDerivedMetric(experiment, "accesses", Storage::PreDerivedExclusive,
                     "metric::loads() + metric::stores()");
    addDerivedMetric(experiment, "ratio", Storage::PostDerived, "metric::loads() / metric::stores()");
    experiment.files[kSpecificationFile] = "ratio r = loads / stores";
    return experiment;
}

/// The sample has two roots, above which there is one then.
CallPathId below(CallPathId path) {
    return CallPathId(path.index() + 1);
}

TEST(PlainExperiment, severalRoots_standBelowOne) {
    const Experiment before = withFormulas();
    const Experiment made = plain(before).experiment;
    EXPECT_EQ(made.regionOf(CallPathId(0)).name, "PROGRAM");
    EXPECT_EQ(made.callTree.size(), before.callTree.size() + 1);
    for (const CallPathId path : before.callTree.ids()) {
        EXPECT_EQ(made.regionOf(below(path)).name, before.regionOf(path).name);
        const auto parent = before.callTree.parent(path);
        EXPECT_EQ(made.callTree.parent(below(path)), parent ? below(*parent) : CallPathId(0));
    }
}

TEST(PlainExperiment, expression_isReplacedByItsValues) {
    const Experiment before = withFormulas();
    const Plain made = plain(before);
    EXPECT_THAT(made.evaluated, ElementsAre("accesses"));
    const MetricId accesses = *made.experiment.findMetric("accesses");
    EXPECT_EQ(made.experiment.metrics[accesses].storage, Storage::Exclusive);
    EXPECT_EQ(made.experiment.metrics[accesses].expression, "");
    for (const CallPathId path : before.callTree.ids())
        for (std::size_t at = 0; at < before.system.locations.size(); ++at)
            EXPECT_EQ(
                made.experiment.severities.table(accesses).at(below(path), LocationId(at)),
                MetricValues(before, {}).everywhere(*before.findMetric("accesses")).at(path, LocationId(at)));
}

TEST(PlainExperiment, ratio_isLeftOutAndNamed_andStoredMetricsStay) {
    const Experiment before = withFormulas();
    const Plain made = plain(before);
    EXPECT_THAT(made.leftOut, ElementsAre("ratio"));
    EXPECT_EQ(made.experiment.metrics.size(), 3U);
    const MetricId stores = *made.experiment.findMetric("stores");
    EXPECT_EQ(made.experiment.metrics[stores].storage, Storage::Inclusive);
    EXPECT_EQ(made.experiment.severities.table(stores).at(below(CallPathId(1)), LocationId(2)),
              2 * (10 + 2 + 1));
    EXPECT_FALSE(made.experiment.files.contains(kSpecificationFile));
}

TEST(PlainExperiment, metricBelowOneThatIsLeftOut_standsOnItsOwn) {
    Experiment before = sampleStructure();
    addSampleMetric(before, "loads", 1);
    const MetricId ratio = addDerivedMetric(before, "ratio", Storage::PostDerived, "metric::loads() / 2");
    Metric below;
    below.uniqueName = "below";
    before.severities.set(before.metrics.add(below, ratio), before.newTable());
    const Plain made = plain(before);
    EXPECT_FALSE(made.experiment.metrics.parent(*made.experiment.findMetric("below")));
}

}  // namespace
}  // namespace holos::algebra
