// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/trees/tree_pane.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
// What a pane does while something is searched for.
#include <QLineEdit>
#include <QResizeEvent>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/models/tree_model.h"
#include "gui/views/parts/assistive.h"
#include "gui/views/parts/colors.h"
#include "gui/views/parts/copying.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

ValueTree::ValueTree(bool severalRows, QWidget* parent) : QTreeView(parent) {
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(severalRows ? ExtendedSelection : SingleSelection);
    setSelectionBehavior(SelectRows);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void ValueTree::expandTogether(const QModelIndexList& rows) {
    if (rows.isEmpty()) return;
    scheduleDelayedItemsLayout();
    for (const QModelIndex& row : rows) expand(row);
}

std::vector<QModelIndex> ValueTree::rowsInSight() const {
    std::vector<QModelIndex> rows;
    const int bottom = viewport()->height();
    for (QModelIndex at = indexAt({0, 0}); at.isValid() && visualRect(at).top() < bottom; at = indexBelow(at))
        rows.push_back(at.siblingAtColumn(TreeModel::NameColumn));
    return rows;
}

void ValueTree::dataChanged(const QModelIndex&, const QModelIndex&, const QList<int>&) {
    viewport()->update();
}

namespace {

constexpr int kMinimumWidth = 210;
constexpr int kLeastTree = 14;  ///< in a small window the views below need the room more

}  // namespace

TreePane::TreePane(const QString& name, bool severalRows, const Colors& colors, QWidget* parent)
    : QWidget(parent),
      heading_(new QLabel(u"<b>%1</b>"_qs.arg(name), this)),
      subject_(new ElidedLabel(this)),
      search_(new QLineEdit(this)),
      tree_(new ValueTree(severalRows, this)),
      columns_(*tree_, colors),
      legend_(new ColorLegend(colors, this)),
      hidden_(new ElidedLabel(this)),
      exact_(new ElidedLabel(this)) {
    setObjectName(name);
    setMinimumWidth(kMinimumWidth);
    subject_->setForegroundRole(QPalette::PlaceholderText);
    search_->setPlaceholderText(u"Find"_qs);
    search_->setClearButtonEnabled(true);
    search_->setMaximumWidth(fontMetrics().horizontalAdvance(u"MMMMMMMMMM"_qs));
    search_->setAccessibleName(u"Find in %1"_qs.arg(name));
    search_->setToolTip(
        u"Show names that match this regular expression; Enter goes to the next one, Shift+Enter back"_qs);

    hidden_->setObjectName(u"Hidden rows"_qs);
    hidden_->setForegroundRole(QPalette::PlaceholderText);
    hidden_->setContentsMargins(8, 2, 8, 2);
    hidden_->hide();
    exact_->setObjectName(u"Exact value"_qs);
    exact_->setContentsMargins(8, 2, 8, 5);

    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 6, 4);
    top->setSpacing(6);
    top->addWidget(heading_);
    top->addWidget(subject_, 1);
    top->addWidget(search_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(tree_, 1);
    layout->addWidget(hidden_);
    layout->addWidget(legend_);
    layout->addWidget(exact_);

    tree_->setAccessibleName(name);
    tree_->setMinimumHeight(kLeastTree);
    makeRowsCopyable(*tree_);
    tree_->viewport()->installEventFilter(this);
    connect(tree_, &QTreeView::expanded, this, [this](const QModelIndex& at) { nodeExpanded(at, true); });
    connect(tree_, &QTreeView::collapsed, this, [this](const QModelIndex& at) { nodeExpanded(at, false); });
    connect(tree_->verticalScrollBar(), &QScrollBar::valueChanged, this, &TreePane::followRowsInSight);
    connect(legend_, &ColorLegend::rangeWanted, this, &TreePane::askForRange);
    connect(&colors, &Colors::changed, tree_->viewport(), qOverload<>(&QWidget::update));
    connect(search_, &QLineEdit::textChanged, this, &TreePane::search);
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        if (QApplication::keyboardModifiers().testFlag(Qt::ShiftModifier)) return previousMatch();
        if (!nextMatch()) nextMatch();  // begins again
    });
}

