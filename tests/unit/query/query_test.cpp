// SPDX-License-Identifier: BSD-3-Clause
// Questions about traces whose answers are known by construction. A tick is a millisecond.
#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"
#include "tests/unit/query/query_fixture.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Two processes exchange a message in each of five steps; the first step is the longest.
class Query : public ::testing::Test {
  protected:
    Query() {
        TraceBuilder trace(2);
        LocationScript& sender = trace.on(0).enter(0, "main");
        LocationScript& receiver = trace.on(1).enter(0, "main");
        sender.call(10, 20, "setup");
        receiver.call(10, 20, "setup");
        for (Tick step = 0; step < 5; ++step) {
            const Tick begin = 100 + 100 * step;
            sender.enter(begin, "step").call(begin + 10, begin + 40 + (step == 0 ? 10 : 0), "work");
            sender.send(begin + 60, begin + 70 + step, {.peer = 1, .bytes = 8 * (step + 1), .tag = 7});
            sender.leave(begin + 80);
            receiver.enter(begin, "step");
            receiver.recv(begin + 20, begin + 75, {.peer = 0, .bytes = 8 * (step + 1), .tag = 7});
            receiver.leave(begin + 80);
        }
        sender.leave(1000);
        receiver.leave(1000);
        anchor_ = trace.write(folder_.path() / "run");
    }

    Rows ask(const std::string& statement) const { return answerOf(anchor_, statement); }

    TemporaryDirectory folder_;
    std::filesystem::path anchor_;
};

TEST_F(Query, longestSendsOfAProcessInAnIteration_inOneLine_areFound) {
    EXPECT_THAT(ask("SELECT start, duration, bytes_sent FROM calls WHERE process = 0 AND region = 'MPI_Send' "
                    "AND iteration = 4 ORDER BY duration DESC LIMIT 20"),
                ElementsAre("0.46 0.013 32"));
    EXPECT_THAT(ask("SELECT iteration, duration FROM calls WHERE process = 0 AND region = 'MPI_Send' "
                    "ORDER BY duration DESC LIMIT 2"),
                ElementsAre("5 0.014", "4 0.013"));
}

TEST_F(Query, callsOfAProcess_haveTimesWithAndWithoutTheCallsWithinThem) {
    EXPECT_THAT(
        ask("SELECT region, call_path, start, \"end\", duration, own, depth FROM calls "
            "WHERE location = 0 AND start < 0.2"),
        ElementsAre("setup main/setup 0.01 0.02 0.01 0.01 1", "work main/step/work 0.11 0.15 0.04 0.04 2",
                    "MPI_Send main/step/MPI_Send 0.16 0.17 0.01 0.01 2",
                    "step main/step 0.1 0.18 0.08 0.03 1", "main main 0 1 1 0.59 0"));
}

TEST_F(Query, iterationsOfALoop_areNothingOutsideOfIt) {
    EXPECT_THAT(ask("SELECT iteration, count(*) FROM calls WHERE process = 1 GROUP BY 1"),
                ElementsAre("- 2", "1 2", "2 2", "3 2", "4 2", "5 2"));
}

TEST_F(Query, iterationsOfARunWithoutLoop_areNothing) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").call(10, 20, "a").call(30, 40, "a").leave(50);
    EXPECT_THAT(answerOf(trace.write(folder_.path() / "other"), "SELECT DISTINCT iteration FROM calls"),
                ElementsAre("-"));
}

void defineThreads(TraceBuilder& trace) {
    for (const char* name : {"pthread_create", "pthread_join", "pthread_barrier_wait"})
        trace.region(name, {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_FUNCTION, "PTHREAD"});
}

/// Threads that were started before end one after the other; in the loop they are started in each iteration.
TEST_F(Query, iterationsOfThreadsThatEnd_areOfALoopThatStartsThem) {
    for (const bool isLoop : {false, true}) {
        TraceBuilder trace(1);
        defineThreads(trace);
        LocationScript& main = trace.on(0).enter(0, "main");
        for (Tick thread = 0; thread < 4 && !isLoop; ++thread)
            main.call(10 * thread + 10, 10 * thread + 11, "pthread_create");
        for (Tick thread = 0; thread < 4; ++thread) {
            const Tick begin = 200 * thread + 100;
            if (isLoop) main.call(begin - 9, begin - 8, "pthread_create");
            main.enter(begin, "std::thread::join")
                .call(begin, begin + 190, "pthread_join")
                .leave(begin + 190);
        }
        main.leave(1000);
        EXPECT_THAT(answerOf(trace.write(folder_.path() / (isLoop ? "loop" : "ends")),
                             "SELECT coalesce(max(iteration), 0) FROM calls"),
                    ElementsAre(isLoop ? "4" : "0"));
    }
}

