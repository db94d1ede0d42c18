// SPDX-License-Identifier: BSD-3-Clause
#include "tests/gui/display/fresh_panes.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/views/trees/tree_pane.h"
#include "tests/gui/display/painted_texts.h"

namespace holos::gui::testing {

using namespace algebra;

namespace {

/// The nodes that are open, each below open ones.
std::vector<int> openNodes(const TreePane& pane) {
    const TreeModel& model = *pane.model();
    std::vector<int> open;
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

std::vector<int> nodesInSight(const TreePane& pane) {
    const QTreeView& tree = *pane.tree();
    std::vector<int> nodes;
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

QStringList textsOnScreen(const TreePane& pane) {
    QWidget* viewport = pane.tree()->viewport();
    PaintedTexts paper(viewport->size());
    viewport->render(&paper);
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
        for (const int node : nodesInSight(pane))
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
    for (const int node : nodesInSight(pane)) {
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
    for (const auto& [pane, model, kind] : shown_) {
        if (pane->model()->rows().isRerooted()) model->reroot(pane->model()->rows().roots().front());
        model->expand(openNodes(*pane));
        model->setMode(browser.selection().mode());
        model->setDigits(browser.selection().digits());
        if (pane->current().isValid())
            model->setSelected(model->indexOf(pane->model()->nodeOf(pane->current())));
        model->find(pane->searchBox()->text());
    }
    program_->setWholeNames(browser.selection().wholeNames());
    choose();
    setContexts();
    for (const auto& [pane, model, kind] : shown_) model->setInSight(Chosen<int>::orAll(nodesInSight(*pane)));
}

/// As the trees have it.
void FreshPanes::choose() {
    const auto here = [](const TreeModel& model, const TreePane& pane, const QModelIndex& row) {
        return model.indexOf(pane.model()->nodeOf(row));
    };
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
    program_->setContext(contextIn(Pane::Program).metric, contextIn(Pane::Program).locations);
    system_.setContext(contextIn(Pane::System).metric, contextIn(Pane::System).paths);
}

::testing::AssertionResult FreshPanes::areShown(const QString& after) const {
    for (const auto& [pane, model, kind] : shown_) {
        if (!pane->isVisible()) continue;
        QString wrong = firstDifference(textsOnScreen(*pane), textsOf(*model, *pane));
        if (wrong.isEmpty()) wrong = wrongFoot(*model, *pane);
        if (wrong.isEmpty() && browser_.largestFirst().contains(kind))
            wrong = wrongOrder(*model, *pane, kind);
        if (!wrong.isEmpty())
            return ::testing::AssertionFailure()
                   << "after " << after.toStdString() << ", " << pane->objectName().toStdString() << ": "
                   << wrong.toStdString();
    }
    return ::testing::AssertionSuccess();
}

}  // namespace holos::gui::testing
