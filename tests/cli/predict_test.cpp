// SPDX-License-Identifier: BSD-3-Clause
// holos predict: what a run would take under other conditions.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"
#include "tests/support/damage.h"
#include "tests/support/joining_trace.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Rank 0 works for 3 s and rank 1 for 1 s before they meet; then both work for 1 s.
class PredictCommand : public CommandTest {
  protected:
    std::string unevenRun() const {
        TraceBuilder trace(2);
        for (const unsigned rank : {0U, 1U}) {
            const Tick work = rank == 0 ? 3000 : 1000;
            trace.on(rank).enter(0, "main").call(0, work, "solve").barrier(work, 3010);
            trace.on(rank).call(3010, 4010, "finish").leave(4010);
        }
        std::filesystem::create_directory(file("run"));
        trace.write(file("run"));
        return file("run");
    }
    static CommandResult predict(std::vector<std::string> words) {
        words.insert(words.begin(), "predict");
        return holos(words);
    }
};

TEST_F(PredictCommand, condition_givesTimeAndSpeedup) {
    const auto result = predict({unevenRun(), "--if", "balance solve", "--format", "json"});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    const auto json = nlohmann::json::parse(result.output);
    EXPECT_DOUBLE_EQ(json["recordedSeconds"], 4.01);
    EXPECT_DOUBLE_EQ(json["replayedSeconds"], 4.01);
    EXPECT_DOUBLE_EQ(json["predictedSeconds"], 3.01);
    EXPECT_NEAR(json["speedup"].get<double>(), 4.01 / 3.01, 1e-9);
    EXPECT_TRUE(json["withoutEffect"].empty());
}

TEST_F(PredictCommand, conditionWithoutEffect_isNamed) {
    const auto result = predict({unevenRun(), "--if", "locks free", "--if", "speedup finish=2"});
    EXPECT_THAT(result.output, AllOf(HasSubstr("3.51 s  with locks free, speedup finish=2"),
                                     HasSubstr("'locks free' by itself changes nothing"),
                                     Not(HasSubstr("'speedup finish=2' by"))));
}

TEST_F(PredictCommand, ownTimeInMpi_isSaid) {
    // Of 2 · 4.01 s, 2 · 10 ms are the barrier's own.
    const auto json =
        nlohmann::json::parse(predict({unevenRun(), "--if", "balance solve", "--format", "json"}).output);
    EXPECT_NEAR(json["ownTimeInMpi"].get<double>(), 0.01 / 4.01, 1e-6);
    EXPECT_NEAR(json["predictedSecondsWithoutOwnTime"].get<double>(), 3.0, 1e-9);
    EXPECT_THAT(predict({file("run"), "--if", "balance solve"}).output,
                AllOf(HasSubstr("0.2 %  of the time of threads that call MPI"),
                      HasSubstr("without it, on an ideal network, the run takes 3 s")));
}

/// Own time may vanish or be as much again, 10 ms here, and computation varies by 2 %.
TEST_F(PredictCommand, range_followsFromOwnTime) {
    const auto json =
        nlohmann::json::parse(predict({unevenRun(), "--if", "balance solve", "--format", "json"}).output);
    EXPECT_NEAR(json["predictedSecondsAtLeast"].get<double>(), 3.01 * 0.98 - 0.01, 1e-9);
    EXPECT_NEAR(json["predictedSecondsAtMost"].get<double>(), 3.01 * 1.02 + 0.01, 1e-9);
    EXPECT_THAT(predict({file("run"), "--if", "balance solve"}).output,
                HasSubstr("range          2.9398 s  to 3.0802 s"));
}

/// Without a condition there is nothing to tell.
TEST_F(PredictCommand, rangeWithoutCondition_isNotThere) {
    EXPECT_THAT(predict({unevenRun(), "--each"}).output, Not(HasSubstr("range ")));
}

