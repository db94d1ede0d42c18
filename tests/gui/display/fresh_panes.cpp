// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/display/fresh_panes.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QTableView>
#include <algorithm>
#include <cmath>

#include "gui/models/system_model.h"
#include "gui/views/distribution_view.h"
#include "gui/views/flame/flame_page.h"
#include "gui/views/program_views.h"
#include "gui/views/system_views.h"
#include "gui/views/trees/butterfly_page.h"
#include "gui/views/trees/tree_pane.h"
#include "tests/gui/display/painted_texts.h"

namespace holos::gui::testing {

using namespace algebra;

namespace {

/// The nodes that are open, each below open ones.
std::vector<NodeId> openNodes(const TreePane& pane) {
    const TreeModel& model = *pane.model();
    std::vector<NodeId> open;
    std::vector<QModelIndex> left;
    for (int row = 0; row < model.rowCount(); ++row) left.push_back(model.index(row, 0));
    while (!left.empty()) {
        const QModelIndex at = left.back();
        left.pop_back();
        if (model.rowCount(at) == 0 || !pane.tree()->isExpanded(at)) continue;
        open.push_back(model.nodeOf(at));
        for (int row = 0; row < model.rowCount(at); ++row) left.push_back(model.index(row, 0, at));
    }
    return open;
}

std::vector<NodeId> nodesInSight(const TreePane& pane) {
    const QTreeView& tree = *pane.tree();
    std::vector<NodeId> nodes;
    for (QModelIndex row = tree.indexAt({0, 0});
         row.isValid() && tree.visualRect(row).top() < tree.viewport()->height(); row = tree.indexBelow(row))
        nodes.push_back(pane.model()->nodeOf(row));
    return nodes;
}

/// Columns in sight, from left to right.
std::vector<int> columnsInSight(const QTreeView& tree) {
    std::vector<int> columns;
    for (int column = 0; column < TreeModel::kColumns; ++column) {
        const int left = tree.columnViewportPosition(column);
        if (!tree.isColumnHidden(column) && left < tree.viewport()->width() &&
            left + tree.columnWidth(column) > 0)
            columns.push_back(column);
    }
    std::sort(columns.begin(), columns.end(), [&tree](int one, int other) {
        return tree.columnViewportPosition(one) < tree.columnViewportPosition(other);
    });
    return columns;
}

QStringList textsOn(QWidget* widget) {
    PaintedTexts paper(widget->size());
    widget->render(&paper);
    return paper.texts();
}

/// What the rows in sight would say with the values of another model.
QStringList textsOf(const TreeModel& model, const TreePane& pane) {
    const QTreeView& tree = *pane.tree();
    PaintedTexts paper(tree.viewport()->size());
    {
        QPainter painter(&paper);
        QStyleOptionViewItem option;
        option.initFrom(tree.viewport());
        option.widget = &tree;
        for (const NodeId node : nodesInSight(pane))
            for (const int column : columnsInSight(tree)) {
                option.rect = tree.visualRect(pane.model()->indexOf(node, column));
                tree.itemDelegate()->paint(&painter, option, model.indexOf(node, column));
            }
    }
    return paper.texts();
}

QString firstDifference(const QStringList& shown, const QStringList& right) {
    for (qsizetype at = 0; at < std::max(shown.size(), right.size()); ++at)
        if (shown.value(at) != right.value(at))
            return u"text %1 of %2 is \"%3\" instead of \"%4\""_qs.arg(at)
                .arg(right.size())
                .arg(shown.value(at), right.value(at));
    return {};
}

/// Two neighbours in sight of which the smaller one comes first, or nothing. Those at the top of the metrics
/// have units of their own.
QString wrongOrder(const TreeModel& model, const TreePane& pane, Pane kind) {
    for (const NodeId node : nodesInSight(pane)) {
        const QModelIndex row = pane.model()->indexOf(node);
        if (kind == Pane::Metrics && !row.parent().isValid()) continue;
        const QModelIndex next = row.siblingAtRow(row.row() + 1);
        if (!next.isValid()) continue;
        const double here = std::abs(model.values().inclusive(node));
        const double below = std::abs(model.values().inclusive(pane.model()->nodeOf(next)));
        if (here < below)
            return u"\"%1\" comes before the larger \"%2\""_qs.arg(row.data().toString(),
                                                                   next.data().toString());
    }
    return {};
}

/// The line below the tree, with all digits.
QString wrongFoot(const TreeModel& model, const TreePane& pane) {
    const auto* foot = pane.findChild<const QWidget*>(u"Exact value"_qs);
    const QString shown = foot->accessibleName();
    const QModelIndex row = pane.current();
    const QString right = row.isValid() ? model.values().describe(pane.model()->nodeOf(row)) : QString();
    return shown == right ? QString() : u"the line below it is \"%1\" instead of \"%2\""_qs.arg(shown, right);
}

/// Of the locations, in the order that the table has.
std::vector<QModelIndex> rowsInSight(const QTableView& table) {
    std::vector<QModelIndex> rows;
    for (int row = table.rowAt(0); row >= 0 && row < table.model()->rowCount(); ++row) {
        const QModelIndex first = table.model()->index(row, 0);
        if (table.rowViewportPosition(row) >= table.viewport()->height()) break;
        rows.push_back(first);
    }
    return rows;
}

}  // namespace

FreshPanes::FreshPanes(Browser& browser)
    : browser_(browser),
      cache_(ExperimentPtr(ExperimentPtr(), &browser.experiment())),
      metrics_(cache_),
      program_(makeProgramModel(browser.programView(), cache_)),
      system_(cache_),
      shown_{{browser.metricPane(), &metrics_, Pane::Metrics},
             {browser.callPane(), program_.get(), Pane::Program},
             {browser.systemPane(), &system_, Pane::System}} {
    program_->setWholeNames(browser.selection().wholeNames());
    addCallersAndCallees();
    for (const Shown& shown : shown_) write(shown);
    choose();
    setContexts();
    for (const auto& [pane, model, kind] : shown_)
        model->setInSight(Chosen<NodeId>::orAll(nodesInSight(*pane)));
}

/// Of the region that is in the middle.
void FreshPanes::addCallersAndCallees() {
    const ButterflyPage& page = *browser_.programs()->butterfly();
    if (!page.isVisible() || !page.region()) return;
    callers_ = std::make_unique<CallersModel>(cache_, *page.region());
    callees_ = std::make_unique<CalleesModel>(cache_, *page.region());
    for (ProgramModel* model :
         {static_cast<ProgramModel*>(callers_.get()), static_cast<ProgramModel*>(callees_.get())})
        model->setWholeNames(browser_.selection().wholeNames());
    shown_.push_back({page.callers(), callers_.get(), Pane::Program});
    shown_.push_back({page.callees(), callees_.get(), Pane::Program});
}

/// What is open, selected and searched for, and how values are written.
void FreshPanes::write(const Shown& shown) const {
    const auto& [pane, model, kind] = shown;
    if (pane->model()->rows().isRerooted()) model->reroot(pane->model()->rows().roots().front());
    model->expand(openNodes(*pane));
    model->setMode(browser_.selection().mode());
    model->setDigits(browser_.selection().digits());
    if (pane->current().isValid()) model->setSelected(model->indexOf(pane->model()->nodeOf(pane->current())));
    model->find(pane->searchBox()->text());
}

/// As the trees have it.
void FreshPanes::choose() {
    const auto here = [](const TreeModel& model, const TreePane& pane, const QModelIndex& row) {
        return model.indexOf(pane.model()->nodeOf(row));
    };
    selection_.setDigits(browser_.selection().digits());
    const TreePane& metricPane = *browser_.metricPane();
    selection_.setMetric(metrics_.choice(here(metrics_, metricPane, metricPane.current())));
    std::vector<CallPathChoice> paths;
    for (const QModelIndex& row : browser_.callPane()->chosen())
        for (const CallPathChoice& choice : program_->choices(here(*program_, *browser_.callPane(), row)))
            paths.push_back(choice);
    selection_.setCallPaths(ChosenPaths::orAll(std::move(paths)));
    const QModelIndex part = browser_.systemPane()->current();
    const bool isWhole = !part.isValid() || (!part.parent().isValid() && system_.rowCount() == 1);
    selection_.setLocations(isWhole ? ChosenLocations(kAll)
                                    : system_.locationsAt(here(system_, *browser_.systemPane(), part)));
}

void FreshPanes::setContexts() {
    const auto contextIn = [this](Pane pane) {
        return contextOf(pane, browser_.order(), selection_, cache_);
    };
    metrics_.setContext(contextIn(Pane::Metrics).paths, contextIn(Pane::Metrics).locations);
    const Context program = contextIn(Pane::Program);
    program_->setContext(program.metric, program.locations);
    if (callers_) callers_->setContext(program.metric, program.locations);
    if (callees_) callees_->setContext(program.metric, program.locations);
    system_.setContext(contextIn(Pane::System).metric, contextIn(Pane::System).paths);
}

QString FreshPanes::wrongTree(const Shown& shown) {
    const auto& [pane, model, kind] = shown;
    if (!pane->isVisible()) return {};
    QString wrong = firstDifference(textsOn(pane->tree()->viewport()), textsOf(*model, *pane));
    if (wrong.isEmpty()) wrong = wrongFoot(*model, *pane);
    if (wrong.isEmpty() && browser_.largestFirst().contains(kind)) wrong = wrongOrder(*model, *pane, kind);
    return wrong.isEmpty() ? wrong : pane->objectName() + u": "_qs + wrong;
}

/// The table of the locations. Its model knows of each row which location it is.
QString FreshPanes::wrongTable() {
    const QTableView& table = *browser_.systemViews()->table();
    if (!table.isVisible()) return {};
    LocationModel fresh(cache_, system_);
    fresh.update();
    const int sorted = table.horizontalHeader()->sortIndicatorSection();
    const bool rises = table.horizontalHeader()->sortIndicatorOrder() == Qt::AscendingOrder;
    const auto& order = static_cast<const QAbstractProxyModel&>(*table.model());
    std::optional<int> before;
    for (const QModelIndex& row : rowsInSight(table)) {
        const int location = order.mapToSource(row).row();
        for (int column = 0; column < fresh.columnCount(); ++column) {
            const QString shown = row.siblingAtColumn(column).data().toString();
            const QString right = fresh.index(location, column).data().toString();
            if (shown != right)
                return u"the table of locations has \"%1\" instead of \"%2\""_qs.arg(shown, right);
        }
        if (before &&
            (rises ? fresh.isBefore(sorted, location, *before) : fresh.isBefore(sorted, *before, location)))
            return u"row %1 of the table of locations is out of order"_qs.arg(row.row());
        before = location;
    }
    return {};
}

QString FreshPanes::wrongDistribution() {
    DistributionView& shown = *browser_.systemViews()->distribution();
    if (!shown.isVisible()) return {};
    DistributionView fresh(system_, browser_.colors());
    fresh.setFont(shown.font());
    fresh.resize(shown.size());
    fresh.update(browser_.systemViews()->selected());
    const QString wrong = firstDifference(textsOn(&shown), textsOn(&fresh));
    return wrong.isEmpty() ? wrong : u"the distribution: "_qs + wrong;
}

QString FreshPanes::wrongFlameGraph() {
    FlamePage& shown = *browser_.programs()->flame();
    if (!shown.isVisible()) return {};
    CallModel calls(cache_);
    FlamePage fresh(calls, cache_, browser_.colors());
    const auto boxes = fresh.findChildren<QComboBox*>();
    for (qsizetype at = 0; at < boxes.size(); ++at)
        boxes[at]->setCurrentIndex(shown.findChildren<QComboBox*>()[at]->currentIndex());
    fresh.searchBox()->setText(shown.searchBox()->text());
    if (const auto zoomed = shown.zoomed()) fresh.zoomWhenShown(*zoomed);
    fresh.view()->setFixedSize(shown.view()->size());
    fresh.follow(contextOf(Pane::Program, browser_.order(), selection_, cache_), selection_);
    const QString wrong = firstDifference(textsOn(shown.view()), textsOn(fresh.view()));
    return wrong.isEmpty() ? wrong : u"the flame graph: "_qs + wrong;
}

::testing::AssertionResult FreshPanes::areShown(const QString& after) {
    QStringList wrong{wrongTable(), wrongDistribution(), wrongFlameGraph()};
    for (const Shown& shown : shown_) wrong << wrongTree(shown);
    wrong.removeAll(QString());
    if (wrong.isEmpty()) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << "after " << after.toStdString() << ", " << wrong.join(u"; "_qs).toStdString();
}

}  // namespace holos::gui::testing
