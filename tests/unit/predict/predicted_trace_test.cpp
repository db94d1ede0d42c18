// SPDX-License-Identifier: BSD-3-Clause
// The trace of a predicted run: the recorded events at their new times.
#include <gmock/gmock.h>

#include <fstream>

#include "algebra/model/queries.h"
#include "analyzer/trace/definitions_reader.h"
#include "tests/support/known_trace.h"
#include "tests/unit/predict/predicted.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using analyzer::Predictor;
using analyzer::predict::parseCondition;

std::string bytesOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The names of the files with events in an archive's folder.
std::vector<fs::path> eventFiles(const fs::path& anchor) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(anchor.parent_path() / "traces"))
        if (entry.path().extension() == ".evt") files.push_back(entry.path().filename());
    return files;
}

/// The archive of the run under a condition.
fs::path retimed(const Predictor& predictor, const std::string& condition, const fs::path& folder) {
    analyzer::AnalysisOptions options;
    options.threads = 2;
    const analyzer::predict::Condition parsed = parseCondition(condition);
    EXPECT_EQ(predictor.writeTrace(predictor.predict({&parsed, 1}), folder, options), 0);
    return folder / "traces.otf2";
}

void expectCopied(const fs::path& recorded) {
    const TemporaryDirectory folder;
    const fs::path copy = retimed(Predictor(recorded), "speedup main=1", folder.path());
    ASSERT_FALSE(eventFiles(recorded).empty());
    EXPECT_THAT(eventFiles(copy), ::testing::UnorderedElementsAreArray(eventFiles(recorded)));
    for (const fs::path& file : eventFiles(recorded))
        EXPECT_EQ(bytesOf(copy.parent_path() / "traces" / file),
                  bytesOf(recorded.parent_path() / "traces" / file))
            << file;
    const auto before = analyzer::trace::readDefinitions(recorded);
    const auto after = analyzer::trace::readDefinitions(copy);
    EXPECT_EQ(after.strings, before.strings);
    EXPECT_EQ(after.regions.size(), before.regions.size());
    EXPECT_EQ(after.callingContexts.size(), before.callingContexts.size());
    for (std::size_t i = 0; i < before.locations.size(); ++i)
        EXPECT_EQ(after.locations[i].events, before.locations[i].events);
}

/// All metrics of all call paths are the same.
void expectEqual(const algebra::Experiment& a, const algebra::Experiment& b) {
    ASSERT_EQ(a.callTree.size(), b.callTree.size());
    ASSERT_EQ(a.metrics.size(), b.metrics.size());
    for (std::size_t i = 0; i < a.metrics.size(); ++i) {
        const algebra::MetricId metric(i);
        EXPECT_THAT(algebra::perCallPath(a, {metric}, algebra::Extent::Exclusive),
                    ::testing::Pointwise(::testing::DoubleNear(1e-9),
                                         algebra::perCallPath(b, {metric}, algebra::Extent::Exclusive)))
            << a.metrics[metric].uniqueName;
    }
}

TEST(PredictedTrace, ofNoChange_hasTheSameBytesOfEvents) {
    const TemporaryDirectory folder;
    expectCopied(writeKnownTrace(folder.path(), {.rounds = 3}).anchor);
}

/// What replay holds back, or has no use for, has its place in the order, too.
TEST(PredictedTrace, withCountersAndParameters_keepsThem) {
    TraceBuilder trace(2);
    const OTF2_MetricRef counter = trace.counters({{.name = "cycles"}});
    const OTF2_CallingContextRef from = trace.callingContext("main", 3);
    for (const unsigned rank : {0U, 1U}) {
        const OTF2_TimeStamp time = trace.timestamp(12);
        trace.on(rank).counters(0, counter, {0}).enter(0, "main").counters(10, counter, {7});
        trace.on(rank).enterFrom(10, "work", from).record([=](OTF2_EvtWriter* out) {
            return OTF2_EvtWriter_ParameterInt(out, nullptr, time, 0, 42);
        });
        trace.on(rank).leave(20).counters(20, counter, {9}).barrier(20, 22).leave(30);
    }
    const TemporaryDirectory folder;
    expectCopied(trace.write(folder.path()));
}

TEST(PredictedTrace, ofAChange_isAnalyzedAsThePrediction) {
    const TemporaryDirectory folder;
    const TemporaryDirectory copy;
    const Predictor predictor(writeKnownTrace(folder.path(), {.rounds = 3}).anchor);
    const auto condition = parseCondition("speedup work=3");
    const analyzer::AnalysisResult written =
        analyzer::analyze(retimed(predictor, "speedup work=3", copy.path()));
    const analyzer::Prediction prediction = predictor.predict({&condition, 1});
    expectEqual(written.experiment, predictor.analyze(prediction, {}).experiment);
    EXPECT_NEAR(Predictor(copy.path()).facts().recorded, prediction.seconds(), 1e-9);
    EXPECT_LT(prediction.seconds(), predictor.facts().recorded);
}

/// A receive that took no time has one now: events at the same time get different ones.
TEST(PredictedTrace, ofCallWithoutTime_hasItsWaiting) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 10, "work").send(10, 11, {.peer = 1}).leave(20);
    trace.on(1).enter(0, "main").call(0, 15, "other").recv(15, 15, {.peer = 0}).leave(20);
    const Predicted run(trace);
    const TemporaryDirectory copy;
    const analyzer::AnalysisResult written =
        analyzer::analyze(retimed(run.predictor(), "speedup work=0.5", copy.path()));
    expectEqual(written.experiment, run.experiment("speedup work=0.5"));
}

}  // namespace
}  // namespace holos::testing
