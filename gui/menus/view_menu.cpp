// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/menus.h"

#include <QKeySequence>
#include <QMenu>
#include <QToolBar>
#include <algorithm>
#include <array>
#include <vector>

#include "gui/experiments/open_experiments.h"
#include "gui/menus/actions.h"
#include "gui/models/program_view.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/program_views.h"
#include "gui/views/system_views.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/topology/topology_page.h"
#include "gui/views/trees/tree_pane.h"
#include "gui/views/view_keeper.h"

namespace holos::gui {

namespace {

constexpr std::array kProgramTabNames{"tree", "flame graph", "callers and callees"};
constexpr std::array kSystemViewNames{"tree", "distribution", "table", "topology"};

void addSteps(QMenu* menu, Actions& actions) {
    actions.addForBrowser(menu, u"Undo"_qs, QKeySequence::Undo, u"Go back to what was selected before"_qs,
                          [](Browser& browser) { browser.views().undo(); });
    actions.addForBrowser(menu, u"Redo"_qs, QKeySequence::Redo, u"Select again what was taken back"_qs,
                          [](Browser& browser) { browser.views().redo(); });
}

QString helpOfColumn(int column) {
    static constexpr std::array kHelp{
        "The value of a row with everything below it, whether it is open or not",
        "The value of a row without what is below it",
        "The part of what is 100 percent in the pane, with everything below it",
        "How often a call path was called",
        "How much more or less it is than in the other experiment: the one beside this one, or the one that "
        "was active before"};
    return QString::fromLatin1(kHelp[static_cast<std::size_t>(column - TreeModel::InclusiveColumn)]);
}

void addRows(QMenu* menu, QToolBar* tools, Actions& actions) {
    tools->addAction(actions.addForBrowser(menu, u"Hottest path"_qs, u"Ctrl+H"_qs,
                                           u"Open the trees along the calls with the largest values"_qs,
                                           [](Browser& browser) { browser.expandHottest(); }));
    tools->addAction(actions.addForBrowser(menu, u"Expand all"_qs, u"Ctrl+Shift+E"_qs,
                                           u"Expand everything in the active pane"_qs,
                                           [](Browser& browser) { browser.activePane()->expandAll(); }));
    tools->addAction(actions.addForBrowser(menu, u"Collapse all"_qs, u"Ctrl+Shift+C"_qs,
                                           u"Collapse everything in the active pane"_qs,
                                           [](Browser& browser) { browser.activePane()->collapseAll(); }));
    actions.addForBrowser(menu, u"Next hot spot"_qs, u"Ctrl+N"_qs,
                          u"The call path with the next smaller value of its own"_qs,
                          [](Browser& browser) { browser.nextHotSpot(false); });
    actions.addForBrowser(menu, u"Previous hot spot"_qs, u"Ctrl+Shift+N"_qs,
                          u"The call path with the next larger value of its own"_qs,
                          [](Browser& browser) { browser.nextHotSpot(true); });
    actions.addForBrowser(
        menu, u"Largest first"_qs, u"Ctrl+Shift+L"_qs,
        u"Sort the rows of the active pane by their values, or as the experiment has them"_qs,
        [](Browser& browser) { browser.toggleLargestFirst(browser.activePaneKind()); });
    actions.addForBrowser(menu, u"Re-root"_qs, u"Ctrl+R"_qs,
                          u"Show only the selected row and what is below it, or everything again"_qs,
                          [](Browser& browser) { browser.activePane()->reroot(); });
}

void addParts(QMenu* menu, Actions& actions) {
    QMenu* below = menu->addMenu(u"Show only a part"_qs);
    actions.addForBrowser(below, u"The selected call paths"_qs, u"Ctrl+Alt+P"_qs,
                          u"All views show only the call paths, regions or groups that are selected"_qs,
                          [](Browser& browser) { browser.showOnlyCallPaths(); });
    actions.addForBrowser(below, u"The selected part of the system"_qs, u"Ctrl+Alt+S"_qs,
                          u"All views show only the selected machine, process or thread"_qs,
                          [](Browser& browser) { browser.showOnlyPlaces(); });
    actions.addForBrowser(below, u"Everything again"_qs, u"Ctrl+Alt+A"_qs,
                          u"All views show the whole run, all threads and all call paths"_qs,
                          [](Browser& browser) { Q_EMIT browser.partWanted({}); });
}

/// Of the pane that has the keyboard; each can be ticked.
void addColumns(QMenu* menu, Actions& actions, OpenExperiments& experiments) {
    QMenu* below = menu->addMenu(u"Columns of the active pane"_qs);
    std::vector<QAction*> all;
    for (int column = TreeModel::InclusiveColumn; column < TreeModel::kColumns; ++column) {
        all.push_back(actions.addForBrowser(
            below, TreeModel::titleOfColumn(column), {}, helpOfColumn(column),
            [column](Browser& browser) { browser.toggleColumn(browser.activePaneKind(), column); }));
        all.back()->setCheckable(true);
    }
    QObject::connect(below, &QMenu::aboutToShow, below, [all, &experiments] {
        const Browser* browser = experiments.browser();
        if (browser == nullptr) return;
        const auto shown = browser->columns().find(browser->activePaneKind());
        for (std::size_t at = 0; at < all.size(); ++at)
            all[at]->setChecked(shown != browser->columns().end() &&
                                shown->second.contains(TreeModel::InclusiveColumn + static_cast<int>(at)));
    });
}

void addProgramViews(QMenu* menu, Actions& actions) {
    actions.addForBrowser(menu, u"Flat regions"_qs, u"Ctrl+G"_qs,
                          u"Regions by source module, or the call tree again"_qs, [](Browser& browser) {
                              browser.setProgramView(browser.programView() == ProgramView::CallTree
                                                         ? ProgramView::Modules
                                                         : ProgramView::CallTree);
                          });
    QStringList titles;
    for (const ProgramViewText& text : programViews()) titles << QString::fromUtf8(text.title);
    const QMenu* program = actions.addChoices(
        menu, u"Program"_qs, u"The order in which the program is shown"_qs, titles,
        [](Browser& browser) { return static_cast<int>(browser.programView()); },
        [](Browser& browser, int at) { browser.setProgramView(programViews()[at].value); });
    for (const ProgramViewText& text : programViews())
        program->actions()[static_cast<int>(text.value)]->setStatusTip(QString::fromUtf8(text.help));
}

void addProgramTabs(QMenu* menu, Actions& actions) {
    for (int tab = 0; tab < static_cast<int>(kProgramTabNames.size()); ++tab)
        actions.addForBrowser(
            menu, u"Program: %1"_qs.arg(QString::fromLatin1(kProgramTabNames[static_cast<std::size_t>(tab)])),
            QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_5 + tab)),
            u"The call paths as a tree, as a flame graph, or those around a region"_qs,
            [tab](Browser& browser) { browser.programs()->setCurrentIndex(tab); });
}

