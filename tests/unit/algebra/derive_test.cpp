// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/derive/derive.h"

#include <gmock/gmock.h>

#include <cmath>

#include "algebra/model/queries.h"
#include "algebra/operators/history/metric_names.h"
#include "algebra/operators/history/recorded_run.h"
#include "base/error.h"
#include "metric-specs/specification.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::findShown;
using holos::testing::metricTree;
using holos::testing::SmallExperiment;
using holos::testing::valuesAt;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kFaults = R"(
compose PAGE_FAULTS = MINOR_FAULTS + MAJOR_FAULTS
measure PAGE_FAULTS = page-faults
measure MINOR_FAULTS = minor-faults
measure MAJOR_FAULTS = major-faults
compute EXCESS$ = MINOR_FAULTS - 2 * MAJOR_FAULTS
unit PAGE_FAULTS = faults
)";

Experiment derived(SmallExperiment builder, const std::string& text = kFaults) {
    return derive(builder.take(), specs::parse(text, "test.spec"));
}

SmallExperiment minorOnly() {
    return std::move(SmallExperiment().counter("minor-faults", {{"main", {1, 2}}, {"main/work", {3, 4}}}));
}

SmallExperiment both() {
    return std::move(minorOnly().counter("major-faults", {{"main", {10, 0}}}));
}

TEST(Derive, missingTerm_leavesCompositionIncomplete) {
    const Experiment result = derived(minorOnly());
    EXPECT_EQ(metricTree(result), "~PAGE_FAULTS(MINOR_FAULTS)");
    const Metric& metric = result.metrics[findShown(result, "~PAGE_FAULTS")];
    EXPECT_TRUE(metric.incomplete);
    EXPECT_EQ(metric.origin, Origin::Composed);
    EXPECT_EQ(metric.uniqueName, "PAGE_FAULTS");
    EXPECT_EQ(metric.unit, "faults");
    EXPECT_EQ(metric.valueType, ValueType::UInt64);
    EXPECT_THAT(valuesAt(result, "~PAGE_FAULTS", "main/work"), ElementsAre(3, 4));
}

TEST(Derive, allTerms_completeComposition) {
    const Experiment result = derived(both());
    EXPECT_EQ(metricTree(result), "PAGE_FAULTS(MINOR_FAULTS,MAJOR_FAULTS) EXCESS$");
    EXPECT_THAT(valuesAt(result, "PAGE_FAULTS", "main"), ElementsAre(11, 2));
    EXPECT_THAT(valuesAt(result, "PAGE_FAULTS", "main/work"), ElementsAre(3, 4));
}

TEST(Derive, computation_isEvaluatedPerCallPathAndLocation) {
    const Experiment result = derived(both());
    EXPECT_THAT(valuesAt(result, "EXCESS$", "main"), ElementsAre(-19, 2));
    EXPECT_THAT(valuesAt(result, "EXCESS$", "main/work"), ElementsAre(3, 4));
    const Metric& metric = result.metrics[findShown(result, "EXCESS$")];
    EXPECT_EQ(metric.uniqueName, "EXCESS_");
    EXPECT_EQ(metric.origin, Origin::Computed);
    EXPECT_EQ(metric.valueType, ValueType::Int64);
    EXPECT_EQ(metric.description, "EXCESS$ = MINOR_FAULTS - 2 * MAJOR_FAULTS");
}

TEST(Derive, directMeasurement_winsAndKeepsChildren) {
    const Experiment result = derived(std::move(both().counter("page-faults", {{"main", {12, 3}}})));
    EXPECT_EQ(metricTree(result), "PAGE_FAULTS(MINOR_FAULTS,MAJOR_FAULTS) EXCESS$");
    EXPECT_THAT(valuesAt(result, "PAGE_FAULTS", "main"), ElementsAre(12, 3));
    EXPECT_EQ(result.metrics[findShown(result, "PAGE_FAULTS")].uniqueName, "page_faults");
}

TEST(Derive, measuredMetric_keepsItsEventAsUniqueName) {
    const Experiment result = derived(minorOnly());
    const Metric& metric = result.metrics[findShown(result, "MINOR_FAULTS")];
    EXPECT_EQ(metric.uniqueName, "minor_faults");
    EXPECT_EQ(metric.origin, Origin::Measured);
    EXPECT_EQ(eventName(metric), "minor-faults");
}

