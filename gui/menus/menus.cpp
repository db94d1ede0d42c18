// SPDX-License-Identifier: BSD-3-Clause
#include "gui/menus/menus.h"

#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QDialog>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QKeySequence>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QObject>
#include <QTableWidget>
#include <QToolBar>
#include <QTreeView>
#include <QVBoxLayout>
#include <array>

#include "algebra/files/experiment_file.h"
#include "algebra/insight/runs/change.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/cut.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/history/first_totals.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/merge.h"
#include "algebra/operators/rows/regroup.h"
#include "base/error.h"
#include "base/function_name.h"
#include "gui/experiments/loader.h"
#include "gui/experiments/open_experiments.h"
#include "gui/menus/actions.h"
#include "gui/metrics/metric_editor.h"
#include "gui/models/plain_text.h"
#include "gui/models/value_cache.h"
#include "gui/views/browser.h"
#include "gui/views/trees/tree_pane.h"
#include "report/query/iterations.h"

namespace holos::gui {

using algebra::Cut;
using algebra::Experiment;

namespace {

/// What an operator takes.
struct Operand {
    QString name;
    QString path;
    const algebra::Experiment& experiment;
};

/// What made it decides what is said of an experiment, as where a command made it: a difference has sentences
/// of its own, and what is cut out of a difference has none.
void noteProvenance(Experiment& result, const char* operation, const std::vector<Operand>& inputs) {
    algebra::Provenance made{operation, QCoreApplication::applicationVersion().toStdString(), {}, {}};
    for (const Operand& input : inputs) {
        made.inputs.push_back({input.name.toStdString(), {}});
        if (auto origin = algebra::provenanceOf(input.experiment))
            made.inputs.back().origin.push_back(std::move(*origin));
    }
    algebra::setProvenance(result, made);
}

/// What the algebra makes of the active experiment and another one: a menu of the open ones for each
/// operator.
class CombiningMenus : public QObject {
  public:
    /// Belongs to the menu.
    CombiningMenus(QMenu* menu, OpenExperiments& experiments, FileOpening& opening);

  private:
    using Operator = std::function<algebra::Experiment(const Operand& mine, const Operand& other)>;
    static algebra::Experiment difference(const Operand& mine, const Operand& other);

    static Operator withProvenance(const char* operation, const Operator& combine);

    void add(QMenu* menu, const QString& title, const QString& help, const Operator& combine);
    void list(QMenu* others, const Operator& combine);
    void combineWithFile(const QString& title, const Operator& combine);
    void combine(const QString& title, const QString& other, const QString& otherPath,
                 const Operator& combine, const std::function<ExperimentPtr()>& loadOther);