TEST_F(PredictCommand, whatIsTakenAsRecorded_isNoted) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").call(0, 1000, "pthread_mutex_lock").call(1000, 2000, "work").leave(3000);
    trace.stream(0).call(100, 400, "kernel");
    std::filesystem::create_directory(file("devices"));
    trace.write(file("devices"));
    EXPECT_THAT(predict({file("devices"), "--if", "speedup work=2"}).output,
                AllOf(HasSubstr("Note: locks and critical sections are acquired in the recorded order"),
                      HasSubstr("Note: what accelerators do is not replayed")));
    EXPECT_THAT(predict({unevenRun(), "--if", "speedup solve=2"}).output, Not(HasSubstr("Note:")));
}

/// The replay leaves the 300 ms in which rank 0 had no processor where they were.
TEST_F(PredictCommand, evenWorkWhereProcessorsAreShort_mayBringMore) {
    TraceBuilder trace(2);
    for (const unsigned rank : {0U, 1U}) {
        const Tick until = rank == 0 ? 1300 : 500;
        trace.on(rank).enter(0, "main").enter(0, "solve").leaveStarved(until, rank == 0 ? 300 : 0);
        trace.on(rank).barrier(until, 1310).leave(1310);
    }
    std::filesystem::create_directory(file("starved"));
    trace.write(file("starved"));
    const auto note = HasSubstr("even work may save more than the replay says");
    EXPECT_THAT(predict({file("starved"), "--if", "balance solve"}).output, note);
    EXPECT_THAT(predict({file("starved"), "--each"}).output, note);
    EXPECT_THAT(predict({file("starved"), "--if", "speedup solve=2"}).output, Not(note));
    EXPECT_THAT(predict({unevenRun(), "--each"}).output, Not(note));
}

TEST_F(PredictCommand, kernelThatOnlyADeviceRuns_isRefused) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").call(0, 2000, "work").leave(3000);
    trace.stream(0).call(100, 400, "kernel");
    std::filesystem::create_directory(file("devices"));
    trace.write(file("devices"));
    for (const char* condition : {"speedup kernel=2", "balance kernel", "remove kernel"}) {
        const auto result = predict({file("devices"), "--if", condition});
        EXPECT_EQ(result.exitCode, 2) << condition;
        EXPECT_THAT(result.output, HasSubstr("only streams of accelerators execute 'kernel'"));
    }
    EXPECT_EQ(predict({file("devices"), "--if", "speedup main=2"}).exitCode, 0);
}

TEST_F(PredictCommand, output_isTheExperimentOfThePredictedRun) {
    const std::string run = unevenRun();
    ASSERT_EQ(predict({run, "--if", "balance solve", "-o", file("p.cubex")}).exitCode, 0);
    EXPECT_THAT(holos({"show", file("p.cubex"), "--metric", "mpi_barrier_wait", "--format", "csv"}).output,
                Not(HasSubstr("mpi_barrier_wait,2")));
    EXPECT_THAT(holos({"info", file("p.cubex")}).output, HasSubstr("balance solve"));
}

/// Nobody knows what the node would have counted; what a thread counts stays.
TEST_F(PredictCommand, outputOfARunWithCountersOfItsNode_isWithoutThem) {
    TraceBuilder trace(2);
    const auto own = trace.counters({{.name = "cycles"}});
    const auto node = trace.countersOf(
        trace.counters({{.name = "ENERGY"}, {.name = "DEGREES", .mode = OTF2_METRIC_ABSOLUTE_POINT}}),
        TraceBuilder::samplerOf(0), OTF2_SCOPE_SYSTEM_TREE_NODE, TraceBuilder::nodeOf(0));
    trace.sampler(0)
        .counters(0, node, {0, 40})
        .counters(1500, node, {100, 60})
        .counters(3000, node, {300, 50});
    for (const unsigned rank : {0U, 1U}) {
        trace.on(rank).counters(0, own, {0}).enter(0, "main").call(0, rank == 0 ? 2000 : 1000, "solve");
        trace.on(rank).barrier(2000, 2010).counters(3000, own, {700}).leave(3000);
    }
    const std::string run = file("run");
    std::filesystem::create_directory(run);
    trace.write(run);
    const auto result = predict({run, "--if", "balance solve", "-o", file("p.cubex")});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("p.cubex: is without ENERGY, DEGREES: what would be counted"));
    const std::string metrics = holos({"show", file("p.cubex")}).output;
    EXPECT_THAT(metrics, AllOf(HasSubstr("cycles"), Not(HasSubstr("ENERGY")), Not(HasSubstr("DEGREES"))));
    EXPECT_THAT(predict({run, "--if", "balance solve"}).output, Not(HasSubstr("ENERGY")));
}

