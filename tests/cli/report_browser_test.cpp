// SPDX-License-Identifier: BSD-3-Clause
// The panes of holos report's page, driven in Chromium where it is installed.
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

TEST(ReportPage, clicksInPanes_selectAndExpand) {
    const std::string program = browser();
    if (program.empty()) GTEST_SKIP() << "no Chromium here";
    const TemporaryDirectory folder;
    algebra::Metric time, mpi;
    time.uniqueName = time.displayName = "Time";
    mpi.uniqueName = mpi.displayName = "MPI";
    const auto experiment = SmallExperiment(1, 2)
                                .metric(time, "", {{"main", {1, 2}}, {"main/work", {10, 20}}})
                                .metric(mpi, "Time", {{"main/work", {3, 4}}})
                                .take();
    const std::string input = (folder.path() / "in.cubex").string(),
                      page = (folder.path() / "page.html").string();
    algebra::writeCubex(experiment, input);
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "report", input, "-o", page}).exitCode, 0);
    std::ofstream(page, std::ios::app) << kDriver;

    const auto result = runCommand({"timeout", "60", program, "--headless", "--no-sandbox", "--disable-gpu",
                                    "--user-data-dir=" + (folder.path() / "profile").string(), "--dump-dom",
                                    "file://" + page});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    const std::string system = "cluster";
    EXPECT_THAT(result.output, HasSubstr("<pre>Time=33 main=33 " + system + "=33\n"));
    EXPECT_THAT(result.output, HasSubstr("\nTime=26 MPI=7 main=26 " + system + "=26\n"));
    EXPECT_THAT(result.output, HasSubstr("\nTime=26 MPI=7 main=0 work=7 "));
}

}  // namespace
}  // namespace holos::testing