TEST(Derive, deriveAgain_replacesTheEarlierDerivation) {
    const specs::Specification other =
        specs::parse("compose ALL = minor-faults + major-faults\n", "other.spec");
    const Experiment result = derive(derived(both()), other);
    EXPECT_EQ(metricTree(result), "ALL(minor-faults,major-faults)");
    EXPECT_EQ(result.files.at(kSpecificationFile), other.text);
}

TEST(Derive, deriveTwiceTheSame_changesNothing) {
    const Experiment once = derived(both());
    const Experiment twice = derive(derived(both()), specs::parse(kFaults, "test.spec"));
    EXPECT_EQ(metricTree(once), metricTree(twice));
    EXPECT_EQ(holos::testing::canonicalValues(once), holos::testing::canonicalValues(twice));
}

TEST(Derive, metricsOfTheTrace_stayAsTheyAre) {
    Metric time;
    time.uniqueName = "time";
    time.displayName = "Time";
    Metric mpi;
    mpi.uniqueName = "mpi";
    mpi.displayName = "MPI";
    SmallExperiment builder = both();
    builder.metric(time, "", {{"main", {0.5, 0.25}}}).metric(mpi, "time", {{"main", {0.25, 0}}});
    const Experiment result = derived(std::move(builder));
    EXPECT_EQ(metricTree(result), "Time(MPI) PAGE_FAULTS(MINOR_FAULTS,MAJOR_FAULTS) EXCESS$");
    EXPECT_THAT(valuesAt(result, "Time", "main"), ElementsAre(0.5, 0.25));
    EXPECT_THAT(valuesAt(result, "MPI", "main"), ElementsAre(0.25, 0));
}

TEST(Derive, secondAliasOfAnEvent_isACopy) {
    const Experiment result = derived(minorOnly(), "measure A = minor-faults\nmeasure B = minor-faults\n");
    EXPECT_EQ(metricTree(result), "A B");
    EXPECT_THAT(valuesAt(result, "B", "main"), ElementsAre(1, 2));
    EXPECT_EQ(metricTree(derive(derived(minorOnly(), "measure A = minor-faults\nmeasure B = minor-faults\n"),
                                specs::parse("", "empty.spec"))),
              "minor-faults");
}

TEST(Derive, nameTakenByMeasurement_getsANumber) {
    const Experiment result = derived(std::move(both().counter("PAGE$FAULTS", {{"main", {7, 7}}})),
                                      "compose PAGE/FAULTS = minor-faults + major-faults\n");
    EXPECT_EQ(result.metrics[findShown(result, "PAGE/FAULTS")].uniqueName, "PAGE_FAULTS:2");
}

TEST(Derive, expression_isKept) {
    Metric ratio;
    ratio.uniqueName = ratio.displayName = "ratio";
    ratio.storage = Storage::PostDerived;
    ratio.expression = "metric::minor_faults() / 2";
    SmallExperiment builder = minorOnly();
    builder.metric(ratio, "", {});
    const Experiment result = derived(std::move(builder));
    EXPECT_EQ(result.metrics[findShown(result, "ratio")].expression, "metric::minor_faults() / 2");
}

/// main: 6 of 10 accesses miss on thread 0; main/work: 1 of 10 on thread 0, none of 20 on thread 1.
SmallExperiment misses() {
    return std::move(SmallExperiment()
                         .counter("miss", {{"main", {6, 0}}, {"main/work", {1, 0}}})
                         .counter("access", {{"main", {10, 0}}, {"main/work", {10, 20}}}));
}

double ratioAt(const Experiment& experiment, const std::string& path, Extent extent) {
    return perCallPath(experiment, {findShown(experiment, "RATE")}, extent)
        .at(holos::testing::findPath(experiment, path).index());
}