    OpenExperiments& experiments_;
    FileOpening& opening_;
};

CombiningMenus::CombiningMenus(QMenu* menu, OpenExperiments& experiments, FileOpening& opening)
    : QObject(menu), experiments_(experiments), opening_(opening) {
    add(menu, u"Difference to"_qs, u"The active experiment minus another one"_qs,
        withProvenance("diff", &CombiningMenus::difference));
    add(menu, u"Mean with"_qs, u"The mean of the active experiment and another one"_qs,
        withProvenance("mean", [](const Operand& mine, const Operand& other) {
            return algebra::mean({mine.experiment, other.experiment});
        }));
    add(menu, u"Merge with"_qs, u"What both experiments measured, as one"_qs,
        withProvenance("merge", [](const Operand& mine, const Operand& other) {
            return algebra::merge({mine.experiment, other.experiment});
        }));
}

CombiningMenus::Operator CombiningMenus::withProvenance(const char* operation, const Operator& combine) {
    return [operation, combine](const Operand& mine, const Operand& other) {
        Experiment result = combine(mine, other);
        noteProvenance(result, operation, {mine, other});
        return result;
    };
}

/// With the sentences that say what is different, as `holos diff` has them.
Experiment CombiningMenus::difference(const Operand& mine, const Operand& other) {
    Experiment result = algebra::diff(mine.experiment, other.experiment);
    algebra::keepTotalsOfFirst(mine.experiment, result);
    const auto groupOf = [](const Operand& one) {
        return algebra::RunGroup{one.name.toStdString(), {one.experiment}};
    };
    const auto fileOf = [](const Operand& one, const std::string& name) {
        return query::RunOfFile{name, one.path.toStdString(), one.experiment};
    };
    if (auto change = algebra::changeBetween(groupOf(mine), groupOf(other))) {
        for (std::string& sentence :
             query::changeSentencesOfFiles(fileOf(mine, change->first), fileOf(other, change->second)))
            change->sentences.push_back(std::move(sentence));
        algebra::keepChange(*change, result);
    }
    return result;
}

void CombiningMenus::add(QMenu* menu, const QString& title, const QString& help, const Operator& combine) {
    QMenu* others = menu->addMenu(title);
    others->setToolTip(help);
    connect(others, &QMenu::aboutToShow, this, [this, others, combine] { list(others, combine); });
}

/// Offers the other open experiments, and files.
void CombiningMenus::list(QMenu* others, const Operator& operation) {
    others->clear();
    const QString title = others->title();
    for (const OpenExperiment& one : experiments_.all()) {
        if (one.browser == experiments_.browser()) continue;
        connect(others->addAction(menuText(one.name)), &QAction::triggered, this,
                [this, title, operation, name = one.name, path = one.path, experiment = one.experiment] {
                    combine(title, name, path, operation, [experiment] { return experiment; });
                });
    }
    others->addSeparator();
    QAction* file = others->addAction(u"Another file…"_qs);
    file->setEnabled(experiments_.active() != nullptr);
    connect(file, &QAction::triggered, this, [this, title, operation] { combineWithFile(title, operation); });
}

void CombiningMenus::combineWithFile(const QString& title, const Operator& operation) {
    const QString other = QFileDialog::getOpenFileName(experiments_.window(), title);
    if (!other.isEmpty())
        combine(title, QFileInfo(other).fileName(), other, operation,
                [other] { return loadExperiment(other); });
}

void CombiningMenus::combine(const QString& title, const QString& other, const QString& otherPath,
                             const Operator& operation, const std::function<ExperimentPtr()>& loadOther) {
    const OpenExperiment* active = experiments_.active();
    if (active == nullptr) return;
    const QString name = u"%1 – %2 %3"_qs.arg(active->name, title.toLower(), other);
    opening_.load(name, [mine = active->experiment, myName = active->name, myPath = active->path, other,
                         otherPath, operation, loadOther] {
        const ExperimentPtr loaded = loadOther();
        return std::make_shared<const Experiment>(
            operation({myName, myPath, *mine}, {other, otherPath, *loaded}));
    });
}

constexpr double kLeastShare = 0.01;

/// The region of the call path that is selected first; empty: none is.
std::string selectedRegion(Browser& browser) {
    const auto& paths = browser.selection().callPaths().given();
    return paths.empty() ? std::string() : browser.experiment().regionOf(paths.front().path).name;
}

/// `%1` in the title stands for the region.
struct RegionCut {
    QString text;
    QString help;
    QString title;
    std::vector<std::string> Cut::*regions;
};

}  // namespace

void fillCutMenu(QMenu* menu, Actions& actions, OpenExperiments& experiments, FileOpening& opening) {
    const auto cutActive = [&experiments, &opening](const QString& title, const Cut& how) {
        const OpenExperiment& active = *experiments.active();
        opening.load(u"%1 – %2"_qs.arg(active.name, title),
                     [mine = active.experiment, name = active.name, path = active.path, how] {
                         Experiment result = algebra::cut(algebra::copyOf(*mine), how);
                         noteProvenance(result, "cut", {{name, path, *mine}});
                         return std::make_shared<const Experiment>(std::move(result));
                     });
    };
    QList<QAction*> ofRegion;
    for (const RegionCut& cut :
         {RegionCut{u"Cut to the selected region"_qs,
                    u"Only the selected region, wherever it is called, and what is below it"_qs,
                    u"below %1"_qs, &Cut::roots},
          RegionCut{u"Cut the selected region into its callers"_qs,
                    u"The selected region, with what is below it, becomes part of those who call it"_qs,
                    u"without %1"_qs, &Cut::prune}})
        ofRegion << actions.addForBrowser(menu, cut.text, {}, cut.help, [cutActive, cut](Browser& browser) {
            const std::string region = selectedRegion(browser);
            Cut how;
            how.*cut.regions = {region};
            if (!region.empty())
                cutActive(cut.title.arg(QString::fromStdString(folded(region, Folding::All))), how);
        });
    actions.addForBrowser(
        menu, u"Cut small call paths into their callers"_qs, {},
        u"What has less than one percent of the selected metric becomes part of its caller"_qs,
        [cutActive](Browser& browser) {
            if (browser.experiment().metrics.empty()) return;
            Cut how;
            how.share = Cut::Share{
                browser.experiment().metrics[browser.selection().metric().metric].uniqueName, kLeastShare};
            cutActive(u"without small call paths"_qs, how);
        });
    QObject::connect(&experiments, &OpenExperiments::added, menu, [ofRegion](const OpenExperiment& added) {
        added.browser->callPane()->tree()->addActions(ofRegion);
    });
}

namespace {

KeptIn keptIn(const OpenExperiment& one) {
    return QFileInfo(one.path).isFile() ? KeptIn{one.path, one.whyNotKept()} : KeptIn{};
}

/// What the panes show now, and the file is now, may no longer be what they were when the editor opened.
QString whyNotTaken(const OpenExperiment* now, const OpenExperiment& before) {
    return now != nullptr && now->experiment == before.experiment
               ? QString()
               : u"%1: something else is shown meanwhile; no metric was added"_qs.arg(before.path);
}

void keep(OpenExperiments& experiments, const OpenExperiment& one,
          const std::function<void(const QString&)>& tell) {
    if (const QString why = one.whyNotKept(); !why.isEmpty())
        return tell(u"%1: the metrics were not written: %2"_qs.arg(one.path, why));
    try {
        const QString path = one.path;
        algebra::writeExperiment(*one.experiment, path.toStdString(), Links::Refused);
        experiments.noteKept(path);
    } catch (const Error& error) {
        tell(QString::fromUtf8(error.what()));
    }
}

void edit(OpenExperiments& experiments, const QString& metric,
          const std::function<void(const QString&)>& tell) {
    const OpenExperiment active = *experiments.active();
    MetricEditor editor(active.experiment, keptIn(active), experiments.window());
    if (!metric.isEmpty()) editor.beginWith(metric);
    if (editor.exec() != QDialog::Accepted || !editor.result()) return;
    if (const QString why = whyNotTaken(experiments.find(active.path), active); !why.isEmpty())
        return tell(why);
    experiments.replace(active.path, editor.result());
    if (editor.isKept()) keep(experiments, *experiments.find(active.path), tell);
}

}  // namespace

void addDeriveAction(QMenu* menu, Actions& actions, OpenExperiments& experiments,
                     const std::function<void(const QString&)>& tell) {
    actions.addForBrowser(menu, u"Derive metrics…"_qs, {},
                          u"Write metrics that are made of others, and see their values as you type"_qs,
                          [&experiments, tell](Browser&) { edit(experiments, {}, tell); });
    QObject::connect(
        &experiments, &OpenExperiments::added, menu, [&experiments, tell](const OpenExperiment& added) {
            QTreeView* tree = added.browser->metricPane()->tree();
            auto* action = new QAction(u"Derive a metric from it…"_qs, tree);
            QObject::connect(
                action, &QAction::triggered, tree, [&experiments, tell, browser = added.browser] {
                    const auto& metrics = browser->experiment().metrics;
                    if (metrics.empty()) return;
                    edit(experiments,
                         QString::fromStdString(metrics[browser->selection().metric().metric].uniqueName),
                         tell);
                });
            tree->addAction(action);
        });
}

namespace {

/// Lists the experiments that are open; a click shows one in all views, or leaves it out.
void listShown(QMenu* menu, OpenExperiments& experiments) {
    QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, &experiments] {
        menu->clear();
        for (const OpenExperiment& one : experiments.all()) {
            QAction* action = menu->addAction(menuText(one.name));
            action->setCheckable(true);
            action->setChecked(experiments.isShown(one));
            QObject::connect(action, &QAction::triggered, menu,
                             [&experiments, path = one.path] { experiments.toggleShown(path); });
        }
    });
}

}  // namespace