void TreePane::setModel(TreeModel* model) {
    QItemSelectionModel* before = tree_->selectionModel();
    model_ = model;
    matches_.clear();
    match_ = 0;
    openBefore_.reset();
    hiding_.forget();
    tree_->setModel(model);
    delete before;
    columns_.setModel(model);
    if (model == nullptr) return;
    connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { followChoice(true); });
    connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this] { followChoice(chosen().isEmpty()); });
    connect(model, &QAbstractItemModel::dataChanged, this, &TreePane::valuesChanged);
    connect(model, &QAbstractItemModel::layoutChanged, this, &TreePane::valuesChanged);
    expandTogether(model->rows().expanded());  // when it was shown before
    if (!search_->text().isEmpty()) search(search_->text());
}

/// The current row stands for a selection where nothing is selected.
void TreePane::followChoice(bool isOther) {
    model_->setSelected(current());
    if (isOther) Q_EMIT choiceChanged();
    valuesChanged();
}

bool TreePane::isChosen(const QModelIndex& row) const {
    return row == current() || tree_->selectionModel()->isRowSelected(row.row(), row.parent());
}

void TreePane::resizeEvent(QResizeEvent*) {
    columns_.fitInto(width());
}

bool TreePane::eventFilter(QObject* watched, QEvent* event) {
    if (watched == tree_->viewport() && event->type() == QEvent::Resize) {
        keepInSight(static_cast<QResizeEvent*>(event)->oldSize());
        valuesChanged();
    }
    return QWidget::eventFilter(watched, event);
}

/// A selected row that was seen in a viewport of the size before, or would have been seen in the first one,
/// stays in sight. Several sizes may follow each other before everything has its place.
void TreePane::keepInSight(const QSize& before) {
    const QRect row = tree_->visualRect(current());
    if (scrolling_ || (before.isValid() && !QRect(QPoint(), before).intersects(row))) return;
    scrolling_ = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            scrolling_ = false;
            tree_->scrollTo(current());
        },
        Qt::QueuedConnection);
}

void TreePane::setColumns(const std::set<int>& columns) {
    columns_.setShown(columns);
    valuesChanged();
}

void TreePane::followRowsInSight() {
    if (model_ == nullptr) return;
    const std::vector<QModelIndex> rows = tree_->rowsInSight();
    columns_.makeRoomFor(rows);
    std::vector<NodeId> nodes;
    for (const QModelIndex& row : rows) nodes.push_back(model_->nodeOf(row));
    if (model_->setInSight(Chosen<NodeId>::orAll(std::move(nodes)))) tree_->viewport()->update();
}

void TreePane::setHeading(QWidget* heading) {
    delete layout()->replaceWidget(heading_, heading);
    delete std::exchange(heading_, heading);
}

void TreePane::setSubject(const QString& subject) {
    of_ = subject;
    showSubject();
}

QModelIndexList TreePane::chosen() const {
    return tree_->selectionModel() ? tree_->selectionModel()->selectedRows() : QModelIndexList();
}

QModelIndex TreePane::current() const {
    const QModelIndexList rows = chosen();
    const QModelIndex last = tree_->currentIndex().siblingAtColumn(TreeModel::NameColumn);
    return rows.contains(last) || rows.isEmpty() ? last : rows.front();
}

