// SPDX-License-Identifier: BSD-3-Clause
// Parts of runs, several experiments as one, and single events, as the client asks for them.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "analyzer/analyze.h"
#include "base/error.h"
#include "report/serve/api.h"
#include "report/serve/views.h"
#include "tests/support/small_experiment.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using namespace serve;
using nlohmann::json;
using Parameters = std::map<std::string, std::string>;

/// Two runs of two processes: `main` calls `work` and MPI_Send, which `work` calls as well.
class ViewsTest : public ::testing::Test {
  protected:
    static algebra::Experiment run(double factor) {
        return SmallExperiment(2, 1)
            .metric(seconds("time"), "",
                    {{"main", {1 * factor, 2}},
                     {"main/work", {10, 20}},
                     {"main/work/MPI_Send", {3, 4}},
                     {"main/MPI_Send", {5, 6 * factor}}})
            .take();
    }
    static std::vector<Subject> subjects() {
        std::vector<Subject> all;
        for (const double factor : {1.0, 3.0})
            all.push_back({.name = std::to_string(factor),
                           .experiment = std::make_shared<const algebra::Experiment>(run(factor)),
                           .trace = {}});
        return all;
    }
    Answer answer(const std::string& path, const Parameters& parameters) {
        for (;;) {
            Answer found = api_->answer({"/api/" + path, parameters});
            if (found.status != 202) return found;
        }
    }
    json ask(const std::string& path, const Parameters& parameters) {
        const Answer found = answer(path, parameters);
        EXPECT_EQ(found.status, 200U) << found.body;
        return json::parse(found.body);
    }
    /// `name value` of the rows below nodes that are found by their keys; `roots` first.
    std::string calls(Parameters parameters, const std::vector<std::string>& open = {"main", "main/work"}) {
        std::string nodes = "roots";
        for (const std::string& key : open) {
            Parameters place = parameters;
            place.insert({{"tree", "calls"}, {"key", key}});
            const Answer found = answer("place", place);
            if (found.status == 200) nodes += ',' + json::parse(found.body)["node"].dump();
        }
        parameters.insert({{"tree", "calls"}, {"node", nodes}});
        std::string text;
        for (const json& group : ask("rows", parameters))
            for (const json& row : group["rows"])
                text += (text.empty() ? "" : ", ") + row["name"].get<std::string>() + ' ' +
                        row["inclusive"].dump();
        return text;
    }

    std::unique_ptr<Api> api_ =
        std::make_unique<Api>(subjects(), [](const algebra::Experiment&) { return json{}; });
};

TEST_F(ViewsTest, partOfCallPaths_hasTheValuesBelowThem) {
    EXPECT_EQ(calls({}), "main 51.0, work 37.0, MPI_Send 11.0, MPI_Send 7.0");
    EXPECT_EQ(calls({{"part", "only-call=main/work"}}), "main 37.0, work 37.0, MPI_Send 7.0");
    EXPECT_EQ(calls({{"part", "only-call=main/work/MPI_Send,only-call=main/MPI_Send"}}),
              "main 18.0, work 7.0, MPI_Send 11.0, MPI_Send 7.0");
}

TEST_F(ViewsTest, partOfRegionsAndKinds_hasTheirCallsAlone) {
    EXPECT_EQ(calls({{"part", "only-region=MPI_Send"}}), "main 18.0, work 7.0, MPI_Send 11.0, MPI_Send 7.0");
    EXPECT_EQ(calls({{"part", "only-region=MPI_Send,only-call=main/work"}}),
              "main 7.0, work 7.0, MPI_Send 7.0");
    const std::string kind = ask("place", {{"tree", "calls"}, {"key", "main"}})["kind"];
    EXPECT_EQ(calls({{"part", "only-kind=" + kind}}, {}), "main 51.0");
}

TEST_F(ViewsTest, partOfTheSystem_isFoundByItsKey) {
    const json roots = ask("rows", {{"tree", "system"}, {"node", "roots"}})[0]["rows"];
    const json found = ask("search", {{"tree", "system"}, {"text", "rank 1"}})["found"];
    ASSERT_FALSE(found.empty());
    const std::string key = ask("place", {{"tree", "system"}, {"node", found[0]["node"].dump()}})["key"];
    EXPECT_EQ(calls({{"part", "only-system=" + key}}, {}), "main 32.0") << key;
    EXPECT_EQ(ask("rows", {{"tree", "system"}, {"node", "roots"}, {"part", "only-system=" + key}})[0]["rows"]
                  .size(),
              roots.size());
}

