// SPDX-License-Identifier: BSD-3-Clause
// Machine code with samples: the rows of the view, and what it says where there are none.
#include <QFile>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "gui/views/code/machine_code_pane.h"
#include "gui/views/detail_views.h"
#include "tests/gui/patience.h"
#include "tests/gui/sample_experiment.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using holos::archive::SampledFunction;
using holos::archive::SampledFunctions;

namespace {

/// `relax`, of lines 3 and 4 of a file, in turn.
SampledFunctions relax(const std::string& source) {
    SampledFunction function{.name = "relax", .file = "/bin/solver", .samples = 10, .instructions = {}};
    function.instructions = {{0x10, "mov eax, 1", source, 3, 0},
                             {0x15, "add eax, ebx", source, 4, 8},
                             {0x17, "mov ecx, eax", source, 3, 2},
                             {0x1a, "ret", {}, 0, 0}};
    return {.found = {function}, .samples = 40, .notes = {}};
}

QStringList column(const MachineCodeModel& model, int column) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts << model.index(row, column).data().toString().trimmed();
    return texts;
}

}  // namespace

TEST(MachineCodeModel, instructions_stand_below_their_lines_with_samples_of_both) {
    const QTemporaryDir folder;
    const QString source = folder.filePath("relax.c");
    QFile file(source);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("\n\nint a = 1;\na += b;\n");
    file.close();
    MachineCodeModel model;
    model.setFunctions(relax(source.toStdString()));
    EXPECT_EQ(
        column(model, MachineCodeModel::CodeColumn),
        QStringList({"relax of /bin/solver", "relax.c:3  int a = 1;", "mov eax, 1", "relax.c:4  a += b;",
                     "add eax, ebx", "relax.c:3  int a = 1;", "mov ecx, eax", "ret"}));
    EXPECT_EQ(column(model, MachineCodeModel::SamplesColumn),
              QStringList({"10", "2", "", "8", "8", "2", "2", ""}));
    EXPECT_EQ(column(model, MachineCodeModel::ShareColumn)[4], "20.0 %");
    EXPECT_EQ(column(model, MachineCodeModel::AddressColumn)[4], "15");
    EXPECT_EQ(model.hottest(), 4);
    EXPECT_EQ(model.kindOf(1), MachineCodeModel::Kind::Line);
    model.setFunctions({});
    EXPECT_EQ(model.rowCount(), 0);
    EXPECT_EQ(model.hottest(), -1);
}

TEST(MachineCodeModel, title_says_where_samples_are_not_all_of_the_function) {
    EXPECT_EQ(titleOf(relax("relax.c"), "relax"), "relax: 10 of 40 samples");
    EXPECT_EQ(titleOf(relax("relax.c"), "inner"),
              "inner, with all of the functions that it is inlined into: 10 of 40 samples");
}

/// A loop of OpenMP is a call path of its own, and its instructions are in the function that it is written
/// in.
TEST(MachineCodePane, constructs_and_calls_of_MPI_lead_to_the_function_around_them) {
    using holos::algebra::CallPathId;
    holos::algebra::Experiment experiment = sampleExperiment();
    const auto pathOf = [&experiment](const std::string& name) {
        for (const CallPathId path : experiment.callTree.ids())
            if (experiment.regionOf(path).name == name) return path;
        return CallPathId(0);
    };
    EXPECT_EQ(functionAround(experiment, pathOf("solve")), "");
    for (holos::algebra::Region& region : experiment.regions)
        if (region.name == "MPI_Recv") region.paradigm = "mpi";
    EXPECT_EQ(functionAround(experiment, pathOf("MPI_Recv")), "solve");
    for (holos::algebra::Region& region : experiment.regions)
        if (region.name == "solve") region.paradigm = "openmp";
    EXPECT_EQ(functionAround(experiment, pathOf("MPI_Recv")), "main");
    EXPECT_EQ(functionAround(experiment, pathOf("solve")), "main");
}

TEST(MachineCodePane, instruction_with_the_most_samples_is_in_sight_at_once) {
    SampledFunctions functions = relax("nowhere.c");
    auto& instructions = functions.found.front().instructions;
    instructions.insert(instructions.begin(), 500, {0x1, "nop", {}, 0, 0});
    MachineCodeModel model;
    QTableView table;
    table.setModel(&model);
    table.resize(400, 200);
    table.show();
    QApplication::processEvents();
    model.setFunctions(functions);
    showHottest(table, model);
    EXPECT_TRUE(
        table.viewport()->rect().contains(table.visualRect(model.index(model.hottest(), 0)).center()));
}

TEST_F(Window, machine_code_without_samples_says_how_to_get_some) {
    browser().details()->open("instructions");
    clickArrow(browser().callPane(), "main");
    click(browser().callPane(), "solve");
    MachineCodePane* pane = browser().details()->code();
    ASSERT_TRUE(QTest::qWaitFor([&] { return pane->message().contains("--sample"); }, kPatience))
        << pane->message().toStdString();
    EXPECT_EQ(pane->table()->model()->rowCount(), 0);
}
