// SPDX-License-Identifier: BSD-3-Clause
// Where calls stand: how that is shown, and that operators and files keep it apart.
#include "algebra/model/call_names.h"

#include <gmock/gmock.h>

#include "algebra/files/cube3.h"
#include "algebra/files/cubex.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/cut.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/merge.h"
#include "tests/support/small_experiment.h"
#include "tests/support/temporary_directory.h"

namespace holos::algebra {
namespace {

using holos::testing::findPath;
using holos::testing::SmallExperiment;
using ::testing::ElementsAre;

CallPath call(const std::string& module, std::int64_t line) {
    CallPath path;
    path.module = module;
    path.line = line;
    return path;
}

/// `main` calls `send` at two lines of a file: counts 1 and 2.
Experiment twoSites(const std::string& folder, std::int64_t first, std::int64_t second) {
    Experiment experiment = SmallExperiment().counter("e", {{"main", {}}, {"main/send", {1, 0}}}).take();
    const CallPathId send = findPath(experiment, "main/send");
    CallPath other = call(folder + "solver.c", second);
    other.region = experiment.callTree[send].region;
    experiment.callTree[send].module = other.module;
    experiment.callTree[send].line = first;
    const CallPathId added = experiment.callTree.add(other, experiment.callTree.parent(send));
    SeverityTable table = experiment.newTable();
    table.add(send, LocationId(0), 1);
    table.add(added, LocationId(0), 2);
    experiment.severities.set(MetricId(0), std::move(table));
    return experiment;
}

/// By call path: the sum of the only metric.
std::vector<std::string> valuesOf(const Experiment& experiment) {
    std::vector<std::string> lines;
    for (const CallPathId path : experiment.callTree.ids()) {
        const double value = experiment.severities.table(MetricId(0)).at(path, LocationId(0));
        lines.push_back(callPathText(experiment, path) + " = " + std::to_string(static_cast<int>(value)));
    }
    return lines;
}

TEST(CallNames, placeOfACall_isShownWithoutFolders) {
    EXPECT_EQ(callSiteText(call("/src/app/solver.c", 120)), "solver.c:120");
    EXPECT_EQ(calledAt(call("/src/app/solver.c", 120)), "/src/app/solver.c:120");
    EXPECT_EQ(callSiteText(call("/usr/lib/libsolve.so.1+0x1a2b", -1)), "libsolve.so.1+0x1a2b");
}

TEST(CallNames, whatIsNoPlace_isNotShown) {
    EXPECT_EQ(callSiteText(call("MPI", -1)), "");
    EXPECT_EQ(callSiteText(call("solver.c", 0)), "");
    EXPECT_EQ(callSiteText(call("", 12)), "");
}

TEST(CallNames, constructThatIsNamedByItsPlace_doesNotRepeatIt) {
    EXPECT_EQ(callText("!$omp critical @solver.c:12", call("/src/solver.c", 12)),
              "!$omp critical @solver.c:12");
    EXPECT_EQ(callText("!$omp parallel @solver.c:14", call("/src/solver.c", 13)),
              "!$omp parallel @solver.c:14");
}

TEST(CallNames, callPath_hasAllPlaces) {
    EXPECT_THAT(valuesOf(twoSites("/a/", 20, 22)),
                ElementsAre("main = 0", "main/send @solver.c:20 = 1", "main/send @solver.c:22 = 2"));
}

TEST(CallNames, callPath_isFoundByItsText) {
    const Experiment experiment = twoSites("/a/", 20, 22);
    for (const CallPathId path : experiment.callTree.ids())
        EXPECT_EQ(callPathNamed(experiment, callPathText(experiment, path)), path);
    for (const char* unknown : {"", "mai", "main/", "main/send", "main/send @solver.c:20/more"})
        EXPECT_EQ(callPathNamed(experiment, unknown), std::nullopt) << unknown;
}

TEST(CallNames, callPathWithSlashesInNames_isFoundByItsText) {
    Experiment experiment =
        SmallExperiment().counter("e", {{"a", {1, 0}}, {"a/x", {1, 0}}, {"b/c", {1, 0}}}).take();
    const CallPathId call = findPath(experiment, "b/c");
    experiment.regions[experiment.callTree[findPath(experiment, "b")].region.index()].name = "a/x";
    EXPECT_EQ(callPathNamed(experiment, "a/x/c"), call);
}

TEST(CallNames, buildsInOtherFolders_haveTheSameCallPaths) {
    const Experiment result = diff(twoSites("/a/", 20, 22), twoSites("/b/", 20, 22));
    EXPECT_THAT(valuesOf(result),
                ElementsAre("main = 0", "main/send @solver.c:20 = 0", "main/send @solver.c:22 = 0"));
    // Not in their order, where one has a call that the other lacks.
    const Experiment more = diff(twoSites("/a/", 20, 22), twoSites("/b/", 22, 20));
    EXPECT_THAT(valuesOf(more),
                ElementsAre("main = 0", "main/send @solver.c:20 = -1", "main/send @solver.c:22 = 1"));
}

TEST(CallNames, linesThatMoved_areTheSameCallPathsUnlessAskedFor) {
    const Experiment before = twoSites("/a/", 20, 22);
    const Experiment after = twoSites("/a/", 24, 26);
    EXPECT_EQ(merge({before, after}).callTree.size(), 3U);
    EXPECT_EQ(merge({before, after}, nullptr, {.lines = true}).callTree.size(), 5U);
}

TEST(CallNames, meanWithARunWithoutPlaces_hasAllOfBoth) {
    const Experiment plain = SmallExperiment().counter("e", {{"main/send", {3, 0}}}).take();
    const Experiment told = twoSites("/a/", 20, 22);
    const Experiment result = mean({told, plain});
    double sum = 0;
    for (const CallPathId path : result.callTree.ids())
        sum += result.severities.table(MetricId(0)).at(path, LocationId(0));
    EXPECT_DOUBLE_EQ(sum, 3);
}

TEST(CallNames, cutAndFiles_keepThem) {
    const holos::testing::TemporaryDirectory folder;
    const Experiment experiment = cut(twoSites("/a/", 20, 22), {.roots = {"main"}});
    const auto expected = ElementsAre("main = 0", "main/send @solver.c:20 = 1", "main/send @solver.c:22 = 2");
    EXPECT_THAT(valuesOf(experiment), expected);
    writeCubex(experiment, (folder.path() / "a.cubex").string());
    EXPECT_THAT(valuesOf(readCubex((folder.path() / "a.cubex").string())), expected);
    writeCube3(experiment, (folder.path() / "a.cube").string());
    EXPECT_THAT(valuesOf(readCube3((folder.path() / "a.cube").string())), expected);
}

}  // namespace
}  // namespace holos::algebra
