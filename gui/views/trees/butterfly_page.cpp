// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/trees/butterfly_page.h"

#include <QTreeView>
#include <algorithm>

#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

using namespace algebra;

namespace {
/// A row may stand for very many call paths; so many of them are selected at most.
constexpr std::size_t kMostChosen = 500;

/// Where there is but one caller, or callee, the next ones are of interest.
void expandToFork(TreePane& pane) {
    const QAbstractItemModel& model = *pane.model();
    std::vector<NodeId> nodes;
    for (QModelIndex at = model.index(0, 0); at.isValid(); at = model.index(0, 0, at)) {
        nodes.push_back(pane.model()->nodeOf(at));
        if (model.rowCount(at) != 1) break;
    }
    pane.setExpanded(nodes);
}

}  // namespace

ButterflyPage::ButterflyPage(ValueCache& cache, const Selection& selection, const Colors& colors,
                             QWidget* parent)
    : QSplitter(Qt::Vertical, parent),
      cache_(cache),
      selection_(selection),
      callersPane_(new TreePane(u"Callers"_qs, false, colors, this)),
      calleesPane_(new TreePane(u"Callees"_qs, false, colors, this)) {
    setChildrenCollapsible(false);
    for (TreePane* pane : {callersPane_, calleesPane_}) {
        addWidget(pane);
        pane->setColumns({TreeModel::ExclusiveColumn});
        pane->tree()->setExpandsOnDoubleClick(false);
        connect(pane, &TreePane::choiceChanged, this, [this, pane] { choose(pane); });
        connect(pane->tree(), &QTreeView::activated, this,
                [this, pane](const QModelIndex& row) { recenter(pane, row); });
    }
}

ButterflyPage::~ButterflyPage() {
    for (TreePane* pane : {callersPane_, calleesPane_}) pane->setModel(nullptr);
}

std::vector<ProgramModel*> ButterflyPage::models() const {
    if (!callers_) return {};
    return {callers_.get(), callees_.get()};
}

void ButterflyPage::setColumns(std::set<int> columns) {
    columns.insert(TreeModel::ExclusiveColumn);
    columns.erase(TreeModel::InclusiveColumn);
    for (TreePane* pane : {callersPane_, calleesPane_}) pane->setColumns(columns);
}

void ButterflyPage::setLargestFirst(bool largestFirst) {
    largestFirst_ = largestFirst;
    for (ProgramModel* model : models()) model->setLargestFirst(largestFirst);
}

/// Of the call path that was selected elsewhere, where that has another region.
std::optional<RegionId> ButterflyPage::newRegion() const {
    if (selection_.callPaths().given().empty()) return std::nullopt;
    const CallPathId chosen = selection_.callPaths().given().front().path;
    const RegionId region = cache_.experiment().callTree[chosen].region;
    const bool isChosenHere = std::ranges::find(chosenHere_, chosen) != chosenHere_.end();
    return region_ && (region == *region_ || isChosenHere) ? std::nullopt : std::optional(region);
}

void ButterflyPage::follow(const Context& context) {
    if (const auto region = newRegion()) {
        shown_ = context;
        center(*region);
        arePending_ = cache_.isReading(context.metric.metric);
        return markSelected();
    }
    if (shown_ == context && !arePending_) return;
    shown_ = context;
    arePending_ = cache_.isReading(context.metric.metric);
    for (ProgramModel* model : models()) model->setContext(context.metric, context.locations);
}

void ButterflyPage::center(RegionId region) {
    following_ = true;
    region_ = region;
    chosenHere_.clear();
    auto callers = std::make_unique<CallersModel>(cache_, region);
    auto callees = std::make_unique<CalleesModel>(cache_, region);
    const auto show = [this](TreePane* pane, ProgramModel& model) {
        model.setMode(selection_.mode());
        model.setDigits(selection_.digits());
        model.setWholeNames(selection_.wholeNames());
        model.setContext(shown_->metric, shown_->locations);
        model.setLargestFirst(largestFirst_);
        pane->setModel(&model);
        expandToFork(*pane);
        pane->setSubject(u"of "_qs + model.shownName(model.rows().roots().front()));
    };
    show(callersPane_, *callers);
    show(calleesPane_, *callees);
    callers_ = std::move(callers);
    callees_ = std::move(callees);
    following_ = false;
}

/// What was selected elsewhere is one call of the region, or else all of them.
void ButterflyPage::markSelected() {
    following_ = true;
    const auto& selected = selection_.callPaths().given();
    const QModelIndex row =
        selected.size() == 1 ? callers_->indexOfCall(selected.front().path) : callers_->index(0, 0);
    callersPane_->reveal(row);
    following_ = false;
}

void ButterflyPage::choose(TreePane* pane) {
    // A tree that gets the keyboard has its first row there, which nobody selected.
    if (following_ || pane->chosen().isEmpty()) return;
    following_ = true;
    (pane == callersPane_ ? calleesPane_ : callersPane_)->tree()->selectionModel()->clear();
    following_ = false;
    const auto* model = static_cast<ProgramModel*>(pane->model());
    std::vector<CallPathChoice> choices = model->choices(pane->current());
    if (choices.size() > kMostChosen) choices.resize(kMostChosen);
    chosenHere_.clear();
    for (const CallPathChoice& choice : choices) chosenHere_.push_back(choice.path);
    if (!choices.empty()) Q_EMIT callPathsChosen(choices);
}

void ButterflyPage::recenter(const TreePane* pane, const QModelIndex& row) {
    const RegionId region = pane == callersPane_ ? callers_->regionOf(row) : callees_->regionOf(row);
    if (region == region_) return;
    center(region);
    callersPane_->reveal(callers_->index(0, 0));
}

}  // namespace holos::gui
