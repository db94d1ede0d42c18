// SPDX-License-Identifier: BSD-3-Clause
// The panes and tables of holos report's page, driven in Chromium where it is installed.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "algebra/files/cubex.h"
#include "tests/cli/command_test.h"
#include "tests/cli/served_command.h"
#include "tests/support/small_experiment.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;

std::string browser() {
    for (const char* name : {"chromium-headless-shell", "chromium", "google-chrome"})
        if (runCommand({"sh", "-c", std::string("command -v ") + name}).exitCode == 0) return name;
    return {};
}

/// Clicks in the table of times, and leaves its rows in sight in the page.
constexpr const char* kTableDriver = R"(<script>
const steps = [];
const table = document.querySelector("#time table");
const row = name => [...table.tBodies[0].rows].find(each => each.cells[0].textContent.startsWith(name));
const note = () => steps.push([...table.tBodies[0].rows].filter(each => !each.hidden)
    .map(each => each.cells[0].textContent.split(" ")[0]).join(" "));
note();
row("OpenMP").querySelector(".fold").click();
note();
row("Time").querySelector(".fold").click();
note();
row("Time").querySelector(".fold").click();
note();
row("OpenMP").querySelector(".fold").click();
for (let click = 0; click < 3; ++click) {
  table.tHead.rows[0].cells[1].click();
  note();
}
document.body.innerHTML = "<pre>" + steps.join("\n") + "</pre>";
</script>)";

class ReportPage : public CommandTest {
  protected:
    void SetUp() override {
        if (program_.empty()) GTEST_SKIP() << "no Chromium here";
    }
    /// What the page of this experiment is after the driver has clicked in it.
    std::string after(const char* driver, const algebra::Experiment& experiment) {
        const std::string input = file("in.cubex"), page = file("page.html");
        algebra::writeCubex(experiment, input);
        EXPECT_EQ(runCommand({HOLOS_PROGRAM, "report", input, "-o", page}).exitCode, 0);
        std::ofstream(page, std::ios::app) << driver;
        const auto result =
            runCommand({"timeout", "60", program_, "--headless", "--no-sandbox", "--disable-gpu",
                        "--user-data-dir=" + file("profile"), "--dump-dom", "file://" + page});
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return result.output;
    }
    /// What one of the drivers of `drive_report.py` says, on the page that `holos report` writes with these
    /// words.
    CommandResult driven(const std::vector<std::string>& report, std::vector<std::string> words) {
        std::vector<std::string> command{HOLOS_PROGRAM, "report", "-o", file("page.html")};
        command.insert(command.end(), report.begin(), report.end());
        EXPECT_EQ(runCommand(command).exitCode, 0);
        words.insert(words.begin() + 1, {file("page.html"), file("profile")});
        words.insert(words.begin(), {"timeout", "100", "python3", HOLOS_DRIVE_REPORT, program_});
        return runCommand(words);
    }
    static algebra::Metric named(const char* name, const char* unit = "") {
        algebra::Metric metric;
        metric.uniqueName = metric.displayName = name;
        metric.unit = unit;
        return metric;
    }

  private:
    std::string program_ = browser();
};

/// 30 instructions in 10 cycles, 20 in 8 of them in `work`; the largest of something is 7.
algebra::Experiment runOfAllKinds() {
    const auto named = [](const char* name, const char* unit = "") {
        algebra::Metric metric;
        metric.uniqueName = metric.displayName = name;
        metric.unit = unit;
        return metric;
    };
    const auto computed = [&](const char* name, const char* expression) {
        algebra::Metric metric = named(name);
        metric.origin = algebra::Origin::Ratio;
        metric.storage = algebra::Storage::PostDerived;
        metric.expression = expression;
        return metric;
    };
    algebra::Metric largest = named("largest");
    largest.valueType = algebra::ValueType::MaxDouble;
    return SmallExperiment(1, 2)
        .metric(named("time", "sec"), "", {{"main", {1, 2}}, {"main/work", {10, 20}}})
        .metric(named("mpi", "sec"), "time", {{"main/work", {3, 4}}})
        .metric(named("instructions"), "", {{"main", {10, 0}}, {"main/work", {20, 0}}})
        .metric(named("cycles"), "", {{"main", {2, 0}}, {"main/work", {8, 0}}})
        .metric(computed("ipc", "metric::instructions() / metric::cycles()"), "", {})
        .metric(largest, "", {{"main", {3, 1}}, {"main/work", {7, 2}}})
        .metric(computed("strange", "sqrt(metric::time())"), "", {})
        .take();
}

TEST_F(ReportPage, clicksKeysAndScreenReaders_findWhatIsThere) {
    algebra::writeCubex(runOfAllKinds(), file("a.cubex"));
    algebra::writeCubex(SmallExperiment(4, 6)
                            .metric(named("time", "sec"), "", {{"main/rest", std::vector<double>(24, 1.75)}})
                            .take(),
                        file("b.cubex"));
    const CommandResult walk = driven({file("a.cubex"), file("b.cubex"), "--browsable", "14"}, {"clicks"});
    EXPECT_EQ(walk.exitCode, 0) << walk.output;
}

TEST_F(ReportPage, whateverIsClickedOn_showsWhatTheServerShows) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank)
        trace.on(rank)
            .enter(0, "main")
            .enter(100, "work")
            .enter(200, "MPI_Send")
            .leave(250 + 30 * rank)
            .leave(400)
            .enter(500, "MPI_Barrier")
            .leave(700)
            .leave(1000);
    std::filesystem::create_directory(file("run"));
    trace.write(file("run"));
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", file("run")}).exitCode, 0);
    const std::string experiment = file("run/analysis.cubex");
    const CommandResult shown = runCommand({HOLOS_PROGRAM, "show", experiment, "--format", "json"});
    std::ofstream(file("shown.json")) << shown.output;
    ServedCommand served({"serve", experiment});
    const CommandResult walk = driven({experiment}, {"walk", served.address(), file("shown.json")});
    EXPECT_EQ(walk.exitCode, 0) << walk.output;
}

TEST_F(ReportPage, clicksInTables_foldAndSortWhatStandsBelowOneRow) {
    algebra::Metric time = named("time", "sec");
    time.displayName = "Time";
    const std::string page =
        after(kTableDriver, SmallExperiment(1, 1)
                                .metric(time, "", {{"main", {10}}})
                                .metric(named("MPI", "sec"), "time", {{"main", {2}}})
                                .metric(named("OpenMP", "sec"), "time", {{"main", {8}}})
                                .metric(named("Fork", "sec"), "OpenMP", {{"main", {3}}})
                                .metric(named("Barrier", "sec"), "OpenMP", {{"main", {4}}})
                                .take());
    EXPECT_THAT(page, HasSubstr("<pre>Time MPI OpenMP Fork Barrier\n"
                                "Time MPI OpenMP\n"  // folded
                                "Time\n"
                                "Time MPI OpenMP\n"               // as it was
                                "Time OpenMP Barrier Fork MPI\n"  // 10, 8, 4, 3, 2
                                "Time MPI OpenMP Fork Barrier\n"
                                "Time MPI OpenMP Fork Barrier</pre>"));
}

}  // namespace
}  // namespace holos::testing
