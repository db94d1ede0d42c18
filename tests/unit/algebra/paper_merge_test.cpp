// SPDX-License-Identifier: BSD-3-Clause
// The KOJAK paper's UltraSPARC campaign: 32 experiments of two counters each become one.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "algebra/operators/derive/derive.h"
#include "algebra/operators/merge.h"
#include "metric-specs/library.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::SmallExperiment;
using holos::testing::valuesAt;
using ::testing::ElementsAre;

/// What an event counts in the second thread of `main/work`: made up so that hits exceed misses.
double countOf(const std::string& event) {
    const std::map<std::string, double> counts{{"Cycle_cnt", 100000},
                                               {"Instr_cnt", 40000},
                                               {"DC_rd", 9000},
                                               {"DC_rd_miss", 900},
                                               {"DC_wr", 5000},
                                               {"DC_wr_miss", 400},
                                               {"EC_rd_miss", 60},
                                               {"EC_misses", 100},
                                               {"EC_ic_miss", 7},
                                               {"IC_ref", 12000},
                                               {"IC_miss", 50},
                                               {"IU_Stat_Br_count_taken", 3000},
                                               {"IU_Stat_Br_count_untaken", 2000},
                                               {"IU_Stat_Br_miss_taken", 90},
                                               {"IU_Stat_Br_miss_untaken", 40}};
    const auto found = counts.find(event);
    return found == counts.end() ? 10 : found->second;
}

std::vector<Experiment> campaign() {
    const specs::Specification specification = specs::find("ultrasparc3");
    std::vector<Experiment> experiments;
    for (const specs::MeasurementSet& set : specification.sets) {
        SmallExperiment builder;
        for (const std::string& event : set.events)
            builder.counter(event, {{"main", {1, 1}}, {"main/work", {0, countOf(event)}}});
        experiments.push_back(derive(builder.take(), specification));
    }
    return experiments;
}

Inputs inputs(const std::vector<Experiment>& experiments) {
    return Inputs(experiments.begin(), experiments.end());
}

std::vector<std::string> incompleteMetrics(const Experiment& experiment) {
    std::vector<std::string> names;
    for (const MetricId id : experiment.metrics.ids())
        if (experiment.metrics[id].incomplete) names.push_back(experiment.metrics[id].displayName);
    std::sort(names.begin(), names.end());
    return names;
}

class UltrasparcCampaign : public ::testing::Test {
  protected:
    static double valueAt(const Experiment& experiment, const std::string& metric) {
        return valuesAt(experiment, metric, "main/work").at(1);
    }
};

TEST_F(UltrasparcCampaign, thirtyTwoExperiments_becomeTheCompleteHierarchy) {
    const std::vector<Experiment> experiments = campaign();
    ASSERT_EQ(experiments.size(), 32U);
    const Experiment merged = merge(inputs(experiments));
    // The paper's set US3_ITL and US3_DTL show these with `~`, too: no counter counts hits of the
    // translation.
    EXPECT_THAT(incompleteMetrics(merged),
                ElementsAre("~DATA_TLB_ACCESS", "~INST_TLB_ACCESS", "~TLB_ACCESS"));
    EXPECT_EQ(valueAt(merged, "CYCLES"), 100000);
    EXPECT_EQ(valueAt(merged, "DATA_LOAD_FROM_L1$"), 8100);
    EXPECT_EQ(valueAt(merged, "DATA_STORE_INTO_L1$"), 4600);
    EXPECT_EQ(valueAt(merged, "DATA_LOAD_FROM_L2$"), 840);
    EXPECT_EQ(valueAt(merged, "DATA_STORE_INTO_MEM"), 33);  // 100 - 60 - 7
    EXPECT_EQ(valueAt(merged, "DATA_ACCESS"), 8100 + 4600 + 840 + 400 + 33 + 60);
    EXPECT_EQ(valueAt(merged, "INST_HIT_L2$"), 43);
    EXPECT_EQ(valueAt(merged, "BRANCH_PRED_TAKEN"), 2910);
    EXPECT_EQ(valueAt(merged, "BRANCH"), 5000);
    EXPECT_EQ(valueAt(merged, "DISPATCH"), 50);  // five counters of ten
    EXPECT_EQ(valueAt(merged, "MC_STALLS"), 40);
}

TEST_F(UltrasparcCampaign, orderOfMerging_doesNotMatter) {
    std::vector<Experiment> experiments = campaign();
    const Experiment forwards = merge(inputs(experiments));
    std::reverse(experiments.begin(), experiments.end());
    const Experiment backwards = merge(inputs(experiments));
    EXPECT_EQ(holos::testing::canonicalValues(forwards), holos::testing::canonicalValues(backwards));
}

TEST_F(UltrasparcCampaign, mergingInTwoSteps_givesTheSame) {
    const std::vector<Experiment> all = campaign();
    const Experiment first = merge(Inputs(all.begin(), all.begin() + 20));
    const Experiment second = merge(Inputs(all.begin() + 20, all.end()));
    const Experiment stepwise = merge({first, second});
    const Experiment atOnce = merge(inputs(all));
    EXPECT_EQ(valueAt(stepwise, "DATA_ACCESS"), valueAt(atOnce, "DATA_ACCESS"));
    EXPECT_EQ(valueAt(stepwise, "BRANCH"), valueAt(atOnce, "BRANCH"));
    EXPECT_EQ(incompleteMetrics(stepwise), incompleteMetrics(atOnce));
}

}  // namespace
}  // namespace holos::algebra
