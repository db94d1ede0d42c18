// SPDX-License-Identifier: BSD-3-Clause
// Metrics that somebody derives in the browser.
#include "gui/metrics/metric_editor.h"

#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>

#include "algebra/files/experiment_file.h"
#include "algebra/operators/history/recorded_run.h"
#include "tests/gui/patience.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/temporary_directory.h"

using namespace holos::gui;
using namespace holos::gui::testing;
using Language = MetricDraft::Language;

namespace {

DraftResult tried(const QString& text, Language language = Language::Specification, const QString& name = {},
                  MetricDraft::Evaluated evaluated = MetricDraft::Evaluated::OnSums) {
    return tryDraft(sampleExperiment(), {language, text, name, "sec", evaluated});
}

class MetricEditorTest : public ::testing::Test {
  protected:
    MetricEditor editor{std::make_shared<const holos::algebra::Experiment>(sampleExperiment()), {}};

    bool canAdd() {
        return QTest::qWaitFor([this] { return editor.addButton()->isEnabled(); }, kPatience);
    }
};

}  // namespace

TEST(MetricEditorOfARange, heading_of_values_says_which_part_of_the_run) {
    holos::algebra::Experiment part = sampleExperiment();
    part.attributes.emplace_back(holos::algebra::kRangeAttribute, "1.5 4");
    const MetricEditor editor(std::make_shared<const holos::algebra::Experiment>(std::move(part)), {});
    EXPECT_EQ(editor.values()->horizontalHeaderItem(1)->text(), "1.5 s to 4 s");
}

TEST(MetricDraft, ratio_of_a_specification_has_the_value_of_the_whole_run) {
    const DraftResult result = tried("ratio MPI_PERCENT = 100 * mpi / time\nunit MPI_PERCENT = %\n");
    ASSERT_TRUE(result.problems.empty()) << result.problems.front().message.toStdString();
    ASSERT_EQ(result.metrics.size(), 1U);
    EXPECT_EQ(result.metrics[0].name, "MPI_PERCENT");
    EXPECT_TRUE(result.metrics[0].value.startsWith("20"))
        << result.metrics[0].value.toStdString();  // 4 of 20 s
    EXPECT_TRUE(result.experiment->files.contains("holos.spec"));
}

/// Its values are still read from the file while it is written anew.
TEST(MetricDraft, written_to_the_file_it_came_from_has_all_that_was_there) {
    const holos::testing::TemporaryDirectory directory;
    const auto file = directory.path() / "run.cubex";
    holos::algebra::writeExperiment(sampleExperiment(), file);
    const auto before = holos::algebra::readExperiment(file);
    const DraftResult result =
        tryDraft(before, {Language::Specification, "ratio SHARE = mpi / time\n", {}, {}, {}});
    ASSERT_TRUE(result.experiment);
    holos::algebra::writeExperiment(*result.experiment, file);

    const auto after = holos::algebra::readExperiment(file);
    EXPECT_TRUE(after.findMetric("SHARE"));
    const auto sample = sampleExperiment();
    for (const char* name : {"time", "mpi"})
        for (const auto path : sample.callTree.ids())
            EXPECT_EQ(
                after.severities.table(*after.findMetric(name)).at(path, holos::algebra::LocationId(0)),
                sample.severities.table(*sample.findMetric(name)).at(path, holos::algebra::LocationId(0)));
}

TEST(MetricDraft, mistake_is_told_with_its_place) {
    const DraftResult result = tried("ratio FINE = mpi / time\nratio WRONG mpi / time\n");
    EXPECT_EQ(result.experiment, nullptr);
    ASSERT_FALSE(result.problems.empty());
    EXPECT_EQ(result.problems[0].line, 2);
    EXPECT_EQ(result.problems[0].column, 13);
}

TEST(MetricDraft, expression_is_evaluated_on_sums_or_for_each_place) {
    EXPECT_TRUE(tried("metric::mpi() / metric::time()", Language::CubePl, "share")
                    .metrics.at(0)
                    .value.startsWith("0.2"));
    const DraftResult each =
        tried("metric::mpi() * 2", Language::CubePl, "twice", MetricDraft::Evaluated::ForEachPlace);
    EXPECT_EQ(each.metrics.at(0).value, "8 sec");
}

TEST(MetricDraft, mistake_in_an_expression_is_told_with_its_place) {
    const DraftResult result = tried("metric::mpi() +", Language::CubePl, "broken");
    EXPECT_EQ(result.experiment, nullptr);
    ASSERT_EQ(result.problems.size(), 1U);
    EXPECT_EQ(result.problems[0].line, 1);
    EXPECT_GT(result.problems[0].column, 13);
}