void fillExperimentsMenu(QMenu* menu, Actions& actions, OpenExperiments& experiments, FileOpening& opening) {
    new CombiningMenus(menu, experiments, opening);
    fillCutMenu(menu->addMenu(u"Cut"_qs), actions, experiments, opening);
    menu->addSeparator();
    listShown(menu->addMenu(u"Shown in all views"_qs), experiments);
    actions.addForBrowser(menu, u"Compare"_qs, u"Ctrl+M"_qs,
                          u"Metrics of all open experiments for the selected call path, as a table"_qs,
                          [](Browser& browser) { browser.toggleDetail(u"experiments"_qs); });
    actions.add(menu, u"Side by side"_qs, u"Ctrl+B"_qs,
                u"Two experiments with one selection, or one alone again"_qs,
                [&experiments] { experiments.setSideBySide(!experiments.isSideBySide()); });
    actions.add(menu, u"Next experiment"_qs, u"Ctrl+Tab"_qs, u"Switch to the next open experiment"_qs,
                [&experiments] { experiments.activateNext(); });
    actions.add(menu, u"Previous experiment"_qs, u"Ctrl+Shift+Tab"_qs,
                u"Switch to the previous open experiment"_qs,
                [&experiments] { experiments.activatePrevious(); });
    actions.add(menu, u"Close experiment"_qs, u"Ctrl+W"_qs, u"Close the active experiment"_qs,
                [&experiments] { experiments.closeActive(); });
}

