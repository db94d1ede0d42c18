// SPDX-License-Identifier: BSD-3-Clause
// The files that were opened last, in settings of their own.
#include <QMenuBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "algebra/files/cubex.h"
#include "gui/experiments/settings.h"
#include "tests/gui/window_fixture.h"

using namespace holos::gui;
using namespace holos::gui::testing;

namespace {

class RecentFiles : public ::testing::Test {
  protected:
    void SetUp() override {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
        QApplication::setOrganizationName("Holos of this test");
    }
    void TearDown() override { QApplication::setOrganizationName({}); }
    QString made(const QString& name) {
        const QString path = folder.filePath(name);
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        return path;
    }

    QTemporaryDir folder;
};

}  // namespace

TEST_F(RecentFiles, newest_is_first_and_each_is_there_once) {
    const QString a = made("a.cubex"), b = made("b.cubex");
    noteRecent(a);
    noteRecent(b);
    EXPECT_EQ(recentFiles(), (QStringList{b, a}));
    noteRecent(a);
    EXPECT_EQ(recentFiles(), (QStringList{a, b}));
}

TEST_F(RecentFiles, are_ten_at_most) {
    for (int file = 0; file < 12; ++file) noteRecent(made(QString::number(file)));
    ASSERT_EQ(recentFiles().size(), 10);
    EXPECT_EQ(recentFiles().front(), folder.filePath("11"));
    EXPECT_EQ(recentFiles().back(), folder.filePath("2"));
}

TEST_F(RecentFiles, that_are_gone_or_never_were_are_left_out) {
    const QString a = made("a.cubex"), b = made("b.cubex");
    noteRecent(a);
    noteRecent(b);
    noteRecent(folder.filePath("never.cubex"));
    ASSERT_TRUE(QFile::remove(b));
    EXPECT_EQ(recentFiles(), QStringList{a});
}

TEST_F(RecentFiles, without_a_place_for_settings_nothing_is_remembered) {
    QApplication::setOrganizationName({});
    noteRecent(made("a.cubex"));
    EXPECT_TRUE(recentFiles().isEmpty());
}

TEST_F(RecentFiles, menu_opens_one_of_them) {
    const QString path = folder.filePath("a & b.cubex");
    holos::algebra::writeCubex(sampleExperiment(), path.toStdString());
    noteRecent(path);
    MainWindow window;
    QMenu* recent = nullptr;
    for (QMenu* menu : window.menuBar()->findChildren<QMenu*>()) {
        if (menu->title() == "&File") Q_EMIT menu->aboutToShow();
        if (menu->title() == "Open recent") recent = menu;
    }
    ASSERT_NE(recent, nullptr);
    ASSERT_EQ(recent->actions().size(), 1);
    EXPECT_EQ(recent->actions().front()->text(), QString(path).replace("&", "&&"));
    QSignalSpy opened(&window, &MainWindow::opened);
    recent->actions().front()->trigger();
    ASSERT_TRUE(opened.wait(10000));
    EXPECT_TRUE(opened.front().front().toBool());
    EXPECT_EQ(recentFiles(), QStringList{path});
}