TEST_F(PredictCommand, trace_isThatOfThePredictedRun) {
    const std::string run = unevenRun();
    std::ofstream(run + "/measurement.json") << R"({"command": "./uneven"})";
    const std::vector<std::string> words = {run, "--if", "balance solve", "--trace", file("predicted/")};
    ASSERT_EQ(predict(words).exitCode, 0);
    ASSERT_EQ(holos({"analyze", file("predicted")}).exitCode, 0);
    EXPECT_THAT(
        holos({"show", file("predicted/analysis.cubex"), "--metric", "execution", "--format", "csv"}).output,
        HasSubstr("main/solve,,-1,4,4,2,2\n"));
    EXPECT_THAT(contentOf(file("predicted/measurement.json")), HasSubstr("balance solve"));
    const auto again = predict(words);
    EXPECT_EQ(again.exitCode, 1);
    EXPECT_THAT(again.output, HasSubstr("is not an empty folder"));
}

TEST_F(PredictCommand, analysisWithReplay_hasExactEfficiencies) {
    const std::string run = unevenRun();
    const auto source = [&](const std::vector<std::string>& words) {
        EXPECT_EQ(holos(words).exitCode, 0);
        return holos({"show", run + "/analysis.cubex", "--efficiencies"}).output;
    };
    EXPECT_THAT(source({"analyze", run}), HasSubstr("estimates from the wait states"));
    EXPECT_THAT(source({"analyze", run, "--replay"}), HasSubstr("by replay of the run"));
    EXPECT_EQ(holos({"analyze", run, "--replay", "--correct-clocks"}).exitCode, 2);
}

/// What the summary of an analysis with a replay says of its problems.
class ReplayedGain : public CommandTest {
  protected:
    nlohmann::json problems(const TraceBuilder& trace) const {
        std::filesystem::create_directory(file("run"));
        trace.write(file("run"));
        EXPECT_EQ(holos({"analyze", file("run"), "--replay"}).exitCode, 0);
        const auto shown = holos({"show", file("run/analysis.cubex"), "--format", "json"});
        return nlohmann::json::parse(shown.output).at("summary").at("problems");
    }
    nlohmann::json firstProblem(const TraceBuilder& trace) const { return problems(trace).at(0); }
};

/// In each of 20 rounds the first rank works for 18 ms before a broadcast, and then the other one for 20 ms
/// and the first for 4 before a reduction: in one function, which is why others wait in both.
TEST_F(ReplayedGain, ofTwoProblemsInOnePlace_isThatOfBoth) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main");
    for (Tick begin = 0; begin < 800; begin += 40) {
        trace.on(0).collective(begin + 18, begin + 19, OTF2_COLLECTIVE_OP_BCAST, {.root = 0});
        trace.on(1).collective(begin, begin + 19, OTF2_COLLECTIVE_OP_BCAST, {.root = 0});
        trace.on(0).collective(begin + 23, begin + 40, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
        trace.on(1).collective(begin + 39, begin + 40, OTF2_COLLECTIVE_OP_ALLREDUCE, {});
    }
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).leave(800);
    std::size_t replayed = 0;
    for (const nlohmann::json& problem : problems(trace)) {
        if (problem.value("replayedWith", "") != "balance main") continue;
        ++replayed;
        EXPECT_GT(problem.at("gainAtMost").get<double>(), 0.1) << problem.dump(1);
    }
    EXPECT_EQ(replayed, 2U);
}