namespace {

constexpr int kSearchWidth = 14;  ///< letters

QLineEdit* makeSearchBox(QWidget* parent, OpenExperiments& experiments) {
    auto* box = new QLineEdit(parent);
    box->setPlaceholderText(u"Find everywhere"_qs);
    box->setClearButtonEnabled(true);
    box->setMaximumWidth(box->fontMetrics().horizontalAdvance(u"M"_qs) * kSearchWidth);
    box->setAccessibleName(u"Find everywhere"_qs);
    box->setToolTip(u"Mark names in all panes that match this regular expression"_qs);
    QObject::connect(box, &QLineEdit::textChanged, box, [&experiments](const QString& text) {
        if (Browser* browser = experiments.browser()) browser->search().find(text);
    });
    QObject::connect(box, &QLineEdit::returnPressed, box, [&experiments] {
        if (Browser* browser = experiments.browser()) browser->search().next();
    });
    return box;
}

}  // namespace

void addFindActions(QMenu* menu, QToolBar* tools, Actions& actions, OpenExperiments& experiments) {
    QLineEdit* everywhere = makeSearchBox(tools, experiments);
    tools->addSeparator();
    tools->addWidget(everywhere);
    actions.addForBrowser(menu, u"Next match"_qs, QKeySequence::FindNext,
                          u"The next name that is marked, in any pane"_qs,
                          [](Browser& browser) { browser.search().next(); });
    actions.add(menu, u"Find everywhere"_qs, u"Ctrl+Shift+F"_qs, u"Search in all panes"_qs,
                [everywhere] { everywhere->setFocus(); });
    actions.addForBrowser(menu, u"Find"_qs, QKeySequence::Find, u"Search in the active pane"_qs,
                          [](Browser& browser) { browser.activePane()->searchBox()->setFocus(); });
}

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
                       u"<b>Holos %1</b><p>Finds out where a parallel program loses time, and why.</p><p>BSD "
                       u"3-clause licence. Uses Qt %2 under the LGPL.</p>"_qs.arg(
                           QApplication::applicationVersion(), QString::fromLatin1(qVersion())));
}

}  // namespace

void fillHelpMenu(QMenu* menu, Actions& actions, QWidget* window) {
    actions.add(menu, u"Keys"_qs, QKeySequence::HelpContents, u"What the keys do"_qs,
                [window] { showKeys(window); });
    actions.add(menu, u"About Holos"_qs, {}, u"Version and licence"_qs, [window] { about(window); });
}

}  // namespace holos::gui