/// What it computes between the waits is not recorded.
TEST_F(Query, iterationsOfALoopWithABarrierOfThreads_areThoseOfTheBarrier) {
    TraceBuilder trace(1);
    defineThreads(trace);
    LocationScript& main = trace.on(0).enter(0, "main");
    for (Tick step = 1; step <= 5; ++step) main.call(100 * step, 100 * step + 60, "pthread_barrier_wait");
    main.leave(1000);
    EXPECT_THAT(
        answerOf(trace.write(folder_.path() / "barriers"), "SELECT coalesce(max(iteration), 0) FROM calls"),
        ElementsAre("5"));
}

TEST_F(Query, iterationsOfALoopThatPrintsNowAndThen_areNotThoseOfThePrinting) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main");
    for (Tick step = 0; step < 12; ++step) {
        trace.on(0)
            .call(100 * step + 100, 100 * step + 150, "work")
            .call(100 * step + 160, 100 * step + 180, "swap");
        if (step % 3 == 0) trace.on(0).call(100 * step + 190, 100 * step + 195, "print");
    }
    trace.on(0).leave(2000);
    EXPECT_THAT(
        answerOf(trace.write(folder_.path() / "other"), "SELECT max(iteration), count(iteration) FROM calls"),
        ElementsAre("12 28"));
}

TEST_F(Query, iterationsWhereCallPathsMixPlaces_areNothing) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").call(10, 11, "a").call(20, 21, "b").call(22, 23, "b").call(50, 51, "a");
    trace.on(0)
        .call(52, 53, "b")
        .call(54, 55, "b")

        .call(60, 61, "a")
        .call(70, 71, "b")
        .leave(80);
    EXPECT_THAT(answerOf(trace.write(folder_.path() / "other"), "SELECT DISTINCT iteration FROM calls"),
                ElementsAre("-"));
}

TEST_F(Query, messages_haveBothEndsAndWhoWaited) {
    EXPECT_THAT(ask("SELECT sender, receiver, tag, bytes, send_time, receive_time, late_sender, send_path, "
                    "receive_path, iteration FROM messages WHERE sender = 0 LIMIT 1"),
                ElementsAre("0 1 7 8 0.16 0.175 0.04 main/step/MPI_Send main/step/MPI_Recv 1"));
    EXPECT_THAT(ask("SELECT count(*), sum(bytes) FROM messages"), ElementsAre("5 120"));
    EXPECT_THAT(ask("SELECT * FROM messages WHERE sender = 1"), IsEmpty());
    EXPECT_THAT(ask("SELECT count(*) FROM messages WHERE receiver = 1"), ElementsAre("5"));
}

TEST_F(Query, endOfAMessageThatIsNotKnown_isNothing) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(10, 20, {.peer = 1}).leave(50);
    trace.on(1).enter(0, "main").recv(10, 20, {.peer = 0, .tag = 5}).leave(50);
    EXPECT_THAT(answerOf(trace.write(folder_.path() / "other"),
                         "SELECT sender, receiver, tag, bytes, send_time, receive_time FROM messages"),
                ElementsAre("0 1 0 8 0.01 -", "0 1 5 - - 0.02"));
}

TEST_F(Query, waits_nameTheirCulprit) {
    EXPECT_THAT(ask("SELECT kind, process, culprit_process, call_path, start, duration, iteration FROM waits "
                    "WHERE start > 0.3 LIMIT 1"),
                ElementsAre("mpi_latesender 1 0 main/step/MPI_Recv 0.32 0.04 3"));
    EXPECT_THAT(ask("SELECT kind, round(sum(duration), 6) FROM waits GROUP BY 1"),
                ElementsAre("mpi_latesender 0.2"));
}

TEST_F(Query, waits_tellWhatTheirCulpritDidMeanwhile) {
    EXPECT_THAT(ask("SELECT duration, culprit_path, culprit_time FROM waits WHERE start < 0.2"),
                ElementsAre("0.04 main/step/work 0.03"));
    // Of what comes after the wait and before it, nothing counts; where it is waited for nobody, nothing is
    // known.
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(5, 18, "before").call(20, 22, "short").call(24, 31, "long");
    trace.on(0).send(35, 36, {.peer = 1}).call(40, 90, "after").leave(100);
    trace.on(1).enter(0, "main").recv(15, 37, {.peer = 0}).leave(100);
    EXPECT_THAT(answerOf(trace.write(folder_.path() / "late"),
                         "SELECT culprit, duration, culprit_path, culprit_time FROM waits"),
                ElementsAre("0 0.02 main 0.008"));
}

