// SPDX-License-Identifier: BSD-3-Clause
// What a screen reader is told of the browser, over the bus by which it asks (AT-SPI).
#include <gtest/gtest.h>

#include <QCoreApplication>

#include "tests/gui/assistive/focus_listener.h"
#include "tests/gui/assistive/heard_browser.h"

using namespace holos::gui::testing;

namespace {

std::string told(const Accessible& thing) {
    return thing.roleName().toStdString() + " \"" + thing.name().toStdString() + '"';
}

}  // namespace

class Assistive : public HeardBrowser {
  protected:
    /// Trees and tables that are shown.
    std::vector<Accessible> tables() {
        std::vector<Accessible> all;
        for (const Accessible& thing : shown())
            if (thing.columns() > 0) all.push_back(thing);
        return all;
    }
    void expectNamesIn(std::initializer_list<const char*> views) {
        for (const char* view : views) {
            choose(QString::fromLatin1(view));
            expectNames(QString::fromLatin1(view));
        }
    }
    void expectNames(const QString& view) {
        for (const Accessible& thing : shown())
            if (thing.is(AtSpiState::Focusable) && thing.name().isEmpty())
                ADD_FAILURE() << "in " << view.toStdString() << " a " << thing.roleName().toStdString()
                              << " can have the keyboard and has no name";
        for (const Accessible& table : tables())
            for (int column = 0; column < table.columns(); ++column)
                EXPECT_FALSE(table.headingOf(column).isEmpty())
                    << view.toStdString() << ": " << told(table) << " column " << column;
    }
};

TEST_F(Assistive, each_view_of_the_system_names_its_things_and_columns) {
    EXPECT_GE(tables().size(), 3U);
    expectNamesIn({"System: distribution", "System: table", "System: topology"});
}

TEST_F(Assistive, each_view_of_the_program_names_its_things_and_columns) {
    expectNamesIn({"Program: flame graph", "Program: callers and callees"});
}

TEST_F(Assistive, each_view_below_the_panes_names_its_things_and_columns) {
    expectNamesIn({"Summary", "Source", "Timeline", "Communication", "Roofline"});
}

TEST_F(Assistive, values_in_trees_have_their_unit) {
    const Accessible metrics = named(QStringLiteral("Metrics"));
    ASSERT_GT(metrics.rows(), 0);
    EXPECT_EQ(metrics.headingOf(0), QStringLiteral("Name"));
    EXPECT_EQ(metrics.headingOf(1), QStringLiteral("Value"));
    EXPECT_EQ(metrics.cellAt(0, 0).name(), QStringLiteral("Time"));
    EXPECT_TRUE(metrics.cellAt(0, 1).name().endsWith(QStringLiteral("s")))
        << metrics.cellAt(0, 1).name().toStdString();
    for (const char* pane : {"Call paths", "System"}) {
        const Accessible tree = named(QString::fromLatin1(pane));
        EXPECT_TRUE(tree.cellAt(0, 1).name().endsWith(QStringLiteral("s")))
            << pane << ": " << tree.cellAt(0, 1).name().toStdString();
    }
}

TEST_F(Assistive, pictures_say_what_they_show) {
    const auto expect = [this](const char* picture, const char* part) {
        const QStringList said = descriptionsOf(QString::fromLatin1(picture), QString::fromLatin1(part));
        EXPECT_FALSE(said.filter(QString::fromLatin1(part)).isEmpty())
            << picture << " says " << said.join(QStringLiteral(" and ")).toStdString();
    };
    expect("Colour scale", "from 0 to ");
    choose(QStringLiteral("Program: flame graph"));
    expect("Flame graph", "main");
    choose(QStringLiteral("System: distribution"));
    expect("Distribution over locations", "8 locations, maximum ");
    choose(QStringLiteral("System: topology"));
    expect("Topology", "process: 4; from ");
    choose(QStringLiteral("Communication"));
    expect("Who sends to whom", "process");
    choose(QStringLiteral("Timeline"));
    expect("Timeline", "from 0.000000 s to ");
    expect("Overview of the whole run", " %");
}

/// Not of a tree: Qt 6.4 gives the keyboard over the bus only to what has an action for it, and its trees and
/// tables have no actions (`QAccessibleTable` is no `QAccessibleActionInterface`).
TEST_F(Assistive, focus_is_announced) {
    FocusListener listener(bus());
    const Accessible search = named(QStringLiteral("Find in Call paths"));
    EXPECT_TRUE(search.grabFocus());
    EXPECT_TRUE(comes([&] { return listener.heard().contains(search.path()); }));
    EXPECT_TRUE(search.is(AtSpiState::Focused));
}

TEST_F(Assistive, actions_have_names_and_can_be_done) {
    std::size_t counted = 0;
    for (const Accessible& thing : everything())
        for (const QString& action : thing.actions()) {
            if (thing.roleName() == u"scroll bar") continue;  // of the thing that it is in
            ++counted;
            EXPECT_FALSE(action.isEmpty()) << told(thing);
            EXPECT_TRUE(!thing.name().isEmpty() || !thing.is(AtSpiState::Showing))
                << "what can one " << action.toStdString() << " in a " << told(thing) << '?';
        }
    EXPECT_GT(counted, 50U);
    choose(QStringLiteral("Timeline"));
    EXPECT_TRUE(named(QStringLiteral("Timeline")).is(AtSpiState::Showing));
}

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    QCoreApplication application(argc, argv);
    return RUN_ALL_TESTS();
}
