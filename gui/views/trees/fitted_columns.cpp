// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/trees/fitted_columns.h"

#include <QHeaderView>
#include <QTreeView>
#include <algorithm>

#include "gui/views/parts/value_delegate.h"

namespace holos::gui {

namespace {

constexpr int kIndentation = 15;
constexpr int kNarrowIndentation = 9;
constexpr int kNarrow = 300;
constexpr int kLeastForNames = 150;
constexpr double kMostForValues = 0.4;  ///< of a pane's width

}  // namespace

FittedColumns::FittedColumns(QTreeView& tree, const Colors& colors)
    : tree_(tree), delegate_(new ValueDelegate(colors, &tree)) {
    tree_.setItemDelegate(delegate_);
}

void FittedColumns::setModel(const TreeModel* model) {
    model_ = model;
    if (model_ == nullptr) return;
    tree_.header()->setStretchLastSection(false);
    tree_.header()->setSectionResizeMode(TreeModel::ValueColumn, QHeaderView::Fixed);
    show();
}

void FittedColumns::setShown(const std::set<int>& columns) {
    shown_ = columns;
    if (model_ != nullptr) show();
}

/// With a heading where there is more than one of them.
void FittedColumns::show() {
    QHeaderView* header = tree_.header();
    for (int column = TreeModel::ValueColumn + 1; column < TreeModel::kColumns; ++column) {
        header->setSectionResizeMode(column, QHeaderView::Fixed);
        tree_.setColumnHidden(column, !shown_.contains(column));
    }
    const bool more = !shown_.empty();
    tree_.setHeaderHidden(!more);
    header->setSectionResizeMode(TreeModel::NameColumn, more ? QHeaderView::Fixed : QHeaderView::Stretch);
    tree_.setHorizontalScrollBarPolicy(more ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    fit();
}

void FittedColumns::fitInto(int width) {
    width_ = width;
    fit();
}

void FittedColumns::fit() {
    const bool narrow = width_ < kNarrow;
    tree_.setIndentation(narrow ? kNarrowIndentation : kIndentation);
    if (model_ == nullptr) return;
    QHeaderView* header = tree_.header();
    delegate_->setDigits(model_->values().digits());
    const int value = delegate_->valueWidth(tree_.fontMetrics(), !narrow);
    const int each = delegate_->valueWidth(tree_.fontMetrics(), false);
    for (const int column : shown_) header->resizeSection(column, each);
    const int room = tree_.viewport()->width() - each * static_cast<int>(shown_.size());
    if (!shown_.empty()) {
        // Where names had no room left, one scrolls.
        header->resizeSection(TreeModel::ValueColumn, value);
        return header->resizeSection(TreeModel::NameColumn, std::max(room - value, kLeastForNames));
    }
    const int left = std::min(static_cast<int>(room * kMostForValues), room - widestName_);
    header->resizeSection(TreeModel::ValueColumn, std::max(value, left));
}

void FittedColumns::makeRoomFor(const std::vector<QModelIndex>& rows) {
    const int before = widestName_;
    for (const QModelIndex& row : rows) {
        const int indentation = tree_.visualRect(row).left();
        widestName_ = std::max(widestName_, indentation + delegate_->nameWidth(tree_.fontMetrics(), row));
    }
    if (widestName_ != before) fit();
}

}  // namespace holos::gui