TEST_F(ViewsTest, places_haveKeysThatLeadBackToThem) {
    for (const char* tree : {"metrics", "calls", "system"})
        for (std::size_t node = 0; node < (std::string(tree) == "metrics" ? 1U : 3U); ++node) {
            const json place = ask("place", {{"tree", tree}, {"node", std::to_string(node)}});
            EXPECT_EQ(place["node"], node);
            EXPECT_EQ(ask("place", {{"tree", tree}, {"key", place["key"]}}), place);
        }
    EXPECT_EQ(answer("place", {{"tree", "calls"}, {"key", "main/nothing"}}).status, 400U);
    EXPECT_EQ(answer("place", {{"tree", "calls"}, {"key", "main;2"}}).status, 400U);
    EXPECT_EQ(answer("place", {{"tree", "calls"}, {"key", "%"}}).status, 400U);
}

TEST_F(ViewsTest, severalExperiments_areCombined) {
    EXPECT_EQ(calls({{"experiment", "0-1"}}, {}), "main -14.0");
    EXPECT_EQ(calls({{"experiment", "mean:0,1"}}, {}), "main 58.0");
    EXPECT_EQ(calls({{"experiment", "merge:1,0"}}, {}), "main 58.0");
    EXPECT_EQ(calls({{"experiment", "mean:0,1"}, {"part", "only-call=main/MPI_Send"}}, {}), "main 17.0");
}

TEST_F(ViewsTest, whatThereIsNot_isRefusedWithTheReason) {
    for (const auto& [experiment, part] : std::vector<std::pair<std::string, std::string>>{
             {"mean:", ""},
             {"mean:0,2", ""},
             {"merge:0-1", ""},
             {"0-1-0", ""},
             {"0", "only-call=nothing"},
             {"0", "only-system=nothing/at/all"},
             {"0", "only-region=nothing"},
             {"0", "only-kind=nothing"},
             {"0", "only-call="},
             {"0", "only-all=main"},
             {"0", "range=2:1"},
             {"0", "range=nan:1"},
             {"0", "range=-1:1"},
             {"0", "range=0:1"},
             {"0-1", "range=0:1"},
             {"0", "only-region=%0"},
         }) {
        const Answer found = answer(
            "rows", {{"tree", "calls"}, {"node", "roots"}, {"experiment", experiment}, {"part", part}});
        EXPECT_EQ(found.status, 400U) << experiment << ' ' << part;
        EXPECT_FALSE(json::parse(found.body)["error"].get<std::string>().empty());
    }
    std::string many = "only-region=MPI_Send";
    for (int at = 0; at < 1000; ++at) many += ",only-region=MPI_Send";
    EXPECT_EQ(answer("rows", {{"tree", "calls"}, {"node", "roots"}, {"part", many}}).status, 400U);
}

TEST_F(ViewsTest, renewedExperiment_isShownInAllThatIsMadeOfIt) {
    EXPECT_EQ(calls({{"experiment", "0-1"}}, {}), "main -14.0");
    Subject more = subjects()[1];
    more.live = "more of it";
    api_->renew(0, more);
    EXPECT_EQ(calls({}, {}), "main 65.0");
    EXPECT_EQ(calls({{"experiment", "0-1"}}, {}), "main 0.0");
    EXPECT_EQ(ask("experiments", {})[0]["live"], "more of it");
    EXPECT_EQ(ask("experiments", {})[1]["live"], nullptr);
}

