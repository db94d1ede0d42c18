// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "algebra/files/cubex.h"
#include "algebra/operators/derive/derive.h"
#include "tests/cli/command_test.h"
#include "tests/support/small_experiment.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// `holos merge`, `mean` and `diff` on files in a folder of the test's own.
class Combine : public CommandTest {
  protected:
    Combine() {
        write("minor", SmallExperiment().counter("minor-faults", {{"main", {1, 2}}}));
        write("major", SmallExperiment().counter("major-faults", {{"main", {10, 20}}}));
    }

    void write(const std::string& name, SmallExperiment& experiment) {
        algebra::writeCubex(algebra::applySpecification(experiment.take(), "linux-software"), file(name));
    }
    void write(const std::string& name, SmallExperiment&& experiment) { write(name, experiment); }
    fs::path file(const std::string& name) const { return folder_.path() / (name + ".cubex"); }

    CommandResult holos(const std::string& arguments) const {
        return runCommand(
            {"sh", "-c", "cd '" + folder_.path().string() + "' && '" HOLOS_PROGRAM "' " + arguments});
    }
};

TEST_F(Combine, merge_completesWhatSingleRunsLack) {
    EXPECT_EQ(metricTree(algebra::readCubex(file("minor"))), "~PAGE_FAULTS(MINOR_FAULTS)");
    const CommandResult outcome = holos("merge minor.cubex major.cubex -o all.cubex");
    EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
    const algebra::Experiment all = algebra::readCubex(file("all"));
    EXPECT_EQ(metricTree(all), "PAGE_FAULTS(MINOR_FAULTS,MAJOR_FAULTS)");
    EXPECT_THAT(valuesAt(all, "PAGE_FAULTS", "main"), ElementsAre(11, 22));
}

TEST_F(Combine, mergeOfOne_saysWhatIsIncomplete) {
    EXPECT_THAT(holos("merge minor.cubex -o one.cubex").output, HasSubstr("incomplete: ~PAGE_FAULTS"));
}

TEST_F(Combine, mergeOfDifferentSizes_saysWhatItsValuesAre) {
    SmallExperiment four(4, 1), two(2, 1);
    write("four", four.counter("minor-faults", {{"main", {1, 2, 3, 4}}}));
    write("two", two.counter("minor-faults", {{"main", {3, 4}}}));
    const std::string output = holos("merge four.cubex two.cubex -o both.cubex").output;
    EXPECT_THAT(output, HasSubstr("the experiments have 2 to 4 processes: each process has the mean"));
    EXPECT_THAT(valuesAt(algebra::readCubex(file("both")), "MINOR_FAULTS", "main"), ElementsAre(2, 3, 3, 4));
    EXPECT_THAT(holos("merge four.cubex two.cubex --systems collapse -o one.cubex").output,
                Not(HasSubstr("the experiments have")));
    EXPECT_THAT(holos("merge four.cubex four.cubex -o same.cubex").output,
                Not(HasSubstr("the experiments have")));
}

TEST_F(Combine, meanOfMerged_mayReplaceAnInput) {
    EXPECT_EQ(holos("merge minor.cubex major.cubex -o all.cubex").exitCode, 0);
    EXPECT_EQ(holos("mean all.cubex all.cubex -o all.cubex").exitCode, 0);
    EXPECT_THAT(valuesAt(algebra::readCubex(file("all")), "PAGE_FAULTS", "main"), ElementsAre(11, 22));
}

TEST_F(Combine, diff_isSigned) {
    EXPECT_EQ(holos("diff minor.cubex major.cubex -o d.cubex").exitCode, 0);
    const algebra::Experiment result = algebra::readCubex(file("d"));
    EXPECT_THAT(valuesAt(result, "~PAGE_FAULTS", "main"), ElementsAre(-9, -18));
}

TEST_F(Combine, scale_changesValuesAndUnit) {
    EXPECT_EQ(holos("scale minor.cubex --factor 4 --metric minor_faults --unit kB -o s.cubex").exitCode, 0);
    const algebra::Experiment result = algebra::readCubex(file("s"));
    EXPECT_THAT(valuesAt(result, "~PAGE_FAULTS", "main"), ElementsAre(4, 8));
    const CommandResult outcome = holos("scale minor.cubex --factor 4 --metric absent -o t.cubex");
    EXPECT_EQ(outcome.exitCode, 2);
    EXPECT_THAT(outcome.output, HasSubstr("absent"));
}

TEST_F(Combine, stddevOfTwo_dividesByOne) {
    write("more", SmallExperiment().counter("minor-faults", {{"main", {4, 2}}}));
    EXPECT_EQ(holos("stddev minor.cubex more.cubex -o s.cubex").exitCode, 0);
    const auto deviations = valuesAt(algebra::readCubex(file("s")), "~PAGE_FAULTS", "main");
    EXPECT_NEAR(deviations[0], 3 / std::sqrt(2.0), 1e-12);
    EXPECT_EQ(deviations[1], 0.0);
    EXPECT_EQ(holos("stddev minor.cubex -o s.cubex").exitCode, 2);
}