void addNames(QMenu* menu, Actions& actions) {
    actions.addChoices(
        menu, u"Names of functions"_qs,
        u"Whether long names have all of their parameters and template arguments"_qs,
        {u"Short"_qs, u"Whole"_qs}, [](Browser& browser) { return browser.selection().wholeNames() ? 1 : 0; },
        [](Browser& browser, int at) { browser.selection().setWholeNames(at == 1); });
}

void addOrders(QMenu* menu, Actions& actions) {
    QStringList titles;
    for (const PaneOrder& order : paneOrders()) titles << titleOf(order);
    actions.addChoices(
        menu, u"Order of panes"_qs, u"Each pane shows what is selected left of it"_qs, titles,
        [](Browser& browser) {
            const std::vector<PaneOrder> orders = paneOrders();
            return static_cast<int>(std::ranges::find(orders, browser.order()) - orders.begin());
        },
        [](Browser& browser, int at) { browser.setOrder(paneOrders()[static_cast<std::size_t>(at)]); });
    actions.addForBrowser(menu, u"Exchange the last two panes"_qs, u"Ctrl+Shift+X"_qs,
                          u"Call paths of the selected part of the system, or the other way round"_qs,
                          [](Browser& browser) { browser.exchangeLastPanes(); });
}

void addDetails(QMenu* menu, QToolBar* tools, Actions& actions) {
    tools->addAction(actions.addForBrowser(menu, u"Summary"_qs, u"Ctrl+Shift+U"_qs,
                                           u"What costs time in this run, where, who and why"_qs,
                                           [](Browser& browser) { browser.toggleDetail(u"summary"_qs); }));
    tools->addAction(actions.addForBrowser(menu, u"Source"_qs, u"Ctrl+Shift+S"_qs,
                                           u"The source at the selected call path, with values of lines"_qs,
                                           [](Browser& browser) { browser.toggleDetail(u"source"_qs); }));
    actions.addForBrowser(menu, u"Instructions"_qs, {},
                          u"The machine code of the selected function, with samples of instructions"_qs,
                          [](Browser& browser) { browser.toggleDetail(u"instructions"_qs); });
    tools->addAction(actions.addForBrowser(menu, u"Timeline"_qs, u"Ctrl+Shift+T"_qs,
                                           u"The trace around the longest waits of what is selected"_qs,
                                           [](Browser& browser) { browser.toggleDetail(u"timeline"_qs); }));
    actions.addForBrowser(menu, u"Events"_qs, u"Ctrl+Shift+K"_qs,
                          u"Every call, message and wait as a table: sorted, filtered, grouped, in SQL"_qs,
                          [](Browser& browser) { browser.toggleDetail(u"events"_qs); });
    actions.addForBrowser(menu, u"Iterations"_qs, u"Ctrl+Shift+I"_qs,
                          u"Which iterations are slower, how long they wait, and because of what"_qs,
                          [](Browser& browser) { browser.toggleDetail(u"iterations"_qs); });
    actions.addForBrowser(menu, u"Communication"_qs, u"Ctrl+Shift+W"_qs,
                          u"Who sends what to whom, and who waits for whom"_qs,
                          [](Browser& browser) { browser.toggleDetail(u"communication"_qs); });
    actions.addForBrowser(
        menu, u"Roofline"_qs, u"Ctrl+Shift+R"_qs,
        u"Call paths by operations per byte of memory and per second, below the peaks of a node"_qs,
        [](Browser& browser) { browser.toggleDetail(u"roofline"_qs); });
    actions.addForBrowser(menu, u"Scaling"_qs, u"Ctrl+Shift+G"_qs,
                          u"How call paths grow with the size of the runs that are open"_qs,
                          [](Browser& browser) { browser.toggleDetail(u"scaling"_qs); });
}