TEST(Derive, ratio_isTheQuotientOfSumsAtEveryLevel) {
    const Experiment result = derived(misses(), "ratio RATE = 100 * miss / access\nunit RATE = %\n");
    EXPECT_EQ(metricTree(result), "miss access RATE");
    EXPECT_DOUBLE_EQ(aggregate(result, {findShown(result, "RATE")}), 100.0 * 7 / 40);
    EXPECT_DOUBLE_EQ(ratioAt(result, "main", Extent::Inclusive), 100.0 * 7 / 40);
    EXPECT_DOUBLE_EQ(ratioAt(result, "main", Extent::Exclusive), 60.0);
    EXPECT_DOUBLE_EQ(ratioAt(result, "main/work", Extent::Exclusive), 100.0 / 30);
    EXPECT_DOUBLE_EQ(perLocation(result, {findShown(result, "RATE")}).at(0), 35.0);
    const Metric& metric = result.metrics[findShown(result, "RATE")];
    EXPECT_EQ(metric.origin, Origin::Ratio);
    EXPECT_EQ(metric.storage, Storage::PostDerived);
    EXPECT_EQ(metric.description, "RATE = ( 100 * miss ) / ( access )");
}

TEST(Derive, ratioWithZeroOrSmallDenominator_isUndefined) {
    const Experiment plain = derived(
        std::move(
            SmallExperiment().counter("miss", {{"main", {0, 1}}}).counter("access", {{"main", {0, 1}}})),
        "ratio RATE = miss / access\n");
    const auto values = perLocation(plain, {findShown(plain, "RATE")});
    EXPECT_TRUE(std::isnan(values.at(0)));
    EXPECT_EQ(values.at(1), 1.0);
    const Experiment limited = derived(misses(), "ratio RATE = miss / access minimum 30\n");
    EXPECT_TRUE(std::isnan(ratioAt(limited, "main", Extent::Exclusive)));
    EXPECT_DOUBLE_EQ(ratioAt(limited, "main/work", Extent::Exclusive), 1.0 / 30);
}

TEST(Derive, ratioOfDerivedMetrics_usesTheirValues) {
    const Experiment result = derived(misses(), "ratio RATE = HIT$ / access\ncompute HIT$ = access - miss\n");
    EXPECT_DOUBLE_EQ(aggregate(result, {findShown(result, "RATE")}), 33.0 / 40);
}

TEST(Derive, ratioAgain_isReplaced) {
    const char* text = "ratio RATE = miss / access\n";
    EXPECT_EQ(metricTree(derive(derived(misses(), text), specs::parse(text, "x.spec"))), "miss access RATE");
}

TEST(Derive, seconds_useTheRecordedClock) {
    SmallExperiment builder;
    builder.counter("stall", {{"main", {3e9, 1e9}}});
    Experiment experiment = builder.take();
    const specs::Specification spec = specs::parse("seconds STALL_TIME = stall\n", "x.spec");
    EXPECT_EQ(metricTree(derive(std::move(experiment), spec)), "stall");
    SmallExperiment again;
    again.counter("stall", {{"main", {3e9, 1e9}}});
    Experiment recorded = again.take();
    setProcessor(recorded, {"", "GenuineIntel", 6, 85, {}, 2e9});
    const Experiment result = derive(std::move(recorded), spec);
    EXPECT_THAT(valuesAt(result, "STALL_TIME", "main"), ElementsAre(1.5, 0.5));
    EXPECT_EQ(result.metrics[findShown(result, "STALL_TIME")].unit, "sec");
}

SmallExperiment timesAndStalls() {
    Metric time;
    time.uniqueName = time.displayName = "time";
    time.unit = "sec";
    Metric computation = time, files = time;
    computation.uniqueName = computation.displayName = "comp";
    files.uniqueName = files.displayName = "file_io";
    SmallExperiment build;
    build.metric(time, "", {{"main", {5, 5}}, {"main/wait", {3, 3}}});
    build.metric(computation, "time", {{"main", {5, 5}}});
    build.metric(files, "comp", {{"main", {1, 0}}});
    build.counter("stall", {{"main", {2000, 9000}}, {"main/wait", {1000, 1000}}});
    build.counter("slow", {{"main", {3500, 500}}});
    return build;
}

/// Of 5 s each: 1 s are files in the first thread, stalls are 2 s, and at most 5 s; waiting is none of it.
TEST(Derive, secondsInATime_areAPartOfIt) {
    const char* text =
        "seconds STALL_TIME = stall at 1000 in comp\nseconds SLOW_TIME = slow at 1000 in comp\n";
    const Experiment result = derived(timesAndStalls(), text);
    EXPECT_EQ(metricTree(result), "time(comp(file_io,STALL_TIME,SLOW_TIME)) stall slow");
    EXPECT_THAT(valuesAt(result, "STALL_TIME", "main"), ElementsAre(2, 5));
    EXPECT_THAT(valuesAt(result, "SLOW_TIME", "main"), ElementsAre(2, 0)) << "what is left of 3.5 and 0.5 s";
    EXPECT_EQ(aggregate(result, {findShown(result, "STALL_TIME")}), 7) << "nothing of main/wait";
    EXPECT_EQ(metricTree(derive(derived(timesAndStalls(), text), specs::parse(text, "test.spec"))),
              metricTree(result))
        << "also when it is derived again";
}

