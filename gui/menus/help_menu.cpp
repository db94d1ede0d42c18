// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/menus.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QHeaderView>
#include <QMenu>
#include <QMessageBox>
#include <QTableWidget>
#include <QVBoxLayout>
#include <array>

#include "gui/menus/actions.h"

namespace holos::gui {

namespace {

constexpr int kRowsSeen = 24;

/// What belongs to a view and not to a menu.
struct ViewKeys {
    const char* keys;
    const char* help;
};
constexpr std::array kViewKeys{
    ViewKeys{"← →", "Trees: collapse and expand"},
    ViewKeys{"← → ↑ ↓", "Topology: the next place; distribution: the next value; matrix: the next process"},
    ViewKeys{"Page Up, Page Down", "Topology: the next plane; with Ctrl: the next slice"},
    ViewKeys{"Shift+← → ↑ ↓", "Topology: turn and tilt the stack"},
    ViewKeys{"+ −", "Topology, timeline: zoom"},
    ViewKeys{"← →", "Timeline: move"},
    ViewKeys{"Shift and drag, Esc", "Timeline: select a range of time, or none"},
    ViewKeys{"Shift and wheel", "Timeline: higher or lower lines"},
    ViewKeys{"Home", "Topology, timeline, flame graph: show everything"},
    ViewKeys{"← → ↑ ↓", "Flame graph: the next box, the caller, the widest callee"},
    ViewKeys{"Enter −", "Flame graph: a box in the whole width, and back to its caller"},
};

void addRow(QTableWidget& table, const QString& keys, const QString& help) {
    const int row = table.rowCount();
    table.insertRow(row);
    table.setItem(row, 0, new QTableWidgetItem(keys));
    table.setItem(row, 1, new QTableWidgetItem(help));
}

/// A window beside this one, which need not be answered.
void showKeys(QWidget* window) {
    auto* dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(u"Keys"_qs);
    dialog->setWindowTitle(u"Keys"_qs);
    auto* table = new QTableWidget(0, 2, dialog);
    table->setHorizontalHeaderLabels({u"Key"_qs, u"Does"_qs});
    table->verticalHeader()->hide();
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    for (const QAction* action : window->findChildren<QAction*>())
        if (!action->shortcut().isEmpty() && !action->statusTip().isEmpty())
            addRow(*table, action->shortcut().toString(QKeySequence::NativeText),
                   u"%1: %2"_qs.arg(action->text(), action->statusTip()));
    for (const ViewKeys& keys : kViewKeys)
        addRow(*table, QString::fromUtf8(keys.keys), QString::fromUtf8(keys.help));
    table->resizeColumnsToContents();
    table->horizontalHeader()->setStretchLastSection(true);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(table);
    dialog->resize(window->width() / 2, table->rowHeight(0) * kRowsSeen);
    dialog->show();
}

void about(QWidget* window) {
    QMessageBox::about(window, u"About Holos"_qs,
                       u"<b>Holos %1</b><p>Finds out where a parallel program loses time, and why.</p>"
                       u"<p>BSD 3-clause licence. Uses Qt %2 under the LGPL.</p>"_qs.arg(
                           QApplication::applicationVersion(), QString::fromLatin1(qVersion())));
}

}  // namespace

void fillHelpMenu(QMenu* menu, Actions& actions, QWidget* window) {
    actions.add(menu, u"Keys"_qs, QKeySequence::HelpContents, u"What the keys do"_qs,
                [window] { showKeys(window); });
    actions.add(menu, u"About Holos"_qs, {}, u"Version and licence"_qs, [window] { about(window); });
}

}  // namespace holos::gui