/// Three threads of 1200, 300 and 300 ms, which are joined.
TEST_F(ReplayedGain, ofThreadsThatEndAtDifferentTimes_isThatOfEvenWork) {
    JoiningTrace run(4);
    const Tick ends[] = {1200, 300, 300};
    for (const unsigned thread : {1U, 2U, 3U}) {
        run.make(0, thread, 0);
        run.on(thread).call(0, ends[thread - 1], "work");
        run.end(thread, ends[thread - 1]);
    }
    for (const unsigned thread : {1U, 2U, 3U}) run.join(0, thread, thread == 1 ? 0 : 1200, 1200);
    run.on(0).leave(1200);
    const nlohmann::json problem = firstProblem(run.trace);
    EXPECT_EQ(problem.at("kind"), "join");
    EXPECT_EQ(problem.at("replayedWith"), "joined threads balanced");
    EXPECT_NEAR(problem.at("gainAtMost").get<double>(), 0.6, 1e-9);
}

/// Thread 1 works for 400 ms ten times, and signals. Thread 2 waits for that, and works for 100 ms: if it
/// took over 150 ms of the other one's work each time, both would take 250 ms.
TEST_F(ReplayedGain, ofWaitsForSignals_isThatOfSharedWork) {
    constexpr auto* kWait = "pthread_cond_wait";
    constexpr Tick kStep = 400, kOwn = 100;
    JoiningTrace run(3);
    run.trace.region(kWait, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "pthread"});
    run.make(0, 1, 0);
    run.make(0, 2, 0);
    unsigned order = 1;
    Tick now = 0;
    run.on(2).acquire(0, 1, order);
    for (int step = 0; step < 10; ++step) {
        run.on(2).enter(now, kWait).release(now, 1, order);
        const Tick signals = (step + 1) * kStep;
        ++order;
        run.on(1).call(step * kStep, signals, "produce");
        run.on(1).acquire(signals, 1, order).release(signals, 1, order);
        ++order;
        run.on(2).acquire(signals, 1, order).leave(signals).call(signals, signals + kOwn, "consume");
        now = signals + kOwn;
    }
    run.on(2).release(now, 1, order);
    run.end(1, 10 * kStep);
    run.end(2, now);
    run.join(0, 1, 0, 10 * kStep);
    run.join(0, 2, 10 * kStep, now);
    run.on(0).leave(now);
    const nlohmann::json problem = firstProblem(run.trace);
    EXPECT_EQ(problem.at("kind"), "signal");
    EXPECT_THAT(problem.at("replayedWith").get<std::string>(), HasSubstr("limit "));
    EXPECT_THAT(problem.at("replayedWith").get<std::string>(), HasSubstr("produce="));
    // The first of them waits for 400 ms, the others for 300; and of the waiting for the end of the threads,
    // 50 ms are because these do not end together.
    EXPECT_NEAR(problem.at("gainAtMost").get<double>(), (0.4 + 9 * 0.3 + 0.05) / 2, 1e-3);
}

TEST_F(PredictCommand, each_ranksByGain) {
    const auto result = predict({unevenRun(), "--each", "--format", "json"});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    const auto trials = nlohmann::json::parse(result.output)["trials"];
    ASSERT_GE(trials.size(), 2);
    for (const auto& trial : trials) {  // the whole program, and callers of what brings as much
        EXPECT_NE(trial["condition"], "speedup main=2");
        EXPECT_NE(trial["condition"], "balance main");
        EXPECT_GE(trial["gainPercent"].template get<double>(), 0.05);
    }
    for (std::size_t i = 1; i < trials.size(); ++i)
        EXPECT_LE(trials[i]["gainSeconds"], trials[i - 1]["gainSeconds"]);
    const auto balance = std::find_if(trials.begin(), trials.end(), [](const auto& trial) {
        return trial["condition"] == "balance solve";
    });
    ASSERT_NE(balance, trials.end());
    EXPECT_NEAR((*balance)["gainSeconds"].template get<double>(), 1, 1e-9);
    EXPECT_THAT((*balance)["problem"].template get<std::string>(), HasSubstr("they wait"));
}

