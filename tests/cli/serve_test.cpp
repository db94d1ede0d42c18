// SPDX-License-Identifier: BSD-3-Clause
// `holos serve`: the same numbers as `holos show`, its messages, and its client in Chromium where that is
// installed.
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "algebra/files/cubex.h"
#include "algebra/model/metric_values.h"
#include "algebra/model/queries.h"
#include "algebra/operators/history/recorded_run.h"
#include "algebra/operators/rows/regroup.h"
#include "base/error.h"
#include "report/far/answers.h"
#include "report/far/far_experiment.h"
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

/// What `holos view` opens there.
class FarExperimentTest : public OtherMachineTest {
  protected:
    static algebra::Experiment opened(const std::string& path) {
        return far::openFar({"me@login1", path}, HOLOS_PROGRAM);
    }
    /// Lets the program in the place of ssh run this: `$3` is the command.
    void letSsh(const std::string& script) {
        std::ofstream(file("bin/ssh")) << "#!/bin/sh\nwhile [ $1 != -- ]; do shift; done\n" << script << '\n';
    }
    template <class Work>
    static std::string whyNot(Work work) {
        try {
            work();
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }
};

TEST_F(FarExperimentTest, rowsAndWhatTheyComeTo_areThoseOfTheFile) {
    algebra::Metric least = seconds("least");
    least.valueType = algebra::ValueType::MinDouble;
    const std::string name =
        written("a run.cubex",
                SmallExperiment(2, 2)
                    .metric(seconds("time"), "", {{"main", {1, 2, 3, 4}}, {"main/MPI_Send", {5, 6, 7, 8}}})
                    .metric(least, "", {{"main/work", {4, 3, 2, 1}}})
                    .counter("faults", {{"main/work", {10, 20, 30, 40}}})
                    .file("holos.spec", "text")
                    .take());
    const algebra::Experiment here = algebra::readCubex(name), there = opened(name);
    EXPECT_EQ(there.files, here.files);
    const std::vector paths{algebra::CallPathId(0), algebra::CallPathId(2)};
    for (const algebra::MetricId metric : here.metrics.ids()) {
        const algebra::RowsPtr mine = here.severities.rows(metric), far = there.severities.rows(metric);
        ASSERT_TRUE(far->isFar());
        std::vector<double> one(4), other(4);
        std::string oneStored, otherStored;
        for (const algebra::CallPathId path : here.callTree.ids()) {
            EXPECT_TRUE(std::ranges::equal(far->row(path, one), mine->row(path, other)));
            const auto stored = far->storedRow(path, oneStored), wanted = mine->storedRow(path, otherStored);
            EXPECT_EQ(stored.has_value(), metric.index() == 2 && wanted);
            if (stored) {
                EXPECT_EQ(stored->bytes, wanted->bytes);
            }
        }
        const auto whole = mine->table();
        const auto wantedAt = [&](algebra::LocationId location, algebra::CallPathId path) {
            return whole->at(path, location);
        };
        const auto combined = [&](double a, double b) {
            return metric.index() == 1 ? std::min(a, b) : a + b;
        };
        const std::vector<double> byLocation = far->elsewhere()->byLocation(paths);
        for (const std::size_t at : {0, 1, 2, 3})
            EXPECT_EQ(byLocation[at], combined(wantedAt(algebra::LocationId(at), paths[0]),
                                               wantedAt(algebra::LocationId(at), paths[1])));
        const std::vector locations{algebra::LocationId(1), algebra::LocationId(3)};
        const std::vector<double> byPath = far->elsewhere()->byCallPath(locations);
        for (const algebra::CallPathId path : here.callTree.ids())
            EXPECT_EQ(byPath[path.index()],
                      combined(wantedAt(locations[0], path), wantedAt(locations[1], path)));
    }
    EXPECT_EQ(canonicalValues(there), canonicalValues(here));
}

TEST_F(FarExperimentTest, queries_haveTheAnswersOfTheFile_andAskNoOneTwice) {
    const std::string path = written(
        "large.cubex",
        largeExperiment({.metrics = 2, .callPaths = 300, .ranks = 512, .threads = 2, .density = 0.7}));
    const algebra::Experiment here = algebra::readCubex(path), there = opened(path);
    std::mt19937 random(1);
    for (int round = 0; round < 20; ++round) {
        const algebra::MetricChoice metric{algebra::MetricId(random() % 2)};
        const algebra::ChosenPaths paths{{algebra::CallPathId(random() % 300), algebra::Extent::Inclusive}};
        const algebra::ChosenLocations locations{algebra::LocationId(random() % 1024)};
        EXPECT_EQ(algebra::perLocation(there, metric, paths), algebra::perLocation(here, metric, paths));
        EXPECT_EQ(algebra::perLocation(there, metric), algebra::perLocation(here, metric));
        EXPECT_EQ(algebra::perCallPath(there, metric, algebra::Extent::Inclusive, locations),
                  algebra::perCallPath(here, metric, algebra::Extent::Inclusive, locations));
        EXPECT_EQ(algebra::aggregate(there, metric), algebra::aggregate(here, metric));
        EXPECT_TRUE(algebra::isAnsweredQuickly(there, metric, {}));
        EXPECT_FALSE(there.severities.isInMemory(metric.metric));
    }
}

TEST_F(FarExperimentTest, valuesThatWereNotAskedFor_areNotAnsweredQuickly) {
    const algebra::Experiment there = opened(written("run.cubex", run()));
    const algebra::MetricChoice time{algebra::MetricId(0)};
    EXPECT_FALSE(algebra::isAnsweredQuickly(there, time, {}));
    EXPECT_EQ(algebra::aggregate(there, time), 136);
    EXPECT_TRUE(algebra::isAnsweredQuickly(there, time, {}));
}

TEST_F(FarExperimentTest, whatAShellSaysFirst_isPassedOver) {
    letSsh("echo Welcome; exec sh -c \"exec $3\"");
    EXPECT_EQ(algebra::aggregate(opened(written("run.cubex", run())), {algebra::MetricId(0)}), 136);
}

TEST_F(FarExperimentTest, whyThereIsNoExperiment_isSaid) {
    EXPECT_THAT(whyNot([this] { opened(file("nothing.cubex")); }), HasSubstr("nothing.cubex"));
    letSsh("echo 'ssh: no such host' >&2; exit 255");
    EXPECT_EQ(whyNot([] { opened("run"); }), "me@login1:run: the connection has ended: ssh: no such host");
    letSsh("echo Welcome");
    EXPECT_EQ(whyNot([] { opened("run"); }), "me@login1:run: the connection has ended");
    letSsh("printf 'holos view 1 little\\nwhat?\\n'; cat >/dev/null");
    EXPECT_EQ(whyNot([] { opened("run"); }), "me@login1:run: what answers there is not Holos");
    letSsh("printf 'holos view 1 little\\nok 9999999999999\\n'; cat >/dev/null");
    EXPECT_EQ(whyNot([] { opened("run"); }), "me@login1:run: what answers there is not Holos");
    letSsh("printf 'holos view 1 little\\nok 3\\nabc'; cat >/dev/null");
    EXPECT_THAT(whyNot([] { opened("run"); }),
                HasSubstr("an answer that this version of Holos does not know"));
}

TEST_F(FarExperimentTest, afterTheConnectionHasEnded_itsEndIsSaidEachTime) {
    letSsh("head -n 1 | sh -c \"exec $3\"");  // one question
    const algebra::Experiment there = opened(written("run.cubex", run()));
    for (int time = 0; time < 2; ++time)
        EXPECT_THAT(whyNot([&there] { algebra::aggregate(there, {algebra::MetricId(0)}); }),
                    HasSubstr("run.cubex: the connection has ended"));
}

TEST_F(FarExperimentTest, whoStops_waitsForNoAnswer) {
    letSsh("cat >/dev/null");
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THAT(whyNot([&] {
                    far::openFar({"me@login1", "run"}, HOLOS_PROGRAM, stop.get_token());
                }),
                HasSubstr("given up"));
}

TEST_F(FarExperimentTest, moreThanWasAskedFor_isNotTaken) {
    const std::string path = written("run.cubex", run());
    letSsh("printf 'holos view 1 little\\nerror 100000\\n'; cat >/dev/null");
    EXPECT_EQ(whyNot([] { opened("run"); }), "me@login1:run: what answers there is not Holos");
    // The first answer is right; the next one says that it has a byte too many.
    letSsh("echo experiment | sh -c \"exec $3\"; printf 'ok 98\\n'; cat >/dev/null");
    const algebra::Experiment there = opened(path);
    EXPECT_THAT(whyNot([&] { algebra::aggregate(there, {algebra::MetricId(0)}); }),
                HasSubstr("run.cubex: what answers there is not Holos"));
}

TEST_F(FarExperimentTest, troubleWithoutEnd_keepsNoAnswerWaiting_andItsLastWordsAreSaid) {
    letSsh(
        "head -c 3000000 /dev/zero | tr '\\0' x >&2; echo >&2; head -n 1 | sh -c \"exec $3\"; echo last words >&2");
    const algebra::Experiment there = opened(written("run.cubex", run()));
    EXPECT_THAT(whyNot([&there] { algebra::aggregate(there, {algebra::MetricId(0)}); }),
                HasSubstr("run.cubex: the connection has ended: last words"));
}

/// What the side of an experiment answers.
class FarAnswers : public ::testing::Test {
  protected:
    static std::vector<std::string> answersTo(const std::string& questions,
                                              const algebra::Experiment& experiment) {
        const auto close = [](std::FILE* file) { std::fclose(file); };
        const std::unique_ptr<std::FILE, decltype(close)> in(std::tmpfile(), close),
            out(std::tmpfile(), close);
        std::fwrite(questions.data(), 1, questions.size(), in.get());
        std::rewind(in.get());
        const auto opened = std::make_shared<const algebra::Experiment>(algebra::copyOf(experiment));
        far::answerQuestions([&] { return opened; }, in.get(), out.get());
        std::string all(static_cast<std::size_t>(std::ftell(out.get())), '\0');
        std::rewind(out.get());
        EXPECT_EQ(std::fread(all.data(), 1, all.size(), out.get()), all.size());
        std::vector<std::string> answers;
        for (std::size_t at = all.find('\n') + 1; at < all.size();) {
            const std::size_t end = all.find('\n', at);
            const std::string head = all.substr(at, end - at);
            const std::size_t size = std::stoul(head.substr(head.find(' ')));
            answers.push_back(head.substr(0, head.find(' ')) + ' ' + all.substr(end + 1, size));
            at = end + 1 + size;
        }
        return answers;
    }
};

TEST_F(FarAnswers, questionsThatAreNone_haveAReasonEach_andTheNextIsAnswered) {
    const algebra::Experiment experiment =
        SmallExperiment(1, 2).metric(seconds("time"), "", {{"main", {1, 2}}, {"main/work", {3, 4}}}).take();
    std::string questions =
        "\nsums\nsums 1\nsums -1\nsums 99999999999999999999\nsums 0 0\nlocations 0 1-9\nlocations 0 1,0\n"
        "locations 0 0-0-0\ncalls 0 ,\nblock 0 0 3\nblock 0 2 1\nblock 0 0 18446744073709551615\n";
    questions += std::string(1, '\0') + '\n' + std::string(2000, ' ') + "sums\n";
    questions += "sums " + std::string(100'000, '9') + '\n';
    questions += std::string(20'000'000, 'a') + '\n';
    std::mt19937 random(1);
    for (int line = 0; line < 200; ++line) {
        for (unsigned letters = random() % 30; letters > 0; --letters)
            questions += "sumslocation block0123456789-, \x80\xff"[random() % 33];
        questions += "?\n";
    }
    const auto lines = static_cast<std::size_t>(std::ranges::count(questions, '\n'));
    const std::vector<std::string> answers = answersTo(questions + "locations 0 0-1\n", experiment);
    ASSERT_EQ(answers.size(), lines + 1);
    for (std::size_t at = 0; at < lines; ++at) {
        EXPECT_TRUE(answers[at].starts_with("error ")) << at << ": " << answers[at].substr(0, 100);
        EXPECT_LT(answers[at].size(), 200U);
    }
    const std::array<double, 2> sums{4, 6};
    EXPECT_EQ(answers.back(), "ok " + std::string(reinterpret_cast<const char*>(sums.data()), sizeof sums));
}

TEST_F(FarAnswers, rowsThatNeedMuchMemory_areNotFetchedTogether) {
    const algebra::Experiment experiment =
        largeExperiment({.metrics = 1, .callPaths = 300, .ranks = 8192, .threads = 1, .density = 0.01});
    const std::vector<std::string> answers = answersTo("block 0 0 300\nblock 0 0 4\n", experiment);
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[0], "error too many rows at once");
    EXPECT_TRUE(answers[1].starts_with("ok d"));
}

TEST_F(ServeTest, forView_takesOneExperiment) {
    EXPECT_EQ(holos({"serve", "--for-view", "one", "other"}).exitCode, 2);
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

TEST_F(ServeTest, summary_saysWhatShowSays) {
    TraceBuilder trace(3);
    for (unsigned rank = 0; rank < 3; ++rank) {
        trace.on(rank).enter(0, "main");
        for (Tick begin = 0; begin < 800; begin += 100)
            trace.on(rank)
                .call(begin, begin + (rank == 2 ? 90 : 30), "solve")
                .barrier(begin + (rank == 2 ? 90 : 30), begin + 100);
        trace.on(rank).leave(800);
    }
    trace.write(file("run"));
    ASSERT_EQ(holos({"analyze", file("run")}).exitCode, 0);
    const std::string whole = file("run/analysis.cubex"), again = file("run/again.cubex");
    std::filesystem::copy_file(whole, again);
    ASSERT_EQ(holos({"diff", whole, again, "-o", file("change.cubex")}).exitCode, 0);
    algebra::Experiment part = run();
    part.attributes.emplace_back(algebra::kPartAttribute, "MPI Rank 1");
    ServedCommand served({"serve", whole, file("change.cubex"), written("part.cubex", part)});
    const auto shown = [&](const std::string& experiment) {
        return nlohmann::json::parse(holos({"show", experiment, "--format", "json"}).output);
    };

    const nlohmann::json said = served.ask("summary");
    EXPECT_EQ(said["problems"], shown(whole)["summary"]["problems"]);
    const std::string text = holos({"show", whole}).output;
    EXPECT_THAT(text, HasSubstr(said["problems"].at(0)["costs"].get<std::string>().substr(0, 12)));
    EXPECT_THAT(text, HasSubstr("gain   " + said["problems"].at(0)["gain"].get<std::string>().substr(0, 12)));
    EXPECT_EQ(served.ask("summary?experiment=1")["first"],
              shown(file("change.cubex"))["change"]["sentences"]);
    EXPECT_EQ(served.ask("summary?experiment=2")["first"],
              nlohmann::json({"Only a part of the run, MPI Rank 1"}));
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
    for (const std::string name : {"run", "longer"}) {
        std::filesystem::create_directory(file(name));
        written(name + "/analysis.cubex", run());
        TraceBuilder trace(2);
        const Tick end = name == "run" ? 1000 : 2000;
        for (unsigned rank = 0; rank < 2; ++rank)
            trace.on(rank).enter(0, "main").enter(100, "MPI_Send").leave(200).leave(end);
        trace.write(file(name));
    }
    ServedCommand served({"serve", file("run"), written("again.cubex", run()), file("longer")});
    const CommandResult walk =
        runCommand({"python3", HOLOS_DRIVE_CLIENT, program_, served.address(), file("profile")});
    EXPECT_EQ(walk.exitCode, 0) << walk.output;
}

}  // namespace
}  // namespace holos::testing