/// Two processes: `main` of 1000 ticks, the second sends 10 bytes in its middle, for which the first waits.
class EventsTest : public ViewsTest {
  protected:
    EventsTest() {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").recv(100, 600, {.peer = 1, .bytes = 10}).leave(1000);
        trace.on(1).enter(0, "main").send(500, 600, {.peer = 0, .bytes = 10}).leave(1000);
        const auto anchor = trace.write(folder_.path());
        api_ = std::make_unique<Api>(
            std::vector<Subject>{{.name = "run",
                                  .experiment = std::make_shared<const algebra::Experiment>(
                                      analyzer::analyze(anchor).experiment),
                                  .trace = anchor}},
            [](const algebra::Experiment&) { return json{}; });
    }
    /// The values of a column.
    std::string column(const std::string& name, Parameters parameters) {
        parameters.emplace("table", "calls");
        const json found = ask("table", parameters);
        const auto& columns = found["columns"];
        const auto at = std::find(columns.begin(), columns.end(), name) - columns.begin();
        std::string text;
        for (const json& row : found["rows"])
            text += (text.empty() ? "" : " ") +
                    (row[at].is_string() ? row[at].get<std::string>() : row[at].dump());
        return text;
    }

    TemporaryDirectory folder_;
};

TEST_F(EventsTest, tables_areListedWithTheirColumns) {
    const json tables = ask("tables", {});
    ASSERT_EQ(tables.size(), 4U);
    EXPECT_EQ(tables[0]["name"], "calls");
    EXPECT_EQ(tables[0]["columns"][3]["name"], "region");
    EXPECT_EQ(tables[0]["columns"][3]["number"], false);
    for (const json& column : tables[0]["columns"])
        EXPECT_TRUE(column["name"] != "duration" || column["unit"] == "sec");
}

TEST_F(EventsTest, rows_areSortedAndChosenByTheServer) {
    EXPECT_EQ(column("region", {{"order", "duration"}}), "main main MPI_Recv MPI_Send");
    EXPECT_EQ(column("region", {{"order", "duration"}, {"leastFirst", "1"}}), "MPI_Send MPI_Recv main main");
    EXPECT_EQ(column("region", {{"order", "duration"}, {"filter", "MPI_"}}), "MPI_Recv MPI_Send");
    EXPECT_EQ(column("process", {{"filter", "region = MPI_Send"}}), "1");
    EXPECT_EQ(column("region", {{"filter", "region ~ Rec, process < 1"}}), "MPI_Recv");
    EXPECT_EQ(column("region", {{"filter", "region = \"it's, not there\""}}), "");
    EXPECT_EQ(column("bytes", {{"table", "messages"}}), "10");
    EXPECT_EQ(column("process", {{"table", "waits"}, {"order", "duration"}}), "0");
    const json part =
        ask("table", {{"table", "calls"}, {"order", "duration"}, {"from", "2"}, {"count", "1"}});
    EXPECT_EQ(part["total"], 4);
    EXPECT_EQ(part["isAll"], true);
    EXPECT_EQ(part["rows"].size(), 1U);
}

TEST_F(EventsTest, rows_areOfThePartThatIsShown) {
    EXPECT_EQ(column("region", {{"part", "only-region=MPI_Send"}}), "MPI_Send");
    EXPECT_EQ(column("region", {{"part", "only-call=main/MPI_Recv"}}), "MPI_Recv");
    EXPECT_EQ(column("region", {{"part", "only-kind=MPI"}, {"order", "duration"}}), "MPI_Recv MPI_Send");
    const json found = ask("search", {{"tree", "system"}, {"text", "rank 1"}})["found"];
    ASSERT_EQ(found.size(), 1U);
    const std::string key = ask("place", {{"tree", "system"}, {"node", found[0]["node"].dump()}})["key"];
    EXPECT_EQ(column("process", {{"part", "only-system=" + key}}), "1 1");
    EXPECT_EQ(column("bytes", {{"table", "messages"}, {"part", "only-system=" + key}}), "10");
}

TEST_F(EventsTest, rangeOfTime_isAnalyzedFromTheTrace) {
    const json calls = ask("table", {{"table", "calls"}, {"order", "duration"}});
    const double whole = calls["rows"][0][4];
    const std::string half = "range=0:" + std::to_string(whole / 2);
    const json all = ask("rows", {{"tree", "calls"}, {"node", "roots"}});
    const json first = ask("rows", {{"tree", "calls"}, {"node", "roots"}, {"part", half}});
    EXPECT_NEAR(first[0]["rows"][0]["inclusive"].get<double>(),
                all[0]["rows"][0]["inclusive"].get<double>() / 2, 1e-9 + whole * 1e-3);
    EXPECT_EQ(column("region", {{"part", "range=0:" + std::to_string(whole * 0.3)}, {"filter", "MPI_"}}),
              "MPI_Recv");
}

