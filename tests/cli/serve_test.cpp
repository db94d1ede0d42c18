// SPDX-License-Identifier: BSD-3-Clause
// `holos serve`: the same numbers as `holos show`, its messages, and its client in Chromium where that is
// installed.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "algebra/files/cubex.h"
#include "tests/cli/command_test.h"
#include "tests/cli/served_command.h"
#include "tests/support/large_experiment.h"
#include "tests/support/small_experiment.h"
#include "tests/support/trace_builder.h"
#include "tests/unit/serve/http_client.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;

class ServeTest : public CommandTest {
  protected:
    std::string written(const std::string& name, const algebra::Experiment& experiment) {
        algebra::writeCubex(experiment, file(name));
        return file(name);
    }
    static algebra::Experiment run() {
        return SmallExperiment(2, 2)
            .metric(
                seconds("time"), "",
                {{"main", {1, 2, 3, 4}}, {"main/work", {10, 20, 30, 40}}, {"main/MPI_Send", {5, 6, 7, 8}}})
            .metric(seconds("mpi"), "time", {{"main/MPI_Send", {5, 6, 7, 8}}})
            .take();
    }
};

TEST_F(ServeTest, addressAndTunnel_areSaid_andAnInterruptEndsIt) {
    ServedCommand served({"serve", written("run.cubex", run())});
    EXPECT_THAT(served.said(), HasSubstr("From another machine, first: ssh -N -L " +
                                         std::to_string(served.port()) + ":127.0.0.1:"));
    EXPECT_EQ(served.token().size(), 48U);
    EXPECT_EQ(served.ask("experiments")[0]["callPaths"], 3);
    EXPECT_EQ(served.end(SIGINT), 0);
}

TEST_F(ServeTest, socket_isSaidAndServes) {
    const std::string socket = file("socket");
    ServedCommand served({"serve", written("run.cubex", run()), "--socket", socket});
    EXPECT_THAT(served.said(), HasSubstr(":" + socket + " "));
    const Connection connection(socket);
    connection.send(get("/api/experiments", served.token()));
    EXPECT_EQ(statusOf(connection.answer()), 200);
    EXPECT_EQ(served.end(SIGTERM), 0);
    EXPECT_FALSE(std::filesystem::exists(socket));
}

TEST_F(ServeTest, withoutRequests_endsWhenIdle) {
    ServedCommand served({"serve", written("run.cubex", run()), "--idle", "10ms"});
    EXPECT_EQ(served.wait(), 0);
}

TEST_F(ServeTest, files_areNotReadOnRequest) {
    ServedCommand served({"serve", written("run.cubex", run())});
    for (const char* target :
         {"/run.cubex", "/../run.cubex", "/%2e%2e/%2e%2e/etc/passwd", "/api/../main.js", "//etc/passwd"}) {
        const Connection connection(served.port());
        connection.send(get(target, served.token()));
        EXPECT_EQ(statusOf(connection.answer()), 404) << target;
    }
}

TEST_F(ServeTest, whatIsNoExperiment_isAnError) {
    const CommandResult result = holos({"serve", file("nothing.cubex")});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("nothing.cubex"));
    EXPECT_EQ(holos({"serve"}).exitCode, 2);
}

/// A program in the place of ssh: it writes its words down and runs the command on this machine.
class OtherMachineTest : public ServeTest {
  protected:
    OtherMachineTest() {
        std::filesystem::create_directory(file("bin"));
        std::ofstream(file("bin/ssh")) << "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" << file("words")
                                       << "'\nwhile [ $1 != -- ]; do shift; done\nexec sh -c \"exec $3\"\n";
        std::filesystem::permissions(file("bin/ssh"), std::filesystem::perms::owner_all);
        ::setenv("PATH", (file("bin") + ':' + path_).c_str(), 1);
    }
    ~OtherMachineTest() override { ::setenv("PATH", path_.c_str(), 1); }

    const std::string path_ = ::getenv("PATH");
};

TEST_F(OtherMachineTest, experimentThere_isServedOnThePortThatSshLeadsTo) {
    const std::string experiment = written("it's; a run.cubex", run());
    ServedCommand served({"serve", "me@login1:" + experiment, "--there", HOLOS_PROGRAM, "--idle", "1h"});
    EXPECT_EQ(served.ask("experiments")[0]["name"], experiment);
    std::ifstream written(file("words"));
    std::vector<std::string> words;
    for (std::string word; std::getline(written, word);) words.push_back(word);
    const std::string port = std::to_string(served.port());
    EXPECT_THAT(words, ::testing::Contains("127.0.0.1:" + port + ":127.0.0.1:" + port));
    EXPECT_THAT(words, ::testing::Contains("me@login1"));
    EXPECT_EQ(served.end(SIGINT), 0);
}

TEST_F(OtherMachineTest, failureOfSsh_isTheCommandsFailure) {
    std::ofstream(file("bin/ssh")) << "#!/bin/sh\necho no such host >&2\nexit 255\n";
    const CommandResult result = holos({"serve", "nowhere:run"});
    EXPECT_EQ(result.exitCode, 255);
    EXPECT_THAT(result.output, HasSubstr("no such host"));
}

TEST_F(OtherMachineTest, namesThatAreOptionsOrOfSeveralMachines_areRefused) {
    for (const std::vector<std::string>& files : std::vector<std::vector<std::string>>{
             {"-oProxyCommand=x:run"}, {"one:run", "other:run"}, {"one:run", written("run.cubex", run())}}) {
        std::vector<std::string> words{"serve", "--"};
        words.insert(words.end(), files.begin(), files.end());
        EXPECT_EQ(holos(words).exitCode, 1) << files.front();
        EXPECT_FALSE(std::filesystem::exists(file("words")));
    }
}

