// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/trees/tree_pane.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QResizeEvent>
#include <QScrollBar>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/views/parts/color_legend.h"
#include "gui/views/parts/colors.h"
#include "gui/views/parts/copying.h"
#include "gui/views/parts/elided_label.h"
#include "gui/views/parts/tip.h"
#include "gui/views/parts/value_delegate.h"

namespace holos::gui {

namespace {

constexpr int kIndentation = 15;
constexpr int kNarrowIndentation = 9;
constexpr int kMinimumWidth = 210;
constexpr int kLeastTree = 30;
constexpr int kNarrow = 300;
constexpr int kLeastForNames = 150;
constexpr double kMostForValues = 0.4;  ///< of a pane's width

/// Paints everything when values change, which they do together, and does not look for the place of each row.
class ValueTree : public QTreeView {
  public:
    using QTreeView::QTreeView;
    void dataChanged(const QModelIndex&, const QModelIndex&, const QList<int>&) override {
        viewport()->update();
    }
    /// Lays its rows out once.
    void expandTogether(const QModelIndexList& rows) {
        scheduleDelayedItemsLayout();
        for (const QModelIndex& row : rows) expand(row);
    }
};

QTreeView* makeTree(bool severalRows, QWidget* parent) {
    auto* tree = new ValueTree(parent);
    tree->setHeaderHidden(true);
    tree->setUniformRowHeights(true);
    tree->setIndentation(kIndentation);
    tree->setFrameShape(QFrame::NoFrame);
    tree->setSelectionMode(severalRows ? QAbstractItemView::ExtendedSelection
                                       : QAbstractItemView::SingleSelection);
    tree->setSelectionBehavior(QAbstractItemView::SelectRows);
    tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return tree;
}

}  // namespace

TreePane::TreePane(const QString& name, bool severalRows, const Colors& colors, QWidget* parent)
    : QWidget(parent),
      heading_(new QLabel(u"<b>%1</b>"_qs.arg(name), this)),
      subject_(new ElidedLabel(this)),
      search_(new QLineEdit(this)),
      tree_(makeTree(severalRows, this)),
      delegate_(new ValueDelegate(colors, tree_)),
      legend_(new ColorLegend(colors, this)),
      hidden_(new ElidedLabel(this)),
      exact_(new ElidedLabel(this)) {
    setObjectName(name);
    tree_->setItemDelegate(delegate_);
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
    if (model == nullptr) return;
    QHeaderView* header = tree_->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(TreeModel::NameColumn, QHeaderView::Stretch);
    header->setSectionResizeMode(TreeModel::ValueColumn, QHeaderView::Fixed);
    showColumns();
    connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        model_->setSelected(current());
        Q_EMIT choiceChanged();
        valuesChanged();
    });
    connect(model, &QAbstractItemModel::dataChanged, this, &TreePane::valuesChanged);
    if (!search_->text().isEmpty()) search(search_->text());
}

void TreePane::resizeEvent(QResizeEvent*) {
    fitColumns();
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
    columns_ = columns;
    showColumns();
}

