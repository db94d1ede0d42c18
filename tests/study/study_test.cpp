// SPDX-License-Identifier: BSD-3-Clause
// A study of planted faults: programs with known faults, quiet and on a busy machine. docs/summary.md has its
// table. `HOLOS_STUDY_SAYS=FILE` keeps all that was said.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/study/oracle.h"

namespace holos::testing::study {
namespace {

/// Of all runs: in which the faults are named first, and in which nothing false is said.
constexpr double kFirst = 0.95, kNothingFalse = 0.98;
/// Runs of each program, quiet and busy.
constexpr unsigned kRuns = 2;

/// Of some runs.
struct Count {
    unsigned runs = 0;
    unsigned first = 0;
    unsigned true_ = 0;  ///< in which nothing false is said

    void add(const Verdict& verdict) {
        ++runs;
        first += verdict.areFirst ? 1 : 0;
        true_ += verdict.falsehoods.empty() ? 1 : 0;
    }
    std::string row() const { return fmt::format(" {} of {} | {} of {} |", first, runs, true_, runs); }
};

struct Study {
    std::string table;
    std::string wrong;   ///< what was said in runs that are not right
    std::string said;    ///< in all
    std::string beyond;  ///< in runs of which more is told than is lost
    Count quiet, busy;
};

Study study(const std::vector<Scene>& scenes) {
    Study study;
    study.table =
        "| planted | function | quiet: named first | nothing false | busy: named first | nothing false |\n"
        "|---|---|---|---|---|---|\n";
    for (const Scene& scene : scenes) {
        std::string functions;
        for (const PlantedFault& fault : scene.faults)
            functions += (functions.empty() ? "`" : ", `") + fault.function + "`";
        study.table += "| " + scene.says + " | " + functions + " |";
        for (const bool isBusy : {false, true}) {
            Count count;
            for (unsigned seed = 1; seed <= kRuns; ++seed) {
                const Verdict verdict = judge(scene, isBusy, seed);
                for (Count* each : {&count, isBusy ? &study.busy : &study.quiet}) each->add(verdict);
                std::string text =
                    fmt::format("=== {} ({}), {}, seed {}{}\n", scene.says, functions,
                                isBusy ? "busy" : "quiet", seed, verdict.areFirst ? "" : ": NOT FIRST");
                for (const std::string& falsehood : verdict.falsehoods) text += "FALSE: " + falsehood + '\n';
                text += verdict.said;
                study.said += text;
                if (!verdict.areFirst || !verdict.falsehoods.empty()) study.wrong += text;
                if (!verdict.addsUp) study.beyond += text;
            }
            study.table += count.row();
        }
        study.table += '\n';
    }
    study.table += "| **all** | |" + study.quiet.row() + study.busy.row() + '\n';
    return study;
}

std::string textOf(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

void expectMostRight(const std::vector<Scene>& scenes) {
    const Study result = study(scenes);
    if (const char* file = std::getenv("HOLOS_STUDY_SAYS"))
        std::ofstream(file, std::ios::app) << result.table << result.said;
    for (const Count& count : {result.quiet, result.busy}) {
        EXPECT_GE(count.first, kFirst * count.runs) << result.wrong;
        EXPECT_GE(count.true_, kNothingFalse * count.runs) << result.wrong;
    }
    EXPECT_EQ(result.beyond, "");
    EXPECT_NE(textOf(HOLOS_SOURCE "/docs/summary.md").find(result.table), std::string::npos)
        << "docs/summary.md has another table than this one:\n"
        << result.table;
}

TEST(Study, plantedFaults_areNamedFirstAndNothingFalseIsSaid) {
    expectMostRight(scenes());
}

TEST(Study, heldOutFaults_areNamedFirstAndNothingFalseIsSaid) {
    expectMostRight(heldOutScenes());
}

TEST(Study, doubtfulFaults_areNamedFirstAndNothingFalseIsSaid) {
    expectMostRight(doubtfulScenes());
}

}  // namespace
}  // namespace holos::testing::study