TEST(Derive, secondsInATimeThatIsNotThere_areATreeOfTheirOwn) {
    SmallExperiment build;
    build.counter("stall", {{"main", {2000, 9000}}});
    const Experiment result = derived(std::move(build), "seconds STALL_TIME = stall at 1000 in comp\n");
    EXPECT_EQ(metricTree(result), "stall STALL_TIME");
    EXPECT_THAT(valuesAt(result, "STALL_TIME", "main"), ElementsAre(2, 9));
}

TEST(Derive, eventOfTwoHierarchies_isShownInBoth) {
    const Experiment result =
        derived(both(), "compose A = minor-faults + x\ncompose B = minor-faults + major-faults\n");
    EXPECT_EQ(metricTree(result), "~A(minor-faults) B(minor-faults,major-faults)");
    EXPECT_THAT(valuesAt(result, "B", "main"), ElementsAre(11, 2));
}

TEST(RecordedProcessor, isKeptInAttributes) {
    Experiment experiment;
    setProcessor(experiment, {"AMD EPYC", "AuthenticAMD", 25, 1, {}, 2.445e9});
    const specs::Processor found = processorOf(experiment);
    EXPECT_EQ(found.name, "AMD EPYC");
    EXPECT_EQ(found.vendor, "AuthenticAMD");
    EXPECT_EQ(found.family, 25u);
    EXPECT_FALSE(found.stepping);
    EXPECT_EQ(found.hertz, 2.445e9);
    setAttribute(experiment.attributes, "holos::processor::hertz", "-1");
    EXPECT_FALSE(processorOf(experiment).hertz);
}

/// Zen 3 retires the same software events as any machine, but its file knows the hardware counter only.
TEST(ApplySpecification, auto_prefersTheFileForTheProcessor) {
    SmallExperiment builder = minorOnly();
    builder.counter("RETIRED_INSTRUCTIONS", {{"main", {1, 1}}}).counter("major-faults", {});
    Experiment experiment = builder.take();
    setProcessor(experiment, {"", "AuthenticAMD", 25, 1, {}, {}});
    const Experiment result = applySpecification(std::move(experiment), "auto");
    EXPECT_THAT(result.files.at(kSpecificationFile), HasSubstr("platform zen3"));
}

/// Its ratios per second know `time`, which is no counter.
TEST(ApplySpecification, auto_fileForTheProcessorThatKnowsNoCounter_isNotTaken) {
    Metric time;
    time.uniqueName = time.displayName = "time";
    SmallExperiment builder = minorOnly();
    builder.metric(time, "", {{"main", {1, 1}}});
    Experiment experiment = builder.take();
    setProcessor(experiment, {"", "AuthenticAMD", 25, 1, {}, {}});
    EXPECT_EQ(metricTree(applySpecification(std::move(experiment), "auto")),
              "time ~PAGE_FAULTS(MINOR_FAULTS) OUTSIDE_MPI_SHARE");
}

TEST(ApplySpecification, none_leavesTheExperiment) {
    EXPECT_EQ(metricTree(applySpecification(minorOnly().take(), "none")), "minor-faults");
}

TEST(ApplySpecification, auto_takesThePlatformThatKnowsTheEvents) {
    EXPECT_EQ(metricTree(applySpecification(minorOnly().take(), "auto")), "~PAGE_FAULTS(MINOR_FAULTS)");
}

TEST(ApplySpecification, auto_leavesUnknownEvents) {
    const Experiment result = applySpecification(SmallExperiment().counter("strange", {}).take(), "auto");
    EXPECT_EQ(metricTree(result), "strange");
    EXPECT_FALSE(result.files.contains(kSpecificationFile));
}

TEST(ApplySpecification, unknownName_isAnError) {
    EXPECT_THROW(applySpecification(minorOnly().take(), "nothing-of-this-name"), Error);
}

}  // namespace
}  // namespace holos::algebra
