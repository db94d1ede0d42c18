// SPDX-License-Identifier: BSD-3-Clause
// Source lines: where call paths are, what is spent there, and where moved files are found.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "algebra/model/source_lines.h"
#include "gui/models/source_lines.h"
#include "gui/views/details/source_pane.h"
#include "gui/views/parts/colors.h"
#include "tests/gui/model_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using namespace holos::algebra;

namespace {

void write(const QString& path, const QByteArray& text) {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
}

/// The sample, with main at line 1, init at 3 and solve at 5 of `sample.c`; solve calls MPI_Recv at 6.
Experiment placedExperiment(const std::string& file = "sample.c") {
    Experiment experiment = sampleExperiment();
    const std::array lines{1, 3, 5};
    for (std::size_t region = 0; region < lines.size(); ++region) {
        experiment.regions[region].module = file;
        experiment.regions[region].beginLine = lines[region];
    }
    experiment.regions[3].module = "MPI";
    experiment.regions[3].beginLine = -1;
    experiment.callTree[CallPathId(3)].module = file;
    experiment.callTree[CallPathId(3)].line = 6;
    return experiment;
}

constexpr const char* kSource = "int main() {\n  // starts\n  init();\n\n  solve();\n  MPI_Recv();\n}\n";

}  // namespace

TEST(SourceLines, place_is_the_call_then_the_region_then_the_nearest_caller) {
    Experiment experiment = placedExperiment();
    const auto call = sourcePlaceOf(experiment, CallPathId(3));
    ASSERT_TRUE(call.has_value());
    EXPECT_EQ(call->line, 6);
    EXPECT_TRUE(call->call);
    EXPECT_EQ(sourcePlaceOf(experiment, CallPathId(1))->line, 3);
    experiment.callTree[CallPathId(3)].line = -1;
    const auto caller = sourcePlaceOf(experiment, CallPathId(3));  // solve; MPI is no file
    EXPECT_EQ(caller->line, 5);
    EXPECT_EQ(caller->path, CallPathId(2));
    for (Region& region : experiment.regions) region.module.clear();
    EXPECT_FALSE(sourcePlaceOf(experiment, CallPathId(3)).has_value());
}

/// time inclusive: main 20, init 4, solve 14, MPI_Recv 4.
TEST(SourceLines, values_of_lines_are_inclusive) {
    const Experiment experiment = placedExperiment();
    const std::vector<double> inclusive =
        perCallPath(experiment, {*experiment.findMetric("time")}, Extent::Inclusive);
    const std::map<int, double> expected{{1, 20.0}, {3, 4.0}, {5, 14.0}, {6, 4.0}};
    EXPECT_EQ(lineValues(experiment, "sample.c", inclusive), expected);
    EXPECT_TRUE(lineValues(experiment, "other.c", inclusive).empty());
}

TEST(SourceLines, what_calls_itself_at_a_line_counts_once) {
    Experiment experiment = placedExperiment();
    experiment.callTree[CallPathId(3)].region = RegionId(2);  // solve calls solve
    experiment.callTree[CallPathId(3)].line = -1;
    const std::vector<double> inclusive =
        perCallPath(experiment, {*experiment.findMetric("time")}, Extent::Inclusive);
    EXPECT_EQ(lineValues(experiment, "sample.c", inclusive).at(5), 14.0);
}

TEST(SourceLines, moved_files_are_found_by_what_their_paths_have_in_common) {
    const QTemporaryDir folder;
    ASSERT_TRUE(QDir(folder.path()).mkpath("code/src"));
    const QString here = folder.filePath("code/src/a.c");
    write(here, "int a;\n");
    const auto mapping = mappingBetween("/build/host/src/a.c", here);
    ASSERT_TRUE(mapping.has_value());
    EXPECT_EQ(*mapping, (SourceMapping{"/build/host", folder.filePath("code")}));
    EXPECT_EQ(findSource("/build/host/src/a.c", {*mapping}, {}), here);
    EXPECT_FALSE(findSource("/build/host/src/b.c", {*mapping}, {}).has_value());
    EXPECT_FALSE(findSource("/build/hostile/src/a.c", {*mapping}, {}).has_value());
    EXPECT_EQ(findSource("src/a.c", {}, {"/nowhere", folder.filePath("code")}), here);
    EXPECT_FALSE(mappingBetween("/x/a.c", "/y/b.c").has_value());
}