void TreePane::reveal(const QModelIndex& index) {
    if (!index.isValid() || index.model() != model_) return;
    for (QModelIndex up = index.parent(); up.isValid(); up = up.parent()) tree_->expand(up);
    // Said in full, because the tree would take a key that is held, as in Ctrl+Z, for a wish to add the row.
    tree_->selectionModel()->setCurrentIndex(index,
                                             QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    tree_->scrollTo(index);
}

void TreePane::expandAll() {
    if (model_ == nullptr) return;
    changeAll(true);
    Q_EMIT choiceChanged();
}

void TreePane::collapseAll() {
    if (model_ == nullptr) return;
    QModelIndex root = current();
    while (root.parent().isValid()) root = root.parent();
    changeAll(false);
    if (root.isValid()) tree_->setCurrentIndex(root);
    Q_EMIT choiceChanged();
}

void TreePane::setExpanded(const std::vector<NodeId>& nodes) {
    if (model_ == nullptr) return;
    changeAll(false);
    expandTogether(nodes);
    Q_EMIT choiceChanged();
}

void TreePane::choose(const std::vector<NodeId>& nodes) {
    if (nodes.empty()) return;
    std::vector<NodeId> above;
    QItemSelection rows;
    for (const NodeId node : nodes) {
        const QModelIndex at = model_->indexOf(node);
        if (at.isValid()) rows.select(at, at.siblingAtColumn(TreeModel::ValueColumn));
        for (auto up = model_->rows().parentOf(node); up; up = model_->rows().parentOf(*up))
            if (!model_->rows().isExpanded(*up)) above.push_back(*up);
    }
    expandTogether(above);
    reveal(model_->indexOf(nodes.front()));
    tree_->selectionModel()->select(rows, QItemSelectionModel::Select | QItemSelectionModel::Rows);
}

/// The tree says something of every node, and the model learns of all of them at once.
void TreePane::expandTogether(const std::vector<NodeId>& nodes) {
    QModelIndexList rows;
    std::vector<NodeId> known;
    bool anyChosen = false;
    for (const NodeId node : nodes) {
        const QModelIndex row = node.index() < model_->rows().size() ? model_->indexOf(node) : QModelIndex();
        if (!row.isValid() || model_->rows().childrenOf(node).empty()) continue;
        rows << row;
        known.push_back(node);
        anyChosen = anyChosen || isChosen(row);
    }
    if (rows.empty()) return;
    changingAll_ = true;
    tree_->expandTogether(rows);
    changingAll_ = false;
    model_->expand(known);
    if (anyChosen) Q_EMIT choiceChanged();
}

/// Once all are expanded, those are left that the tree hides: it does not expand them.
QModelIndexList TreePane::closedRows() const {
    QModelIndexList closed;
    for (const NodeId node : model_->rows().ids()) {
        if (model_->rows().childrenOf(node).empty()) continue;
        const QModelIndex row = model_->indexOf(node);
        if (row.isValid() && !tree_->isExpanded(row)) closed << row;
    }
    return closed;
}

void TreePane::changeAll(bool expand) {
    changingAll_ = true;
    if (expand) {
        tree_->expandAll();
        tree_->expandTogether(closedRows());
    } else {
        tree_->collapseAll();
    }
    changingAll_ = false;
    model_->setAllExpanded(expand);
}

void TreePane::nodeExpanded(const QModelIndex& index, bool expanded) {
    if (model_ == nullptr || changingAll_) return;
    model_->setExpanded(index, expanded);
    if (!expanded) dropHiddenSelection(index);
    if (isChosen(index)) Q_EMIT choiceChanged();
}

/// What is hidden in a collapsed node is part of the node's value and must not be counted again.
void TreePane::dropHiddenSelection(const QModelIndex& collapsed) {
    bool hidden = false;
    for (const QModelIndex& row : chosen())
        for (QModelIndex up = row.parent(); up.isValid(); up = up.parent())
            hidden = hidden || up == collapsed;
    if (hidden) tree_->setCurrentIndex(collapsed);
}

/// Many nodes can change at once: what follows from their values waits for the last of them.
void TreePane::valuesChanged() {
    if (settling_) return;
    settling_ = true;
    QMetaObject::invokeMethod(this, &TreePane::settle, Qt::QueuedConnection);
}

void TreePane::settle() {
    settling_ = false;
    updateHidden();
    columns_.forgetRows();
    followRowsInSight();
    columns_.fitInto(width());
    updateFoot();
}

void TreePane::setHideBelow(std::optional<double> part) {
    hiding_.setBelow(part);
    valuesChanged();
}

/// A selected row that is in sight stays there.
void TreePane::updateHidden() {
    if (model_ == nullptr) return;
    const bool inSight = tree_->viewport()->rect().intersects(tree_->visualRect(current()));
    if (hiding_.update(*tree_, *model_) && inSight) tree_->scrollTo(current());
    const QString text = hiding_.text(*model_);
    hidden_->setText(text);
    hidden_->setVisible(!text.isEmpty());
}

void TreePane::askForRange() {
    if (model_ == nullptr || !current().isValid()) return;
    const ScaleRange now = model_->scale().rangeOf(model_->nodeOf(current()));
    bool given = false;
    const QString text =
        QInputDialog::getText(this, u"Colour scale"_qs,
                              u"From … to, such as 0 … 2.5 (fractions in percent modes); empty: automatic"_qs,
                              QLineEdit::Normal, u"%1 … %2"_qs.arg(now.from).arg(now.to), &given);
    if (given) model_->setOwnRange(ownRangeFrom(text));
}

void TreePane::updateFoot() {
    const QModelIndex at = current();
    if (model_ == nullptr || !at.isValid()) {
        legend_->setRange(std::nullopt);
        exact_->setText({});
        return;
    }
    const NodeId node = model_->nodeOf(at);
    legend_->setRange(model_->scale().rangeOf(node));
    exact_->setText(model_->values().describe(node));
    setTip(*exact_, model_->rows().pathOf(node) + u'\n' + exact_->text());
}

namespace {

constexpr std::size_t kMostOpened = 200;  ///< matches

}  // namespace

void TreePane::search(const QString& text) {
    if (model_ == nullptr) return;
    matches_ = model_->find(text);
    match_ = 0;
    hiding_.setFound(Chosen<NodeId>::orAll(matches_), *model_);
    if (text.isEmpty())
        closeAfterSearch();
    else
        openToMatches();
    showSubject();
    valuesChanged();
}

/// Of very many matches nobody looks at all, and Enter opens the tree to each.
void TreePane::openToMatches() {
    if (!openBefore_) openBefore_ = model_->rows().expanded();
    if (matches_.size() > kMostOpened) return;
    std::vector<NodeId> above;
    for (const NodeId node : matches_)
        for (auto up = model_->rows().parentOf(node); up; up = model_->rows().parentOf(*up))
            if (!model_->rows().isExpanded(*up)) above.push_back(*up);
    std::ranges::sort(above);
    above.erase(std::unique(above.begin(), above.end()), above.end());
    expandTogether(above);
}

/// What was found and selected stays in sight.
void TreePane::closeAfterSearch() {
    if (!openBefore_) return;
    std::vector<NodeId> open = *std::exchange(openBefore_, std::nullopt);
    for (const QModelIndex& row : chosen())
        for (auto up = model_->rows().parentOf(model_->nodeOf(row)); up; up = model_->rows().parentOf(*up))
            open.push_back(*up);
    std::ranges::sort(open);
    open.erase(std::unique(open.begin(), open.end()), open.end());
    if (open == model_->rows().expanded()) return;
    setExpanded(open);
    Q_EMIT choiceChanged();
}

bool TreePane::nextMatch() {
    const bool isThere = match_ < matches_.size();
    if (isThere) reveal(model_->indexOf(matches_[match_]));
    match_ = isThere ? match_ + 1 : 0;
    showSubject();
    return isThere;
}

void TreePane::previousMatch() {
    if (matches_.empty()) return;
    match_ = match_ <= 1 ? matches_.size() : match_ - 1;
    reveal(model_->indexOf(matches_[match_ - 1]));
    showSubject();
}

void TreePane::reroot() {
    if (model_ == nullptr || !current().isValid()) return;
    const NodeId node = model_->nodeOf(current());
    const bool back = model_->rows().isRerooted();
    model_->reroot(back ? std::nullopt : std::optional(node));
    matches_.clear();
    match_ = 0;
    openBefore_.reset();
    hiding_.forget();
    if (!search_->text().isEmpty()) search(search_->text());
    reveal(model_->indexOf(node));
}

/// While something is searched for, which of the matches one is at.
void TreePane::showSubject() {
    if (search_->text().isEmpty() || model_ == nullptr) return subject_->setText(of_);
    if (matches_.empty()) return subject_->setText(u"no match"_qs);
    subject_->setText(match_ == 0 ? u"%1 found"_qs.arg(matches_.size())
                                  : u"%1 of %2"_qs.arg(match_).arg(matches_.size()));
}

}  // namespace holos::gui
