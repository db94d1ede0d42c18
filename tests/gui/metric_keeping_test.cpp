// SPDX-License-Identifier: BSD-3-Clause
// Derived metrics are written only to the file that was opened, and only with what that has.
#include <QCheckBox>
#include <QPushButton>
#include <QTimer>
#include <fstream>

#include "algebra/files/cubex.h"
#include "gui/experiments/open_experiments.h"
#include "gui/metrics/metric_editor.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/temporary_directory.h"

using namespace holos::gui;
using namespace holos::gui::testing;
namespace algebra = holos::algebra;
namespace fs = std::filesystem;

namespace {

/// The window with an experiment that is in a file.
class KeptMetrics : public Window {
  protected:
    void SetUp() override {
        algebra::writeCubex(sampleExperiment(), file());
        window.resize(1000, 600);
        window.show(path(), std::make_shared<const algebra::Experiment>(algebra::readCubex(file())));
        window.show();
        QApplication::processEvents();
    }
    fs::path file() const { return directory_.path() / "analysis.cubex"; }
    QString path() const { return QString::fromStdString(file().string()); }

    /// Derives a metric; `meanwhile` happens while the editor is open. Returns whether it could be kept.
    bool derive(
        const QString& name, const std::function<void()>& meanwhile = [] {}) {
        bool isOffered = false;
        QTimer::singleShot(0, [&] {
            auto* editor = qobject_cast<MetricEditor*>(QApplication::activeModalWidget());
            ASSERT_NE(editor, nullptr);
            auto* keep = editor->findChild<QCheckBox*>(u"Keep"_qs);
            isOffered = keep->isEnabled();
            keep->setChecked(true);
            editor->nameBox()->setText(name);
            editor->text()->setPlainText(u"metric::time() * 2"_qs);
            EXPECT_TRUE(QTest::qWaitFor([editor] { return editor->addButton()->isEnabled(); }, 60000));
            meanwhile();
            editor->accept();
        });
        for (QAction* action : browser().metricPane()->tree()->actions())
            if (action->text() == u"Derive a metric from it…"_qs) action->trigger();
        return isOffered;
    }
    /// Another analysis takes the name of the file.
    void replaceFile() const {
        std::ofstream(directory_.path() / "other") << "another run";
        fs::rename(directory_.path() / "other", file());
    }
    std::string content() const {
        std::ifstream in(file());
        return {std::istreambuf_iterator<char>(in), {}};
    }

  private:
    holos::testing::TemporaryDirectory directory_;
};

}  // namespace

TEST_F(KeptMetrics, of_the_whole_run_are_in_the_file_also_the_second_time) {
    EXPECT_TRUE(derive(u"twice"_qs));
    EXPECT_TRUE(algebra::readCubex(file()).findMetric("twice"));
    EXPECT_TRUE(derive(u"again"_qs));
    EXPECT_TRUE(algebra::readCubex(file()).findMetric("again"));
}

TEST_F(KeptMetrics, while_a_range_is_shown_the_file_stays) {
    const std::string before = content();
    window.experiments().replace(path(), std::make_shared<const algebra::Experiment>(sampleExperiment()),
                                 Filter{PartOfTime{0.0, 1.0}});
    EXPECT_FALSE(derive(u"twice"_qs));
    EXPECT_EQ(content(), before);
    EXPECT_FALSE(derive(u"again"_qs)) << "it is still a range";
    EXPECT_EQ(content(), before);
    EXPECT_TRUE(browser().experiment().findMetric("again"));
}

TEST_F(KeptMetrics, when_another_run_has_the_name_of_the_file_it_stays) {
    replaceFile();
    EXPECT_FALSE(derive(u"twice"_qs));
    EXPECT_EQ(content(), "another run");
}

TEST_F(KeptMetrics, when_the_file_changes_while_they_are_written_it_stays) {
    EXPECT_TRUE(derive(u"twice"_qs, [this] { replaceFile(); }));
    EXPECT_EQ(content(), "another run");
}

TEST_F(KeptMetrics, when_a_range_is_shown_while_they_are_written_the_file_stays) {
    const std::string before = content();
    EXPECT_TRUE(derive(u"twice"_qs, [this] {
        window.experiments().replace(path(), std::make_shared<const algebra::Experiment>(sampleExperiment()),
                                     Filter{PartOfTime{0.0, 1.0}});
    }));
    EXPECT_EQ(content(), before);
    EXPECT_FALSE(browser().experiment().findMetric("twice"));
}