TEST_F(OtherMachineTest, fileOfThisMachineWithAColon_isMeantItself) {
    const std::string name = "a:b.cubex";
    const std::filesystem::path before = std::filesystem::current_path();
    written(name, run());
    std::filesystem::current_path(file("."));
    ServedCommand served({"serve", name});
    EXPECT_EQ(served.ask("experiments")[0]["name"], name);
    std::filesystem::current_path(before);
    EXPECT_FALSE(std::filesystem::exists(file("words")));
}

TEST_F(ServeTest, rowsOnRandomWalks_haveTheNumbersOfShow) {
    const std::string experiment =
        written("run.cubex",
                largeExperiment({.metrics = 4, .callPaths = 60, .ranks = 5, .threads = 3, .density = 0.6}));
    ServedCommand served({"serve", experiment});
    for (int metric = 0; metric < 4; ++metric) {
        const std::string chosen = "&metric=" + std::to_string(metric);
        const nlohmann::json roots = served.ask("rows?tree=metrics&node=roots");
        const nlohmann::json about = served.ask("metric?" + chosen.substr(1));
        const std::string name = about["uniqueName"];
        const nlohmann::json shown = nlohmann::json::parse(
            holos({"show", experiment, "--metric", name, "--top", "0", "--format", "json"}).output);
        EXPECT_EQ(about["value"], shown["value"]);
        std::map<std::string, nlohmann::json> paths;
        for (const nlohmann::json& path : shown["callPaths"]) paths[path["callPath"]] = path;
        std::mt19937 random(static_cast<unsigned>(metric));
        std::size_t compared = 0;
        for (int walk = 0; walk < 12; ++walk) {
            std::string node = "roots", path;
            for (;;) {
                const nlohmann::json rows = served.ask("rows?tree=calls&node=" + node + chosen)[0]["rows"];
                if (rows.empty()) break;
                const nlohmann::json& row = rows[random() % rows.size()];
                path += (path.empty() ? "" : "/") + row["name"].get<std::string>();
                if (paths.contains(path)) {
                    EXPECT_EQ(row["inclusive"], paths[path]["inclusive"]) << path;
                    EXPECT_EQ(row["exclusive"], paths[path]["exclusive"]) << path;
                    ++compared;
                } else {
                    EXPECT_EQ(row["exclusive"], 0.0) << path;
                }
                node = std::to_string(row["node"].get<std::size_t>());
            }
        }
        EXPECT_GT(compared, 10U);
        std::map<std::string, double> threads;
        for (const nlohmann::json& part : shown["locations"])
            threads[part["process"].get<std::string>() + '/' + part["thread"].get<std::string>()] =
                part["value"];
        ASSERT_EQ(threads.size(), 15U);
        std::size_t seen = 0;
        const std::function<void(const std::string&, const std::string&)> walkAll =
            [&](const std::string& node, const std::string& above) {
                const nlohmann::json rows = served.ask("rows?tree=system&node=" + node + chosen)[0]["rows"];
                for (const nlohmann::json& row : rows) {
                    const std::string part = row["name"];
                    if (row["children"] == 0) {
                        EXPECT_EQ(row["inclusive"], threads.at(above + '/' + part));
                        ++seen;
                    } else {
                        walkAll(std::to_string(row["node"].get<std::size_t>()), part);
                    }
                }
            };
        walkAll("roots", "");
        EXPECT_EQ(seen, 15U);
    }
}

TEST_F(ServeTest, answersAboutALargeExperiment_areSmall) {
    const std::string experiment = written(
        "run.cubex",
        largeExperiment({.metrics = 2, .callPaths = 3000, .ranks = 4096, .threads = 1, .density = 0.01}));
    ServedCommand served({"serve", experiment});
    served.ask("rows?tree=metrics&node=roots");
    served.ask("rows?tree=calls&node=roots,0,1,2");
    served.ask("rows?tree=system&node=roots,0,1,2,3&path=0");
    EXPECT_LT(served.largest(), 50'000U);
    served.ask("search?tree=system&text=rank");
    served.ask("flame?pixels=1200");
    EXPECT_LT(served.largest(), 120'000U);
}

/// The words of the client are tested where a web browser is.
class ServedPage : public ServeTest {
  protected:
    void SetUp() override {
        for (const char* name : {"chromium", "google-chrome"})
            if (runCommand({"sh", "-c", std::string("command -v ") + name}).exitCode == 0) program_ = name;
        if (program_.empty()) GTEST_SKIP() << "no Chromium here";
    }
    std::string program_;
};

TEST_F(ServedPage, clicksKeysAndScreenReaders_findWhatIsThere) {
    std::filesystem::create_directory(file("run"));
    written("run/analysis.cubex", run());
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank)
        trace.on(rank).enter(0, "main").enter(100, "MPI_Send").leave(200).leave(1000);
    trace.write(file("run"));
    ServedCommand served({"serve", file("run"), written("again.cubex", run())});
    const CommandResult walk =
        runCommand({"python3", HOLOS_DRIVE_CLIENT, program_, served.address(), file("profile")});
    EXPECT_EQ(walk.exitCode, 0) << walk.output;
}

}  // namespace
}  // namespace holos::testing
