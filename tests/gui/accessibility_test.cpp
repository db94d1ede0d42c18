// SPDX-License-Identifier: BSD-3-Clause
// What a screen reader is told: names of what can have the keyboard, values with their units, pictures in
// words.
#include <QAccessible>
#include <QComboBox>
#include <QLineEdit>

#include "gui/views/detail_views.h"
#include "gui/views/distribution_view.h"
#include "gui/views/parts/colors.h"
#include "gui/views/program_views.h"
#include "gui/views/system_views.h"
#include "gui/views/topology/topology_page.h"
#include "gui/views/topology/topology_view.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;

namespace {

QString textOf(QAccessibleInterface* thing, QAccessible::Text kind) {
    return thing->text(kind);
}

QString described(QWidget* widget) {
    return textOf(QAccessible::queryAccessibleInterface(widget), QAccessible::Description);
}

/// The widgets below this one that can have the keyboard and say nothing of themselves.
void addSilent(QAccessibleInterface* thing, QStringList& silent) {
    const QObject* object = thing->object();
    const auto* widget = qobject_cast<const QWidget*>(object);
    if (widget != nullptr && !widget->isVisible()) return;
    if (widget != nullptr && widget->focusPolicy() != Qt::NoFocus &&
        textOf(thing, QAccessible::Name).isEmpty())
        silent << QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName();
    if (thing->tableInterface() != nullptr) return;  // its cells
    for (int at = 0; at < thing->childCount(); ++at)
        if (QAccessibleInterface* child = thing->child(at)) addSilent(child, silent);
}

class Accessibility : public Window {
  protected:
    QStringList silent() {
        QApplication::processEvents();
        QStringList found;
        addSilent(QAccessible::queryAccessibleInterface(&window), found);
        return found;
    }
};

}  // namespace

TEST_F(Accessibility, whatever_can_have_the_keyboard_has_a_name) {
    for (int view = 0; view < 4; ++view) {
        browser().systemViews()->setCurrentIndex(view);
        EXPECT_EQ(silent().join(u", "_qs).toStdString(), "") << "view " << view;
    }
    for (int tab = 0; tab < 3; ++tab) {
        browser().programs()->setCurrentIndex(tab);
        EXPECT_EQ(silent().join(u", "_qs).toStdString(), "") << "tab " << tab;
    }
    for (const QString& detail : browser().details()->names()) {
        browser().toggleDetail(detail);
        EXPECT_EQ(silent().join(u", "_qs).toStdString(), "") << detail.toStdString();
    }
}

/// Their accessible name is the present value, whatever one gives them.
TEST_F(Accessibility, boxes_have_labels_that_say_what_is_chosen) {
    browser().programs()->setCurrentIndex(ProgramViews::FlameTab);
    browser().systemViews()->setCurrentIndex(SystemViews::TopologyTab);
    for (const QString& detail : browser().details()->names()) browser().toggleDetail(detail);
    const auto boxes = window.findChildren<QComboBox*>();
    EXPECT_GE(boxes.size(), 6);
    for (QComboBox* box : boxes) {
        const auto labels = QAccessible::queryAccessibleInterface(box)->relations(QAccessible::Label);
        ASSERT_EQ(labels.size(), 1) << box->currentText().toStdString();
        EXPECT_EQ(labels.first().first->text(QAccessible::Name), box->accessibleName());
        EXPECT_FALSE(box->accessibleName().isEmpty());
    }
}

TEST_F(Accessibility, noDescription_isHtml) {
    browser().expandHottest();
    browser().programs()->setCurrentIndex(ProgramViews::FlameTab);
    browser().systemViews()->setCurrentIndex(SystemViews::TopologyTab);
    for (const QString& detail : browser().details()->names()) {
        browser().toggleDetail(detail);
        QApplication::processEvents();
        for (QWidget* widget : window.findChildren<QWidget*>())
            EXPECT_FALSE(described(widget).startsWith(u'<'))
                << widget->objectName().toStdString() << ": " << described(widget).toStdString();
    }
}

TEST_F(Accessibility, values_of_trees_have_their_unit) {
    TreePane* pane = browser().metricPane();
    const QModelIndex time = named(pane, "Time");
    EXPECT_EQ(time.siblingAtColumn(TreeModel::ValueColumn).data(Qt::AccessibleTextRole), "20.000 s");
    EXPECT_EQ(time.data(Qt::AccessibleTextRole), "Time");
    QAccessibleTableInterface* table = QAccessible::queryAccessibleInterface(pane->tree())->tableInterface();
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(textOf(table->cellAt(0, 1), QAccessible::Name), "20.000 s");
    EXPECT_EQ(table->columnDescription(0), "Name");
    EXPECT_EQ(table->columnDescription(1), "Value");
}

TEST_F(Accessibility, pictures_say_what_they_show) {
    QApplication::processEvents();
    const auto legends = browser().metricPane()->findChildren<ColorLegend*>();
    ASSERT_EQ(legends.size(), 1);
    EXPECT_EQ(described(legends.front()), "from 0 to 20.000 s");
    browser().systemViews()->setCurrentIndex(SystemViews::DistributionTab);
    QApplication::processEvents();
    auto* distribution = window.findChild<DistributionView*>();
    EXPECT_TRUE(described(distribution).contains(" locations, maximum "))
        << described(distribution).toStdString();
    EXPECT_TRUE(described(distribution).contains(" s, standard deviation "))
        << described(distribution).toStdString();
    browser().systemViews()->setCurrentIndex(SystemViews::TopologyTab);
    browser().expandHottest();
    QApplication::processEvents();
    EXPECT_FALSE(described(browser().systemViews()->topology()->view()).isEmpty());
}

TEST_F(Accessibility, pane_with_the_keyboard_is_marked) {
    window.activateWindow();
    const auto isMarked = [](const QWidget* pane) {
        return pane->findChild<QWidget*>("Focus mark", Qt::FindDirectChildrenOnly)->isVisible();
    };
    browser().callPane()->tree()->setFocus();
    if (QApplication::focusWidget() == nullptr) GTEST_SKIP() << "no window can be active here";
    EXPECT_TRUE(isMarked(browser().programs()));
    EXPECT_FALSE(isMarked(browser().metricPane()));
    browser().metricPane()->searchBox()->setFocus();
    EXPECT_FALSE(isMarked(browser().programs()));
    EXPECT_TRUE(isMarked(browser().metricPane()));
}
