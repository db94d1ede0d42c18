// SPDX-License-Identifier: BSD-3-Clause
// Menus that choose one of several ways to show the active experiment.
#include <QAction>
#include <QMenu>
#include <algorithm>

#include "gui/app/main_window.h"
#include "gui/models/program_view.h"
#include "gui/views/browser.h"

namespace holos::gui {

/// The one that is chosen has a tick when the menu opens.
QMenu* MainWindow::addChoices(QMenu* menu, const QString& title, const QString& help,
                              const QStringList& choices, const std::function<int(Browser&)>& chosen,
                              const std::function<void(Browser&, int)>& choose) {
    QMenu* below = menu->addMenu(title);
    below->setToolTip(help);
    for (int at = 0; at < choices.size(); ++at)
        addBrowserAction(below, choices[at], {}, help, [choose, at](Browser& browser) {
            choose(browser, at);
        })->setCheckable(true);
    connect(below, &QMenu::aboutToShow, this, [this, below, chosen] {
        const int ticked = browser() == nullptr ? -1 : chosen(*browser());
        const QList<QAction*> actions = below->actions();
        for (int at = 0; at < actions.size(); ++at) actions[at]->setChecked(at == ticked);
    });
    return below;
}

void MainWindow::addProgramMenu(QMenu* menu) {
    QStringList titles;
    for (const ProgramViewText& text : programViews()) titles << QString::fromUtf8(text.title);
    QMenu* program = addChoices(
        menu, u"Program"_qs, u"The order in which the program is shown"_qs, titles,
        [](Browser& browser) { return static_cast<int>(browser.programView()); },
        [](Browser& browser, int at) { browser.setProgramView(programViews()[at].value); });
    for (const ProgramViewText& text : programViews())
        program->actions()[static_cast<int>(text.value)]->setStatusTip(QString::fromUtf8(text.help));
}

void MainWindow::addOrderMenu(QMenu* menu) {
    QStringList titles;
    for (const PaneOrder& order : paneOrders()) titles << titleOf(order);
    addChoices(
        menu, u"Order of panes"_qs, u"Each pane shows what is selected left of it"_qs, titles,
        [](Browser& browser) {
            const std::vector<PaneOrder> orders = paneOrders();
            return static_cast<int>(std::find(orders.begin(), orders.end(), browser.order()) -
                                    orders.begin());
        },
        [](Browser& browser, int at) { browser.setOrder(paneOrders()[static_cast<std::size_t>(at)]); });
}

void MainWindow::addDigitsMenu(QMenu* menu) {
    QStringList titles{u"Automatic"_qs};
    for (int digits = kFewestDigits; digits <= kMostDigits; ++digits) titles << QString::number(digits);
    addChoices(
        menu, u"Digits"_qs, u"With how many digits the largest value of a pane is written"_qs, titles,
        [](Browser& browser) {
            const Digits digits = browser.selection().digits();
            return digits ? *digits - kFewestDigits + 1 : 0;
        },
        [](Browser& browser, int at) {
            browser.selection().setDigits(at == 0 ? Digits() : Digits(kFewestDigits + at - 1));
        });
}

void MainWindow::addNamesMenu(QMenu* menu) {
    addChoices(
        menu, u"Names of functions"_qs,
        u"Whether long names have all of their parameters and template arguments"_qs,
        {u"Short"_qs, u"Whole"_qs}, [](Browser& browser) { return browser.selection().wholeNames() ? 1 : 0; },
        [](Browser& browser, int at) { browser.selection().setWholeNames(at == 1); });
}

void MainWindow::addColorsMenu(QMenu* menu) {
    QStringList titles;
    for (const ColorMap map : kColorMaps) titles << nameOf(map).left(1).toUpper() + nameOf(map).mid(1);
    addChoices(
        menu, u"Colours"_qs, u"Colours of values"_qs, titles,
        [](Browser& browser) { return static_cast<int>(browser.colors().map()); },
        [](Browser& browser, int at) { browser.colors().setMap(kColorMaps[static_cast<std::size_t>(at)]); });
}

}  // namespace holos::gui
