// SPDX-License-Identifier: BSD-3-Clause
// The panes and tables of holos report's page, driven in Chromium where it is installed.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/small_experiment.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;

std::string browser() {
    for (const char* name : {"chromium-headless-shell", "chromium", "google-chrome"})
        if (runCommand({"sh", "-c", std::string("command -v ") + name}).exitCode == 0) return name;
    return {};
}

/// Clicks, and leaves in the title what the panes show.
constexpr const char* kDriver = R"(<script>
const steps = [];
const node = (kind, name) => [...document.querySelectorAll("#pane-" + kind + " .node")]
    .find(each => each.lastChild.textContent.startsWith(name));
const note = () => steps.push([...document.querySelectorAll(".node")]
    .map(each => each.lastChild.textContent + "=" + each.querySelector(".value").textContent).join(" "));
const toggle = (kind, name) => node(kind, name).querySelector(".toggle").click();
note();
toggle("metrics", "Time");
note();
node("metrics", "MPI").click();
toggle("paths", "main");
note();
node("paths", "work").click();
toggle("system", "cluster");
note();
toggle("paths", "main");
note();
document.body.innerHTML = "<pre>" + steps.join("\n") + "</pre>";
</script>)";

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

/// Clicks on the ratio and opens the call tree.
constexpr const char* kRatioDriver = R"(<script>
const steps = [];
const node = (kind, name) => [...document.querySelectorAll("#pane-" + kind + " .node")]
    .find(each => each.lastChild.textContent.startsWith(name));
const note = () => steps.push([...document.querySelectorAll(".node")]
    .map(each => each.lastChild.textContent + "=" + each.querySelector(".value").textContent).join(" "));
note();
node("metrics", "ipc").click();
note();
node("paths", "main").querySelector(".toggle").click();
note();
document.body.innerHTML = "<pre>" + steps.join("\n") + "</pre>";
</script>)";

/// 30 instructions in 10 cycles, 20 in 8 of them in `work`; the largest of something is 7.
algebra::Experiment runWithRatio() {
    const auto named = [](const char* name) {
        algebra::Metric metric;
        metric.uniqueName = metric.displayName = name;
        return metric;
    };
    algebra::Metric ratio = named("ipc");
    ratio.origin = algebra::Origin::Ratio;
    ratio.storage = algebra::Storage::PostDerived;
    ratio.expression = "metric::instructions() / metric::cycles()";
    algebra::Metric largest = named("largest");
    largest.valueType = algebra::ValueType::MaxDouble;
    return SmallExperiment(1, 1)
        .metric(named("instructions"), "", {{"main", {10}}, {"main/work", {20}}})
        .metric(named("cycles"), "", {{"main", {2}}, {"main/work", {8}}})
        .metric(ratio, "", {})
        .metric(largest, "", {{"main", {3}}, {"main/work", {7}}})
        .take();
}

class ReportPage : public ::testing::Test {
  protected:
    void SetUp() override {
        if (program_.empty()) GTEST_SKIP() << "no Chromium here";
    }
    /// What the page of this experiment is after the driver has clicked in it.
    std::string after(const char* driver, const algebra::Experiment& experiment) {
        const std::string input = (folder_.path() / "in.cubex").string(),
                          page = (folder_.path() / "page.html").string();
        algebra::writeCubex(experiment, input);
        EXPECT_EQ(runCommand({HOLOS_PROGRAM, "report", input, "-o", page}).exitCode, 0);
        std::ofstream(page, std::ios::app) << driver;
        const auto result = runCommand(
            {"timeout", "60", program_, "--headless", "--no-sandbox", "--disable-gpu",
             "--user-data-dir=" + (folder_.path() / "profile").string(), "--dump-dom", "file://" + page});
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return result.output;
    }
    static algebra::Metric named(const char* name, const char* unit = "") {
        algebra::Metric metric;
        metric.uniqueName = metric.displayName = name;
        metric.unit = unit;
        return metric;
    }

  private:
    std::string program_ = browser();
    TemporaryDirectory folder_;
};

TEST_F(ReportPage, clicksInPanes_selectAndExpand) {
    const std::string page =
        after(kDriver, SmallExperiment(1, 2)
                           .metric(named("Time"), "", {{"main", {1, 2}}, {"main/work", {10, 20}}})
                           .metric(named("MPI"), "Time", {{"main/work", {3, 4}}})
                           .take());
    const std::string system = "cluster";
    EXPECT_THAT(page, HasSubstr("<pre>Time=33 main=33 " + system + "=33\n"));
    EXPECT_THAT(page, HasSubstr("\nTime=26 MPI=7 main=26 " + system + "=26\n"));
    EXPECT_THAT(page, HasSubstr("\nTime=26 MPI=7 main=0 work=7 "));
}

TEST_F(ReportPage, metricsThatAreNoSums_haveTheirValues) {
    const std::string page = after(kRatioDriver, runWithRatio());
    EXPECT_THAT(page, HasSubstr("<pre>instructions=30 cycles=10 ipc=3 largest=7 main=30 "));
    EXPECT_THAT(page, HasSubstr("\ninstructions=30 cycles=10 ipc=3 largest=7 main=3 "));
    EXPECT_THAT(page, HasSubstr("\ninstructions=30 cycles=10 ipc=3 largest=7 main=5 work=2.500 "));
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