TEST(SourcePane, shows_the_line_with_its_values) {
    const QTemporaryDir folder;
    write(folder.filePath("sample.c"), kSource);
    ValueCache cache(std::make_shared<const Experiment>(placedExperiment()));
    const Colors colors;
    SourcePane pane(cache, colors);
    pane.setPlaces({}, {folder.path()});
    pane.follow({{*cache.experiment().findMetric("time")}, CallPathId(2), std::nullopt, {}});
    EXPECT_EQ(pane.file(), folder.filePath("sample.c"));
    EXPECT_EQ(pane.line(), 5);
    EXPECT_EQ(pane.valueAt(5), "14.000 s");
    EXPECT_EQ(pane.valueAt(2), "");
    pane.follow({{*cache.experiment().findMetric("mpi_share")}, CallPathId(2), std::nullopt, {}});
    EXPECT_EQ(pane.valueAt(5), "");  // ratios are not summed over lines
}

TEST(SourcePane, sampled_line_has_its_part_of_the_time_of_its_function) {
    const QTemporaryDir folder;
    write(folder.filePath("sample.c"), kSource);
    Experiment experiment = placedExperiment();
    Region& line = experiment.regions[3];
    line.module = experiment.regions[2].module;
    line.beginLine = line.endLine = 2;
    line.role = "code";
    const CallPathId path(3);  // in solve
    experiment.callTree[path].line = -1;
    SeverityTable times = experiment.newTable();
    times.add(CallPathId(2), LocationId(0), 6.0);
    experiment.severities.set(*experiment.findMetric("time"), times);
    Metric metric;
    metric.uniqueName = kSamplesMetric;
    SeverityTable samples = experiment.newTable();
    samples.add(path, LocationId(0), 5.0);
    experiment.severities.set(experiment.metrics.add(metric), samples);
    ValueCache cache(shared(std::move(experiment)));
    const Colors colors;
    SourcePane pane(cache, colors);
    pane.setPlaces({}, {folder.path()});
    pane.follow({{*cache.experiment().findMetric("time")}, path, std::nullopt, {}});
    EXPECT_EQ(pane.line(), 2);
    EXPECT_EQ(pane.valueAt(2), "6.0000 s");  // all of solve's
    EXPECT_EQ(pane.valueAt(5), "6.0000 s");
}

TEST(SourcePane, missing_file_is_located_once_for_all) {
    const QTemporaryDir folder;
    write(folder.filePath("sample.c"), kSource);
    ValueCache cache(std::make_shared<const Experiment>(placedExperiment("/gone/sample.c")));
    const Colors colors;
    SourcePane pane(cache, colors);
    const Focus focus{{*cache.experiment().findMetric("time")}, CallPathId(1), std::nullopt, {}};
    pane.follow(focus);
    EXPECT_EQ(pane.file(), "");
    QSignalSpy changed(&pane, &SourcePane::mappingsChanged);
    pane.locate(folder.filePath("sample.c"));
    EXPECT_EQ(changed.size(), 1);
    EXPECT_EQ(pane.line(), 3);
    pane.follow({focus.metric, CallPathId(2), std::nullopt, {}});
    EXPECT_EQ(pane.line(), 5);
}

TEST(SourceHighlighter, knows_languages_by_suffix) {
    EXPECT_EQ(languageOf("a/b.F90"), Language::Fortran);
    EXPECT_EQ(languageOf("x.cpp"), Language::C);
    EXPECT_EQ(languageOf("x.py"), Language::Python);
    EXPECT_EQ(languageOf("Makefile"), Language::None);
}

TEST(SourceHighlighter, comments_over_lines_and_texts_are_told_apart) {
    QTextDocument document;
    const QPalette palette;
    SourceHighlighter highlighter(&document, palette);
    document.setPlainText("int a; /* one\nreturn */ int b;\nchar* c = \"// no\";");
    highlighter.setLanguage(Language::C);
    const auto colorAt = [&](int line, int column) {
        for (const auto& range : document.findBlockByNumber(line).layout()->formats())
            if (range.start <= column && column < range.start + range.length)
                return range.format.foreground().color();
        return QColor();
    };
    const QColor comment = palette.color(QPalette::PlaceholderText);
    EXPECT_EQ(colorAt(0, 8), comment);
    EXPECT_EQ(colorAt(1, 0), comment);         // no word here
    EXPECT_EQ(colorAt(1, 10), colorAt(0, 0));  // int
    EXPECT_NE(colorAt(2, 12), comment);        // a text
}