/// Two processes that take so long in `solve`, of 1 s more each.
SmallExperiment runOf(double solve, double calls) {
    SmallExperiment build(2, 1);
    build.metric(seconds("time"), "", {{"main", {1, 1}}, {"main/solve", {solve, solve}}});
    build.metric(seconds("mpi"), "time", {{"main/solve", {0.1, 0.1}}});
    build.counter("visits", {{"main", {1, 1}}, {"main/solve", {calls, calls}}});
    return build;
}

TEST_F(Combine, diff_saysWhatChanged_andShowOfItDoes) {
    write("before", runOf(2, 10));
    write("after", runOf(4, 20));
    const std::string sentences =
        "after.cubex is 67 % slower than before.cubex, because main › solve takes 2.00 s longer: it is "
        "called\n"
        "40 times instead of 20.\n"
        "after.cubex took 5.00 s, before.cubex 3.00 s: 2.00 s more.\n";
    EXPECT_THAT(holos("diff before.cubex after.cubex -o d.cubex").output, HasSubstr(sentences));
    const std::string shown = holos("show d.cubex").output;
    EXPECT_THAT(shown, HasSubstr("Difference\n" + sentences));
    EXPECT_THAT(shown, ContainsRegex("-4.000000 sec +-66.7 %"));  // of the 6 s of the first
    EXPECT_THAT(holos("show d.cubex --tree calls").output, HasSubstr("-66.7 %  "));
    const auto json = nlohmann::json::parse(holos("show d.cubex --format json").output);
    EXPECT_DOUBLE_EQ(json.at("change").at("difference").get<double>(), 2);
    EXPECT_THAT(json.at("change").at("sentences").at(0), HasSubstr("67 % slower"));
    EXPECT_EQ(holos("report before.cubex after.cubex -o r.md").exitCode, 0);
    std::ifstream report(folder_.path() / "r.md");
    EXPECT_THAT(std::string(std::istreambuf_iterator<char>(report), {}), HasSubstr("67 % slower than"));
}

TEST_F(Combine, diffOfRepeats_isThatOfTheirMeansWithItsError) {
    write("a1", runOf(2, 10));
    write("a2", runOf(2.2, 10));
    write("b1", runOf(4, 20));
    write("b2", runOf(4.2, 20));
    const std::string output = holos("diff a1.cubex a2.cubex --minus b1.cubex b2.cubex -o d.cubex").output;
    EXPECT_THAT(output,
                HasSubstr("The mean of b1.cubex and b2.cubex is 65 % slower than the mean of a1.cubex and "
                          "a2.cubex (± "));
    EXPECT_THAT(valuesAt(algebra::readCubex(file("d")), "time", "main/solve"),
                ElementsAre(DoubleNear(-2, 1e-9), DoubleNear(-2, 1e-9)));
    EXPECT_EQ(holos("mean a1.cubex a2.cubex -o a.cubex").exitCode, 0);
    EXPECT_EQ(holos("mean b1.cubex b2.cubex -o b.cubex").exitCode, 0);
    EXPECT_THAT(holos("diff a.cubex b.cubex -o d.cubex").output,
                HasSubstr("b.cubex is 65 % slower than a.cubex (± "));
    EXPECT_EQ(holos("diff a1.cubex a2.cubex b1.cubex -o d.cubex").exitCode, 2);
}

TEST_F(Combine, info_tellsHowAResultCameAbout) {
    EXPECT_EQ(holos("merge minor.cubex major.cubex -o all.cubex").exitCode, 0);
    EXPECT_EQ(holos("cut all.cubex --depth 1 -o roots.cubex").exitCode, 0);
    const std::string output = holos("info roots.cubex").output;
    EXPECT_THAT(output, HasSubstr("cut --depth 1  (Holos "));
    EXPECT_THAT(output, HasSubstr("\n    all.cubex\n      merge  (Holos "));
    EXPECT_THAT(output, HasSubstr("\n        major.cubex\n"));
    EXPECT_THAT(output, Not(HasSubstr("holos::provenance")));
}