/// Of four functions of which one calls the next, the innermost one does nearly all; the outermost one calls
/// another one that does less, and which is called in two places.
TEST_F(PredictCommand, each_hasOneRowForPathsOfWhichOneCallsTheOther) {
    const std::string solve = "void app::Solver<std::vector<double, std::allocator<double> > >::solve(int)";
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").enter(0, "run(int, char**)").enter(10, solve).enter(20, "relax(double*)");
    trace.on(0).call(30, 530, "smooth(double*)").leave(540).leave(550).call(550, 750, "norm(double*)");
    trace.on(0).leave(750).call(750, 950, "norm(double*)").leave(1000);
    std::filesystem::create_directory(file("nested"));
    trace.write(file("nested"));
    const auto result = predict({file("nested"), "--each", "--format", "json"});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    std::vector<std::string> conditions;
    const auto json = nlohmann::json::parse(result.output);
    for (const auto& trial : json["trials"]) conditions.push_back(trial["condition"]);
    EXPECT_THAT(conditions,
                ::testing::ElementsAre("speedup smooth=2", "speedup run/norm=2", "speedup main/norm=2"));
    for (const std::string& condition : conditions)
        EXPECT_THAT(predict({file("nested"), "--if", condition}).output, HasSubstr("predicted"));
    EXPECT_THAT(predict({file("nested"), "--if", "speedup app::Solver<…>::solve=2"}).output,
                HasSubstr("predicted"));
}

/// What an ideal network cannot change is said, and the range does not reach beyond the recorded run.
TEST_F(PredictCommand, processorsThatAreShort_areNoPartOfTheNetwork) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 100, "work").send(100, 101, {.peer = 1}).leave(101);
    trace.on(1).enter(0, "main").enter(0, "MPI_Recv").received(140, {.peer = 0}).leaveStarved(140, 30);
    trace.on(1).leave(140);
    std::filesystem::create_directory(file("starved"));
    trace.write(file("starved"));
    const auto result = predict({file("starved"), "--if", "network=ideal"});
    EXPECT_THAT(result.output, AllOf(HasSubstr("0.13 s  with network=ideal"), HasSubstr(" s  to 0.14 s, as"),
                                     HasSubstr("% they had no processor"),
                                     HasSubstr("of their time, which the replay leaves where it was.")));
}

/// Half of rank 1's events are missing.
TEST_F(PredictCommand, cutTrace_isPredictedAsFarAsItGoes_andSaysWhatIsMissing) {
    const std::string run = unevenRun();
    const std::filesystem::path events = std::filesystem::path(run) / "traces" / "1.evt";
    truncate(events, std::filesystem::file_size(events) / 2);
    const auto result = predict({run, "--if", "network=ideal"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, AllOf(HasSubstr("location 1: damaged file: "), HasSubstr("1.evt: ends after "),
                                     HasSubstr("with network=ideal")));
}

/// The only message waits for a processor, not for the network.
TEST_F(PredictCommand, networkOfThreadsWithoutProcessors_isNotKnown) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").enter(10, "MPI_Send").sent(28, {.peer = 1}).leaveStarved(30, 18).leave(40);
    trace.on(1).enter(0, "main").recv(0, 32, {.peer = 0}).leave(40);
    const std::string run = file("starved");
    std::filesystem::create_directory(run);
    trace.write(run);
    EXPECT_THAT(
        predict({run, "--if", "latency=2us"}).output,
        AllOf(
            HasSubstr(
                "not known: 1 message was waited for, but meanwhile its sender or receiver had no processor"),
            HasSubstr("the latency and bandwidth of --if are added to the recorded times")));
    const auto json = nlohmann::json::parse(predict({run, "--if", "latency=2us", "--format", "json"}).output);
    EXPECT_TRUE(json["network"]["latencySeconds"].is_null());
    EXPECT_EQ(json["network"]["messagesWithoutProcessors"], 1);
}

TEST_F(PredictCommand, wrongUse_isExplained) {
    const std::string run = unevenRun();
    EXPECT_EQ(predict({run}).exitCode, 2);
    EXPECT_EQ(predict({run, "--each", "--trace", file("predicted")}).exitCode, 2);
    const auto unknown = predict({run, "--if", "balance solv"});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.output, HasSubstr("did you mean 'solve'?"));
    const auto noCondition = predict({run, "--if", "faster"});
    EXPECT_EQ(noCondition.exitCode, 2);
    EXPECT_THAT(noCondition.output, HasSubstr("known are network=ideal"));
    EXPECT_EQ(predict({file("nowhere"), "--if", "locks free"}).exitCode, 1);
}

}  // namespace
}  // namespace holos::testing