TEST(MetricDraft, name_is_needed_and_must_be_new) {
    EXPECT_EQ(tried("1", Language::CubePl).experiment, nullptr);
    EXPECT_EQ(tried("1", Language::CubePl, "time").experiment, nullptr);
}

TEST(MetricDraft, metric_that_is_not_there_is_told) {
    const DraftResult result = tried("metric::nowhere()", Language::CubePl, "lost");
    EXPECT_EQ(result.experiment, nullptr);
    ASSERT_EQ(result.problems.size(), 1U);
    EXPECT_EQ(result.problems[0].message, "there is no metric \"nowhere\"");
}

TEST(MetricDraft, words_are_metrics_and_what_the_language_has) {
    const auto experiment = sampleExperiment();
    EXPECT_TRUE(wordsFor(experiment, Language::CubePl).contains("metric::mpi()"));
    EXPECT_TRUE(wordsFor(experiment, Language::Specification).contains("ratio"));
    EXPECT_TRUE(wordsFor(experiment, Language::Specification).contains("time"));
}

TEST_F(MetricEditorTest, values_follow_the_text) {
    editor.languageBox()->setCurrentIndex(1);
    editor.nameBox()->setText("share");
    editor.text()->setPlainText("metric::mpi() / metric::time()");
    ASSERT_TRUE(canAdd());
    ASSERT_EQ(editor.values()->rowCount(), 1);
    EXPECT_EQ(editor.values()->item(0, 0)->text(), "share");
    EXPECT_TRUE(editor.result()->findMetric("share"));
}

TEST_F(MetricEditorTest, value_of_the_metric_in_the_line_of_the_cursor_is_in_sight) {
    constexpr int kMany = 60;
    QString text;
    for (int number = 0; number < kMany; ++number) text += u"ratio M%1 = mpi / time\n"_qs.arg(number);
    editor.show();
    editor.text()->setPlainText(text);
    editor.text()->moveCursor(QTextCursor::End);
    editor.text()->moveCursor(QTextCursor::PreviousBlock);
    ASSERT_TRUE(canAdd());
    const auto inSight = [this](const QString& name) {
        const auto found = editor.values()->findItems(name, Qt::MatchExactly);
        return found.size() == 1 && found.front()->isSelected() &&
               editor.values()->viewport()->rect().contains(
                   editor.values()->visualItemRect(found.front()).center());
    };
    EXPECT_TRUE(inSight(u"M59"_qs));
    editor.text()->moveCursor(QTextCursor::Start);
    EXPECT_TRUE(inSight(u"M0"_qs));
}

TEST_F(MetricEditorTest, mistakes_are_underlined_where_they_are) {
    editor.text()->setPlainText("ratio X = mpi / time\ncompute Y mpi");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !editor.message().isEmpty(); }, kPatience));
    EXPECT_TRUE(editor.message().startsWith("2:11: ")) << editor.message().toStdString();
    ASSERT_FALSE(editor.text()->extraSelections().isEmpty());
    EXPECT_EQ(editor.text()->extraSelections().front().cursor.blockNumber(), 1);
    EXPECT_FALSE(editor.addButton()->isEnabled());
}

TEST_F(MetricEditorTest, words_are_completed) {
    editor.show();
    editor.languageBox()->setCurrentIndex(1);
    editor.text()->setFocus();
    QTest::keyClicks(editor.text(), "latesen");
    ASSERT_EQ(editor.text()->completer()->completionCount(), 1);
    Q_EMIT editor.text()->completer()->activated(editor.text()->completer()->currentCompletion());
    EXPECT_EQ(editor.text()->toPlainText(), "metric::mpi_latesender()");
}

TEST_F(MetricEditorTest, line_ends_while_words_are_offered) {
    editor.show();
    editor.text()->setFocus();
    QTest::keyClicks(editor.text(), "ratio A = mpi / time");
    QTest::keyClick(editor.text(), Qt::Key_Return);
    QTest::keyClicks(editor.text(), "x");
    EXPECT_EQ(editor.text()->toPlainText(), "ratio A = mpi / time\nx");
}

TEST_F(MetricEditorTest, words_that_begin_so_are_offered_first) {
    editor.show();
    editor.text()->setFocus();
    QTest::keyClicks(editor.text(), "mpi");
    EXPECT_EQ(editor.text()->completer()->currentCompletion(), "mpi");
}

TEST_F(MetricEditorTest, each_language_keeps_its_text) {
    editor.text()->setPlainText("compute A = mpi");
    editor.languageBox()->setCurrentIndex(1);
    EXPECT_EQ(editor.text()->toPlainText(), "");
    editor.text()->setPlainText("metric::mpi()");
    editor.languageBox()->setCurrentIndex(0);
    EXPECT_EQ(editor.text()->toPlainText(), "compute A = mpi");
}
