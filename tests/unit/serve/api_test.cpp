// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/api.h"

#include <gmock/gmock.h>

#include "tests/support/small_experiment.h"

namespace holos::testing {
namespace {

using namespace serve;
using nlohmann::json;

algebra::Experiment smallRun(double factor = 1) {
    algebra::Metric ratio = seconds("share");
    ratio.unit = "";
    ratio.origin = algebra::Origin::Ratio;
    ratio.storage = algebra::Storage::PostDerived;
    ratio.expression = "metric::mpi() / metric::time()";
    algebra::Metric hidden = seconds("hidden");
    hidden.ghost = true;
    return SmallExperiment(2, 2)
        .metric(seconds("time"), "",
                {{"main", {1 * factor, 2, 3, 4}},
                 {"main/work", {10, 20, 30, 40}},
                 {"main/MPI_Send", {5, 6, 7, 8}}})
        .metric(seconds("mpi"), "time", {{"main/MPI_Send", {5, 6, 7, 8}}})
        .metric(ratio, "", {})
        .metric(hidden, "", {})
        .take();
}

class ApiTest : public ::testing::Test {
  protected:
    static std::vector<Subject> subjects() {
        return {{"one", std::make_shared<const algebra::Experiment>(smallRun()), {}},
                {"two", std::make_shared<const algebra::Experiment>(smallRun(3)), {}}};
    }
    Answer answer(const std::string& path, std::map<std::string, std::string> parameters = {}) {
        return api_.answer({"/api/" + path, std::move(parameters)});
    }
    json ask(const std::string& path, std::map<std::string, std::string> parameters = {}) {
        const Answer found = answer(path, std::move(parameters));
        EXPECT_EQ(found.status, 200U) << found.body;
        return json::parse(found.body);
    }
    /// `name inclusive exclusive` of the rows below nodes.
    std::string rows(const std::map<std::string, std::string>& parameters) {
        json groups = ask("rows", parameters);
        const auto isPending = [&] {
            return std::any_of(groups.begin(), groups.end(),
                               [](const json& each) { return each["pending"] == true; });
        };
        while (isPending()) groups = ask("rows", parameters);
        std::string text;
        for (const json& group : groups)
            for (const json& row : group["rows"])
                text += (text.empty() ? "" : ", ") + row["name"].get<std::string>() + ' ' +
                        row["inclusive"].dump() + ' ' + row["exclusive"].dump();
        return text;
    }

    Api api_{subjects(), [](const algebra::Experiment&) { return json{{"text", "said"}}; }};
};

TEST_F(ApiTest, rowsOfMetrics_haveValuesWithAndWithoutThoseBelow) {
    EXPECT_EQ(rows({{"tree", "metrics"}, {"node", "roots,0"}}),
              "time 136.0 110.0, share 0.19117647058823528 "
              "0.19117647058823528, mpi 26.0 26.0");
}

TEST_F(ApiTest, rowsOfCallPaths_areOfTheSelectedMetric) {
    EXPECT_EQ(rows({{"tree", "calls"}, {"node", "roots,0"}}),
              "main 136.0 10.0, work 100.0 100.0, MPI_Send 26.0 26.0");
    EXPECT_EQ(rows({{"tree", "calls"}, {"node", "0"}, {"metricAlone", "1"}}),
              "work 100.0 100.0, MPI_Send 0.0 0.0");
    EXPECT_EQ(rows({{"tree", "calls"}, {"node", "roots"}, {"metric", "2"}}), "main 0.19117647058823528 0.0");
}

TEST_F(ApiTest, rowsOfTheSystem_areOfTheSelectedMetricAndCallPath) {
    EXPECT_EQ(rows({{"tree", "system"}, {"node", "roots"}}).substr(0, 1), "c");
    const json roots = ask("rows", {{"tree", "system"}, {"node", "roots"}});
    EXPECT_EQ(roots[0]["rows"][0]["inclusive"], 136.0);
    EXPECT_EQ(ask("rows", {{"tree", "system"},
                           {"node", "roots"},
                           {"path", "0"},
                           {"pathAlone", "1"}})[0]["rows"][0]["inclusive"],
              10.0);
    EXPECT_EQ(ask("rows", {{"tree", "system"}, {"node", "roots"}, {"path", "1"}})[0]["rows"][0]["inclusive"],
              100.0);
}

TEST_F(ApiTest, rowsInParts_sayHowManyThereAre) {
    const json part = ask("rows", {{"tree", "calls"}, {"node", "0"}, {"from", "1"}, {"count", "1"}});
    EXPECT_EQ(part[0]["total"], 2);
    ASSERT_EQ(part[0]["rows"].size(), 1U);
    EXPECT_EQ(part[0]["rows"][0]["name"], "MPI_Send");
}

TEST_F(ApiTest, difference_isTheFirstMinusTheSecond) {
    EXPECT_EQ(rows({{"tree", "calls"}, {"node", "roots,0"}, {"experiment", "1-0"}}),
              "main 2.0 2.0, work 0.0 0.0, MPI_Send 0.0 0.0");
}

TEST_F(ApiTest, search_findsNodesWithThoseAboveThem) {
    const json found = ask("search", {{"tree", "calls"}, {"text", "mpi_"}});
    EXPECT_EQ(found.dump(), R"({"count":1,"found":[{"above":[0],"node":2}]})");
    EXPECT_EQ(ask("search", {{"tree", "metrics"}, {"text", "hidden"}})["count"], 0);
    EXPECT_EQ(ask("search", {{"tree", "metrics"}, {"text", ""}})["count"], 0);
}

TEST_F(ApiTest, summary_isWhatIsSaidOfTheExperiment) {
    EXPECT_EQ(ask("summary")["text"], "said");
}

TEST_F(ApiTest, experiments_areListed) {
    const json list = ask("experiments");
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[1]["name"], "two");
    EXPECT_EQ(list[1]["threads"], 4);
    EXPECT_EQ(list[1]["timeline"], false);
}

TEST_F(ApiTest, queriesForWhatThereIsNot_areRefused) {
    using Parameters = std::map<std::string, std::string>;
    for (const auto& [path, parameters] : std::vector<std::pair<std::string, Parameters>>{
             {"rows", {}},
             {"rows", {{"tree", "others"}, {"node", "0"}}},
             {"rows", {{"tree", "calls"}}},
             {"rows", {{"tree", "calls"}, {"node", "99"}}},
             {"rows", {{"tree", "calls"}, {"node", "-1"}}},
             {"rows", {{"tree", "calls"}, {"node", "1,"}}},
             {"rows", {{"tree", "calls"}, {"node", "0"}, {"metric", "99999999999999999999"}}},
             {"rows", {{"tree", "calls"}, {"node", "0"}, {"metric", "4"}}},
             {"rows", {{"tree", "system"}, {"node", "0"}, {"path", "3"}}},
             {"rows", {{"tree", "calls"}, {"node", "0"}, {"experiment", "2"}}},
             {"rows", {{"tree", "calls"}, {"node", "0"}, {"experiment", "0-2"}}},
             {"rows", {{"tree", "calls"}, {"node", "0"}, {"experiment", "0-"}}},
             {"flame", {{"path", "x"}}},
             {"timeline", {}},
         })
        EXPECT_EQ(answer(path, parameters).status, 400U) << path << ' ' << json(parameters);
    std::string many = "0";
    for (int at = 0; at < 1000; ++at) many += ",0";
    EXPECT_EQ(answer("rows", {{"tree", "calls"}, {"node", many}}).status, 400U);
    EXPECT_EQ(answer("../../etc/passwd").status, 404U);
}

}  // namespace
}  // namespace holos::testing