TEST_F(EventsTest, questionsThatSayNothing_areRefused) {
    for (const Parameters& parameters : std::vector<Parameters>{
             {},
             {{"table", "sqlite_master"}},
             {{"table", "calls"}, {"order", "nothing"}},
             {{"table", "calls"}, {"order", "duration; DROP TABLE calls"}},
             {{"table", "calls"}, {"filter", "nothing = 1"}},
             {{"table", "calls"}, {"filter", "duration > much"}},
             {{"table", "calls"}, {"from", "-1"}},
         })
        EXPECT_EQ(answer("table", parameters).status, 400U) << json(parameters);
    EXPECT_EQ(column("region", {{"filter", "' OR 1=1 --"}}), "");
    EXPECT_EQ(column("region", {{"filter", "region = x' OR '1'='1"}}), "");
}

TEST_F(EventsTest, recordingThatHasEnded_isRenewedOnceAndAsAWhole) {
    std::vector<Subject> renewed;
    std::atomic<bool> isDone = false;
    const LiveRuns live({{3, folder_.path()}}, {.isLookedAt = [] { return true; },
                                                .renew =
                                                    [&](std::size_t number, const Subject& subject) {
                                                        EXPECT_EQ(number, 3U);
                                                        renewed.push_back(subject);
                                                        isDone = true;
                                                    },
                                                .leastRest = std::chrono::milliseconds(1)});
    while (!isDone) std::this_thread::yield();
    EXPECT_EQ(renewed.front().live, "");
    EXPECT_FALSE(renewed.front().trace.empty());
    EXPECT_GT(renewed.front().experiment->callTree.size(), 2U);
}

TEST_F(EventsTest, recordingThatNobodyLooksAt_isNotAnalyzed) {
    std::atomic<int> looks = 0;
    std::atomic<int> renewals = 0;
    {
        const LiveRuns live({{0, folder_.path()}}, {.isLookedAt =
                                                        [&] {
                                                            ++looks;
                                                            return false;
                                                        },
                                                    .renew = [&](std::size_t, const Subject&) { ++renewals; },
                                                    .leastRest = std::chrono::microseconds(1)});
        while (looks < 3) std::this_thread::yield();
    }
    EXPECT_EQ(renewals, 0);
}

TEST(Workshop, whatWasMade_isGivenAgainUntilTooMuchIsKept) {
    Workshop<int> workshop(2);
    int made = 0;
    const auto make = [&made](const auto& tell) {
        tell(0.5);
        return std::make_shared<int>(++made);
    };
    const auto soon = [] { return std::chrono::steady_clock::now() + std::chrono::minutes(1); };
    EXPECT_EQ(*workshop.take("one", make, soon()), 1);
    EXPECT_EQ(*workshop.take("one", make, soon()), 1);
    EXPECT_EQ(*workshop.take("two", make, soon()), 2);
    EXPECT_EQ(*workshop.take("three", make, soon()), 3);
    EXPECT_EQ(*workshop.take("one", make, soon()), 4);  // it was dropped
}

TEST(Workshop, whatCannotBeMade_throwsAndIsTriedAgain) {
    Workshop<int> workshop(2);
    bool isBroken = true;
    const auto make = [&isBroken](const auto&) {
        if (isBroken) throw Error("broken");
        return std::make_shared<int>(7);
    };
    const auto soon = [] { return std::chrono::steady_clock::now() + std::chrono::minutes(1); };
    EXPECT_THROW(workshop.take("one", make, soon()), Error);
    isBroken = false;
    EXPECT_EQ(*workshop.take("one", make, soon()), 7);
}

TEST(Workshop, whatTakesLong_isToBeAskedForAgain_andEndsWithTheWorkshop) {
    std::atomic<bool> isBegun = false;
    Workshop<int> workshop(2);
    const auto make = [&isBegun](const auto& tell) -> std::shared_ptr<int> {
        for (;;) {
            tell(0.25);
            isBegun = true;
            std::this_thread::yield();
        }
    };
    EXPECT_THROW(workshop.take("one", make, {}), NotYet);
    while (!isBegun) std::this_thread::yield();
    EXPECT_THROW(workshop.take("one", make, {}), NotYet);
}

}  // namespace
}  // namespace holos::testing