TEST_F(Query, culpritThatWaitsItself_wasInTheCallThatWaits) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").call(1, 60, "work").send(61, 62, {.peer = 1}).leave(100);
    trace.on(1).enter(0, "main").recv(5, 63, {.peer = 0}).send(65, 66, {.peer = 2}).leave(100);
    trace.on(2).enter(0, "main").recv(10, 67, {.peer = 1}).leave(100);
    EXPECT_THAT(answerOf(trace.write(folder_.path() / "chain"),
                         "SELECT process, culprit_process, culprit_path FROM waits ORDER BY 1"),
                ElementsAre("1 0 main/work", "2 1 main/MPI_Recv"));
}

TEST_F(Query, questionThatIsStoppedBeforeItBegins_endsAndTheNextOneDoesNot) {
    query::RunOptions options;
    options.threads = 1;
    query::Run run(anchor_, options);
    query::Database database(run);
    run.stopped() = true;
    EXPECT_THROW(answerOf(database, "SELECT count(*) FROM calls a, calls b, calls c"), Error);
    EXPECT_THAT(answerOf(database, "SELECT count(*) FROM messages"), ElementsAre("5"));
}

TEST_F(Query, definitions_areTablesOfTheirOwn) {
    EXPECT_THAT(ask("SELECT location, process, thread, kind FROM locations"),
                ElementsAre("0 0 0 thread", "1 1 0 thread"));
    EXPECT_THAT(ask("SELECT paradigm FROM regions WHERE region = 'MPI_Send'"), ElementsAre("mpi"));
    EXPECT_THAT(ask("SELECT call_path, parent FROM call_paths WHERE region = 'work'"),
                ElementsAre("main/step/work main/step"));
}

TEST_F(Query, callsOfWorkers_standBelowTheForkOfTheirMaster) {
    TraceBuilder trace(1, 2);
    trace.on(0, 0).enter(0, "main").fork(10, 2).teamBegin(11).enter(12, "parallel").call(13, 20, "part");
    trace.on(0, 0).leave(30).teamEnd(31).join(32).leave(50);
    trace.on(0, 1).teamBegin(11).enter(12, "parallel").call(15, 25, "part").leave(30).teamEnd(31);
    const auto run = trace.write(folder_.path() / "team");
    EXPECT_THAT(answerOf(run, "SELECT location, call_path, start FROM calls WHERE region = 'part'"),
                ElementsAre("0 main/parallel/part 0.013", "1 main/parallel/part 0.015"));
    EXPECT_THAT(answerOf(run, "SELECT thread, duration FROM calls WHERE region = 'part'"),
                ElementsAre("0 0.007", "1 0.01"));
}

TEST_F(Query, callsThatStandForSeveral_countThem) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").severalCalls(10, 11, "MPI_Test", 7, 20).call(40, 41, "MPI_Test").leave(50);
    const auto run = trace.write(folder_.path() / "polls");
    EXPECT_THAT(answerOf(run, "SELECT count(*), sum(count) FROM calls WHERE region = 'MPI_Test'"),
                ElementsAre("2 8"));
    EXPECT_THAT(answerOf(run, "SELECT calls FROM statistics WHERE region = 'MPI_Test'"), ElementsAre("8"));
}

TEST_F(Query, readings_areValuesWithTheirTimeAndPlace) {
    TraceBuilder trace(1);
    const auto counters = trace.counters({{.name = "CYCLES"}});
    trace.on(0).enter(0, "main").counters(10, counters, {5}).counters(20, counters, {9}).leave(50);
    EXPECT_THAT(answerOf(trace.write(folder_.path() / "counted"),
                         "SELECT location, time, metric, value, call_path, sample FROM readings"),
                ElementsAre("0 0.01 CYCLES 5 main 0", "0 0.02 CYCLES 9 main 0"));
}