/// With a heading where there is more than one of them.
void TreePane::showColumns() {
    if (model_ == nullptr) return;
    for (int column = TreeModel::ValueColumn + 1; column < TreeModel::kColumns; ++column) {
        tree_->header()->setSectionResizeMode(column, QHeaderView::Fixed);
        tree_->setColumnHidden(column, !columns_.contains(column));
    }
    tree_->setHeaderHidden(columns_.empty());
    const bool more = !columns_.empty();
    tree_->header()->setSectionResizeMode(TreeModel::NameColumn,
                                          more ? QHeaderView::Fixed : QHeaderView::Stretch);
    tree_->setHorizontalScrollBarPolicy(more ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    fitColumns();
}

void TreePane::fitColumns() {
    const bool narrow = width() < kNarrow;
    tree_->setIndentation(narrow ? kNarrowIndentation : kIndentation);
    if (model_ == nullptr) return;
    delegate_->setDigits(model_->values().digits());
    const int each = delegate_->valueWidth(tree_->fontMetrics(), false);
    for (const int column : columns_) tree_->header()->resizeSection(column, each);
    const int room = tree_->viewport()->width() - each * static_cast<int>(columns_.size());
    if (!columns_.empty()) {
        // Where names had no room left, one scrolls.
        const int value = delegate_->valueWidth(tree_->fontMetrics(), !narrow);
        tree_->header()->resizeSection(TreeModel::ValueColumn, value);
        return tree_->header()->resizeSection(TreeModel::NameColumn, std::max(room - value, kLeastForNames));
    }
    const int left = std::min(static_cast<int>(room * kMostForValues), room - widestName_);
    tree_->header()->resizeSection(TreeModel::ValueColumn,
                                   std::max(delegate_->valueWidth(tree_->fontMetrics(), !narrow), left));
}

std::vector<QModelIndex> TreePane::rowsInSight() const {
    std::vector<QModelIndex> rows;
    const int bottom = tree_->viewport()->height();
    for (QModelIndex at = tree_->indexAt({0, 0}); at.isValid() && tree_->visualRect(at).top() < bottom;
         at = tree_->indexBelow(at))
        rows.push_back(at.siblingAtColumn(TreeModel::NameColumn));
    return rows;
}

/// Scrolling makes room for longer names, and takes none from them: bars that change with each step of the
/// wheel are hard to compare.
void TreePane::widenNames(const std::vector<QModelIndex>& rows) {
    const int before = widestName_;
    for (const QModelIndex& row : rows) {
        const int indentation = tree_->visualRect(row).left();
        widestName_ = std::max(widestName_, indentation + delegate_->nameWidth(tree_->fontMetrics(), row));
    }
    if (widestName_ != before) fitColumns();
}

void TreePane::followRowsInSight() {
    if (model_ == nullptr) return;
    const std::vector<QModelIndex> rows = rowsInSight();
    widenNames(rows);
    std::vector<int> nodes;
    for (const QModelIndex& row : rows) nodes.push_back(model_->nodeOf(row));
    if (model_->setInSight(Chosen<int>::orAll(std::move(nodes)))) tree_->viewport()->update();
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

void TreePane::setExpanded(const std::vector<int>& nodes) {
    if (model_ == nullptr) return;
    changeAll(false);
    expandTogether(nodes);
}

void TreePane::choose(const std::vector<int>& nodes) {
    if (nodes.empty()) return;
    std::vector<int> above;
    QItemSelection rows;
    for (const int node : nodes) {
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
void TreePane::expandTogether(const std::vector<int>& nodes) {
    QModelIndexList rows;
    std::vector<int> known;
    bool anyChosen = false;
    for (const int node : nodes) {
        const QModelIndex row = node < model_->rows().size() ? model_->indexOf(node) : QModelIndex();
        if (!row.isValid() || model_->rows().childrenOf(node).empty()) continue;
        rows << row;
        known.push_back(node);
        anyChosen = anyChosen || tree_->selectionModel()->isRowSelected(row.row(), row.parent());
    }
    if (rows.empty()) return;
    changingAll_ = true;
    static_cast<ValueTree*>(tree_)->expandTogether(rows);
    changingAll_ = false;
    model_->expand(known);
    if (anyChosen) Q_EMIT choiceChanged();
}

void TreePane::changeAll(bool expand) {
    changingAll_ = true;
    if (expand)
        tree_->expandAll();
    else
        tree_->collapseAll();
    changingAll_ = false;
    model_->setAllExpanded(expand);
}

void TreePane::nodeExpanded(const QModelIndex& index, bool expanded) {
    if (model_ == nullptr || changingAll_) return;
    model_->setExpanded(index, expanded);
    if (!expanded) dropHiddenSelection(index);
    if (tree_->selectionModel()->isRowSelected(index.row(), index.parent())) Q_EMIT choiceChanged();
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
    widestName_ = 0;
    followRowsInSight();
    fitColumns();
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
    const int node = model_->nodeOf(at);
    legend_->setRange(model_->scale().rangeOf(node));
    exact_->setText(model_->values().describe(node));
    setTip(*exact_, model_->rows().pathOf(node) + u'\n' + exact_->text());
}

}  // namespace holos::gui