void addTimelineMarks(QMenu* menu, Actions& actions, OpenExperiments& experiments) {
    QMenu* below = menu->addMenu(u"Marks in the timeline"_qs);
    const auto add = [&](const QString& text, const QString& help, bool TimelineMarks::*member) {
        QAction* action = actions.addForBrowser(below, text, {}, help, [member](Browser& browser) {
            browser.details()->timeline()->toggleMarks(member);
            browser.details()->open(u"timeline"_qs);
        });
        action->setCheckable(true);
        QObject::connect(below, &QMenu::aboutToShow, action, [action, member, &experiments] {
            const Browser* browser = experiments.browser();
            if (browser != nullptr) action->setChecked(browser->details()->timeline()->marks().*member);
        });
    };
    add(u"Waits"_qs, u"Frames waits that can be told apart, with arrows from those who are waited for"_qs,
        &TimelineMarks::waits);
    add(u"Collective operations"_qs, u"Joins the locations that take part in an operation"_qs,
        &TimelineMarks::operations);
    add(u"Critical path"_qs, u"The activities that determine how long the run takes"_qs,
        &TimelineMarks::path);
    add(u"Messages"_qs, u"Lines from senders to receivers"_qs, &TimelineMarks::messages);
}

void addSystemViews(QMenu* menu, Actions& actions) {
    for (int view = 0; view < static_cast<int>(kSystemViewNames.size()); ++view)
        actions.addForBrowser(
            menu, u"System: %1"_qs.arg(QString::fromLatin1(kSystemViewNames[static_cast<std::size_t>(view)])),
            QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + view)), u"How the system is shown"_qs,
            [view](Browser& browser) { browser.systemViews()->setCurrentIndex(view); });
}

void addTopology(QMenu* menu, Actions& actions) {
    const auto add = [&](const QString& text, const QKeySequence& key, const QString& help,
                         void (TopologyPage::*act)()) {
        actions.addForBrowser(menu, text, key, help, [act](Browser& browser) {
            browser.systemViews()->setCurrentIndex(SystemViews::TopologyTab);
            (browser.systemViews()->topology()->*act)();
        });
    };
    add(u"Turn"_qs, u"Ctrl+Shift+D"_qs,
        u"The topology from another side: other dimensions go across and down"_qs, &TopologyPage::turn);
    add(u"Exchange across and down"_qs, u"Ctrl+Shift+Y"_qs, u"What goes across in the topology goes down"_qs,
        &TopologyPage::exchange);
    add(u"Stack"_qs, u"Ctrl+Shift+V"_qs, u"Planes of the topology above each other, or beside each other"_qs,
        &TopologyPage::toggleStacked);
}

}  // namespace

void fillViewMenu(QMenu* menu, QToolBar* tools, Actions& actions, OpenExperiments& experiments) {
    tools->addSeparator();
    addSteps(menu, actions);
    menu->addSeparator();
    addRows(menu, tools, actions);
    menu->addSeparator();
    addParts(menu, actions);
    addColumns(menu, actions, experiments);
    addProgramViews(menu, actions);
    addProgramTabs(menu, actions);
    addNames(menu, actions);
    addOrders(menu, actions);
    addDetails(menu, tools, actions);
    addTimelineMarks(menu, actions, experiments);
    addSystemViews(menu, actions);
    addTopology(menu->addMenu(u"Topology"_qs), actions);
    menu->addSeparator();
}

}  // namespace holos::gui
