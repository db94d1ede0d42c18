// SPDX-License-Identifier: BSD-3-Clause
// What is painted, which costs over a network: nothing by itself, and each view at most once for what
// somebody does.
#include <QStyle>

#include "gui/views/detail_views.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;

namespace {

/// Counts how often a widget is painted.
class Paintings : public QObject {
  public:
    explicit Paintings(QWidget* widget) { widget->installEventFilter(this); }
    int number = 0;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint) ++number;
        return QObject::eventFilter(watched, event);
    }
};

void settle() {
    for (int round = 0; round < 5; ++round) QApplication::processEvents();
}

}  // namespace

TEST_F(Window, nothing_is_animated) {
    EXPECT_EQ(window.style()->styleHint(QStyle::SH_Widget_Animation_Duration), 0);
    EXPECT_EQ(window.style()->styleHint(QStyle::SH_Widget_Animate), 0);
    for (const auto effect : {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo, Qt::UI_FadeTooltip})
        EXPECT_FALSE(QApplication::isEffectEnabled(effect));
    for (const QTreeView* tree : window.findChildren<QTreeView*>()) EXPECT_FALSE(tree->isAnimated());
}

TEST_F(Window, selection_paints_each_pane_at_most_once) {
    settle();
    Paintings metrics(browser().metricPane()->tree()->viewport());
    Paintings calls(browser().callPane()->tree()->viewport());
    Paintings system(browser().systemPane()->tree()->viewport());
    browser().callPane()->tree()->setCurrentIndex(named(browser().callPane(), "main"));
    browser().metricPane()->tree()->setCurrentIndex(named(browser().metricPane(), "~stalls"));
    settle();
    EXPECT_EQ(metrics.number, 1);
    EXPECT_EQ(calls.number, 1);
    EXPECT_EQ(system.number, 1);
    settle();  // and nothing by itself
    EXPECT_EQ(metrics.number + calls.number + system.number, 3);
}

TEST_F(Window, call_path_does_not_paint_the_metrics_left_of_it) {
    clickArrow(browser().callPane(), "main");
    settle();
    Paintings metrics(browser().metricPane()->tree()->viewport());
    Paintings system(browser().systemPane()->tree()->viewport());
    browser().callPane()->tree()->setCurrentIndex(named(browser().callPane(), "init"));
    settle();
    EXPECT_EQ(metrics.number, 0);
    EXPECT_EQ(system.number, 1);
}

/// The pane is small, and the selected row one of many.
TEST_F(Window, selected_row_stays_in_sight_when_a_view_opens_below) {
    holos::algebra::Experiment experiment = sampleExperiment();
    for (int call = 0; call < 60; ++call) {
        holos::algebra::CallPath path;
        path.region = holos::algebra::RegionId(1);
        path.line = call;
        experiment.callTree.add(path, holos::algebra::CallPathId(0));
    }
    for (const auto metric : experiment.metrics.ids())
        if (experiment.severities.has(metric)) experiment.severities.set(metric, experiment.newTable());
    window.show("long.cubex", std::make_shared<const holos::algebra::Experiment>(std::move(experiment)));
    settle();
    TreePane* calls = browser().callPane();
    calls->reveal(calls->model()->indexOf(NodeId(18)));
    settle();
    const auto inSight = [](const TreePane* pane) {
        return pane->tree()->viewport()->rect().contains(pane->tree()->visualRect(pane->current()));
    };
    EXPECT_TRUE(inSight(calls));
    for (const QString& name : browser().details()->names()) {
        browser().details()->open(name);
        settle();
        EXPECT_TRUE(inSight(calls)) << name.toStdString();
        EXPECT_TRUE(inSight(browser().metricPane())) << name.toStdString();
        browser().details()->open({});
        settle();
    }
}
