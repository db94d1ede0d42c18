// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/program_views.h"

#include <QComboBox>
#include <QLineEdit>
#include <QTreeView>

#include "gui/views/flame/flame_page.h"
#include "gui/views/parts/assistive.h"
#include "gui/views/trees/butterfly_page.h"
#include "gui/views/trees/tree_pane.h"

namespace holos::gui {

using namespace algebra;

namespace {
constexpr int kProgramLetters = 11;  ///< of the name of an order, that are seen in a narrow pane
}

ProgramViews::ProgramViews(ValueCache& cache, const Selection& selection, const Colors& colors,
                           QWidget* parent)
    : QTabWidget(parent),
      cache_(cache),
      selection_(selection),
      calls_(cache),
      tree_(new TreePane(u"Call paths"_qs, true, colors, this)),
      flame_(new FlamePage(calls_, cache, colors, this)),
      butterfly_(new ButterflyPage(cache, selection, colors, this)) {
    setDocumentMode(true);
    setAccessibleName(u"Views of the program"_qs);
    setTabPosition(QTabWidget::South);
    addTab(tree_, u"Tree"_qs);
    addTab(flame_, u"Flame graph"_qs);
    addTab(butterfly_, u"Callers and callees"_qs);
    buildViewBox();
    if (!cache.experiment().metrics.empty()) tree_->setModel(&calls_);
    connect(flame_, &FlamePage::callPathChosen, this, [this](CallPathId path) { reveal({path}); });
    connect(butterfly_, &ButterflyPage::callPathsChosen, this, &ProgramViews::choose);
    connect(flame_, &FlamePage::partChanged, this, &ProgramViews::updateLater);
    // One search for both.
    connect(tree_->searchBox(), &QLineEdit::textChanged, flame_->searchBox(), &QLineEdit::setText);
    connect(flame_->searchBox(), &QLineEdit::textChanged, tree_->searchBox(), &QLineEdit::setText);
    connect(this, &QTabWidget::currentChanged, this, &ProgramViews::updateLater);
}

/// Views before the models that they show.
ProgramViews::~ProgramViews() {
    tree_->setModel(nullptr);
    delete flame_;
    delete butterfly_;
}

/// Heads the tree, which it says the order of.
void ProgramViews::buildViewBox() {
    viewBox_ = new QComboBox(this);
    viewBox_->setFocusPolicy(Qt::NoFocus);
    setNameOfBox(*viewBox_, u"Order of the program"_qs);
    viewBox_->setToolTip(u"The order in which the program is shown"_qs);
    viewBox_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    viewBox_->setMinimumContentsLength(kProgramLetters);
    for (const ProgramViewText& text : programViews()) viewBox_->addItem(QString::fromUtf8(text.title));
    tree_->setHeading(viewBox_);
    connect(viewBox_, &QComboBox::activated, this,
            [this](int at) { Q_EMIT viewWanted(programViews()[static_cast<std::size_t>(at)].value); });
}

std::vector<TreePane*> ProgramViews::panesInSight() const {
    if (currentIndex() != CallersTab) return {tree_};
    return {butterfly_->callers(), butterfly_->callees()};
}

ProgramModel& ProgramViews::model() {
    if (view_ == ProgramView::CallTree) return calls_;
    auto& model = others_[view_];
    if (!model) {
        model = makeProgramModel(view_, cache_);
        model->setMode(selection_.mode());
        model->setDigits(selection_.digits());
        model->setWholeNames(selection_.wholeNames());
    }
    return *model;
}

std::vector<ProgramModel*> ProgramViews::models() {
    std::vector<ProgramModel*> all = butterfly_->models();
    all.push_back(&calls_);
    for (const auto& [view, model] : others_) all.push_back(model.get());
    return all;
}

void ProgramViews::setView(ProgramView view) {
    view_ = view;
    viewBox_->setCurrentIndex(static_cast<int>(view));
    tree_->setModel(&model());
}

void ProgramViews::setLargestFirst(bool largestFirst) {
    butterfly_->setLargestFirst(largestFirst);
    calls_.setLargestFirst(largestFirst);
    for (const auto& [view, model] : others_) model->setLargestFirst(largestFirst);
}

void ProgramViews::setContext(const Context& context) {
    context_ = context;
    model().setContext(context.metric, context.locations);
    updateLater();
}

void ProgramViews::reveal(const std::vector<CallPathId>& paths) {
    std::vector<NodeId> nodes;
    for (const CallPathId path : paths) {
        const QModelIndex row = model().indexOfPath(path);
        if (row.isValid()) nodes.push_back(model().nodeOf(row));
    }
    tree_->choose(nodes);
}

/// In the tree they are open or closed, so that the panes show what the row showed.
void ProgramViews::choose(const std::vector<CallPathChoice>& paths) {
    std::vector<CallPathId> rows;
    for (const CallPathChoice& choice : paths) rows.push_back(choice.path);
    reveal(rows);
    for (const CallPathChoice& choice : paths)
        if (const QModelIndex row = model().indexOfPath(choice.path);
            row.isValid() && model().rowCount(row) > 0)
            tree_->tree()->setExpanded(row, choice.extent == Extent::Exclusive);
}

/// Only the view that is seen follows, when everything else has been decided.
void ProgramViews::updateLater() {
    if (updating_) return;
    updating_ = true;
    QMetaObject::invokeMethod(this, &ProgramViews::update, Qt::QueuedConnection);
}

void ProgramViews::update() {
    updating_ = false;
    if (!context_) return;
    if (currentIndex() == FlameTab) flame_->follow(*context_, selection_);
    if (currentIndex() == CallersTab) butterfly_->follow(*context_);
}

}  // namespace holos::gui