TEST_F(Query, statistics_areOfTheSingleCallsOfACallPathInAThread) {
    EXPECT_THAT(
        ask("SELECT location, process, thread, call_path, metric, unit, calls, round(sum, 6), round(mean, "
            "6), "
            "round(least, 6), round(most, 6), round(deviation, 6) FROM statistics WHERE region = 'work'"),
        ElementsAre("0 0 0 main/step/work time sec 5 0.16 0.032 0.03 0.04 0.004472"));
    EXPECT_THAT(ask("SELECT process, calls, deviation FROM statistics WHERE region = 'setup' ORDER BY 1"),
                ElementsAre("0 1 -", "1 1 -"));
    // They say what the calls say.
    EXPECT_THAT(
        ask("SELECT location, call_path, calls, round(sum, 9), round(least, 9), round(most, 9) FROM "
            "statistics "
            "ORDER BY 1, 2"),
        ::testing::ElementsAreArray(
            ask("SELECT location, call_path, sum(count), round(sum(duration), 9), round(min(duration), 9), "
                "round(max(duration), 9) FROM calls GROUP BY 1, 2 ORDER BY 1, 2")));
}

/// Counters are read at enter and leave, before these; those of the program are read at its start only.
TEST_F(Query, statisticsOfCounters_areWhatSingleCallsCounted) {
    TraceBuilder trace(1);
    const auto counters =
        trace.counters({{.name = "MISSES"}, {.name = "LEVEL", .mode = OTF2_METRIC_ABSOLUTE_POINT}});
    LocationScript& thread = trace.on(0).counters(0, counters, {0, 1}).enter(0, "main");
    std::uint64_t misses = 100;
    for (const Tick call : {1U, 2U, 3U}) {
        const Tick begin = 100 * call;
        thread.counters(begin, counters, {misses, 1}).enter(begin, "loop");
        thread.counters(begin + 5, counters, {misses + 1, 7}).enter(begin + 5, "body");
        thread.counters(begin + 6, counters, {misses + 3, 7}).leave(begin + 6);
        misses += 5 * call;
        thread.counters(begin + 10 * call, counters, {misses, 2}).leave(begin + 10 * call);
        misses += 1000;  // elsewhere
    }
    thread.leave(1000);
    const auto run = trace.write(folder_.path() / "counted");
    const auto statistics = [&run](const std::string& region) {
        return answerOf(
            run,
            "SELECT metric, calls, round(sum, 6), round(mean, 6), round(least, 6), round(most, 6), "
            "round(deviation, 6) FROM statistics WHERE region = '" +
                region + "' ORDER BY metric");
    };
    EXPECT_THAT(statistics("loop"), ElementsAre("MISSES 3 30 10 5 15 5", "time 3 0.06 0.02 0.01 0.03 0.01"));
    EXPECT_THAT(statistics("body"), ElementsAre("MISSES 3 6 2 2 2 0", "time 3 0.003 0.001 0.001 0.001 0"));
    EXPECT_THAT(statistics("main"), ElementsAre("time 1 1 1 1 1 -"));
}

/// What conditions save never changes an answer: a `+` before a column keeps them from the table.
TEST_F(Query, conditions_thatTablesKnow_changeNoAnswer) {
    Rows conditions{"+location = 1",
                    "+process <> 0",
                    "+thread = 0.0",
                    "+start >= 0.16",
                    "+start < 0.31",
                    "+\"end\" <= 0.38",
                    "+duration > 0.012",
                    "+region = 'step'",
                    "+iteration = 2",
                    "+iteration > 3",
                    "+iteration < 2.5",
                    "+iteration IS NULL",
                    "+process IN (0, 1)",
                    "+region = 'none'",
                    "+iteration = 99",
                    "+start = 0.16",
                    "+process = NULL",
                    "+region = 'STEP' COLLATE NOCASE",
                    "+region IN ('work', 'MPI_Send')",
                    "+start BETWEEN 0.1 AND 0.2",
                    "+iteration = 3 AND +region = 'MPI_Send'",
                    "+start > 0.2 AND +\"end\" < 0.3"};
    for (const std::string& slow : conditions) {
        std::string quick = slow;
        std::erase(quick, '+');
        const std::string question = "SELECT location, region, start, iteration, own FROM calls WHERE ";
        EXPECT_EQ(ask(question + quick), ask(question + slow)) << quick;
    }
}

TEST_F(Query, answerThatIsNotTakenToItsEnd_endsReading) {
    EXPECT_THAT(ask("SELECT region FROM calls LIMIT 1"), ElementsAre("setup"));
}

TEST_F(Query, callsJoinedWithMessages_areFound) {
    EXPECT_THAT(
        ask("SELECT c.iteration, m.bytes FROM messages m JOIN calls c ON c.location = m.sender_location "
            "AND c.start = m.send_time AND c.region = 'MPI_Send'"),
        SizeIs(5));
}

TEST_F(Query, valuesOfARunThatWasNotAnalyzed_sayWhatToDo) {
    try {
        ask("SELECT * FROM severities");
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("holos analyze"));
    }
}

}  // namespace
}  // namespace holos::testing