TEST_F(Combine, transformations_writeExperiments) {
    write("deep", SmallExperiment().counter("minor-faults", {{"main", {1, 2}}, {"main/f", {3, 4}}}));
    EXPECT_EQ(holos("collapse deep.cubex --to one -o one.cubex").exitCode, 0);
    EXPECT_THAT(valuesAt(algebra::readCubex(file("one")), "MINOR_FAULTS", "main/f"), ElementsAre(7));
    EXPECT_EQ(holos("flatten deep.cubex -o flat.cubex").exitCode, 0);
    EXPECT_THAT(valuesAt(algebra::readCubex(file("flat")), "MINOR_FAULTS", "f"), ElementsAre(3, 4));
    EXPECT_EQ(holos("cut deep.cubex --share minor_faults=80 -o cut.cubex").exitCode, 0);
    EXPECT_THAT(valuesAt(algebra::readCubex(file("cut")), "MINOR_FAULTS", "main"), ElementsAre(4, 6));
    std::ofstream(folder_.path() / "my.spec") << "compose A = minor-faults\n";
    EXPECT_EQ(holos("derive deep.cubex --spec my.spec -o derived.cubex").exitCode, 0);
    EXPECT_EQ(metricTree(algebra::readCubex(file("derived"))), "A(minor-faults)");
    EXPECT_EQ(holos("cut deep.cubex --share minor_faults -o x.cubex").exitCode, 2);
    EXPECT_EQ(holos("collapse deep.cubex --to threads -o x.cubex").exitCode, 2);
}

TEST_F(Combine, matchingOptions_reachTheOperator) {
    write("clone", SmallExperiment().counter("minor-faults", {{"main.constprop.0", {1, 2}}}));
    write("wide", SmallExperiment(2, 1).counter("minor-faults", {{"main", {5, 6}}}));
    const auto paths = [this](const std::string& options) {
        EXPECT_EQ(holos("sum minor.cubex clone.cubex -o s.cubex " + options).exitCode, 0);
        return algebra::readCubex(file("s")).callTree.size();
    };
    EXPECT_EQ(paths(""), 2U);
    EXPECT_EQ(paths("--match-loosely"), 1U);
    EXPECT_EQ(paths("--rename main.constprop.0=main"), 1U);
    EXPECT_EQ(holos("diff wide.cubex minor.cubex --systems collapse -o d.cubex").exitCode, 0);
    EXPECT_THAT(valuesAt(algebra::readCubex(file("d")), "MINOR_FAULTS", "main"), ElementsAre(8));
    EXPECT_EQ(holos("sum minor.cubex -o s.cubex --rename x").exitCode, 2);
    const auto misspelt = holos("sum minor.cubex clone.cubex -o s.cubex --rename main.constprp.0=main");
    EXPECT_EQ(misspelt.exitCode, 2);
    EXPECT_THAT(misspelt.output, HasSubstr("--rename: no input has a region 'main.constprp.0'; did you mean "
                                           "'main.constprop.0'?"));
    EXPECT_EQ(holos("sum minor.cubex -o s.cubex --systems other").exitCode, 2);
}

TEST_F(Combine, brokenInput_isNamedAndNothingIsWritten) {
    std::ofstream(file("broken")) << "no experiment";
    fs::copy_file(file("minor"), file("short"));
    fs::resize_file(file("short"), 700);
    std::ofstream(file("empty"));
    for (const char* name : {"broken", "short", "empty", "missing"})
        for (const char* command : {"merge", "mean", "diff"}) {
            const CommandResult outcome =
                holos(std::string(command) + " minor.cubex " + name + ".cubex -o out.cubex");
            EXPECT_EQ(outcome.exitCode, 1) << command << ' ' << name << ": " << outcome.output;
            EXPECT_THAT(outcome.output, HasSubstr(std::string(name) + ".cubex")) << command;
            EXPECT_FALSE(fs::exists(file("out"))) << command << ' ' << name;
            fs::remove(file("out"));
        }
}

TEST_F(Combine, wrongSpecification_isNamedWithThePlace) {
    std::ofstream(folder_.path() / "my.spec") << "compose A = minor-faults\nmesure B = c\n";
    const CommandResult outcome = holos("merge minor.cubex --spec my.spec -o out.cubex");
    EXPECT_EQ(outcome.exitCode, 1);
    EXPECT_THAT(outcome.output, HasSubstr("my.spec:2:1: "));
    EXPECT_FALSE(fs::exists(file("out")));
}

TEST_F(Combine, wrongUsage_exitsWithTwo) {
    EXPECT_EQ(holos("merge minor.cubex").exitCode, 2);
    EXPECT_EQ(holos("diff minor.cubex -o d.cubex").exitCode, 2);
    EXPECT_EQ(holos("stddev minor.cubex -o d.cubex").exitCode, 2);
    EXPECT_EQ(holos("cut minor.cubex --depth 0 -o d.cubex").exitCode, 2);
}

TEST_F(Combine, help_hasAnExample) {
    for (const char* command : {"merge", "mean", "diff", "min", "max", "stddev", "sum", "scale", "cut",
                                "flatten", "collapse", "derive"}) {
        const CommandResult outcome = holos(std::string(command) + " --help");
        EXPECT_EQ(outcome.exitCode, 0);
        EXPECT_THAT(outcome.output, HasSubstr("Example")) << command;
    }
}

}  // namespace
}  // namespace holos::testing
