// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/trees/fitted_columns.h"

#include <QHeaderView>
#include <QTreeView>
#include <algorithm>
#include <numeric>

#include "gui/views/parts/value_delegate.h"

namespace holos::gui {

namespace {

constexpr int kIndentation = 15;
constexpr int kNarrowIndentation = 9;
constexpr int kNarrow = 300;
constexpr int kLeastForNames = 85;
constexpr double kMostForValues = 0.4;  ///< of a pane's width
constexpr double kMostForNames = 0.6;   ///< where there are more columns

}  // namespace

FittedColumns::FittedColumns(QTreeView& tree, const Colors& colors)
    : tree_(tree), delegate_(new ValueDelegate(colors, &tree)) {
    tree_.setItemDelegate(delegate_);
}

void FittedColumns::setModel(const TreeModel* model) {
    model_ = model;
    if (model_ == nullptr) return;
    QHeaderView* header = tree_.header();
    header->setStretchLastSection(false);
    header->setTextElideMode(Qt::ElideRight);
    header->setSectionResizeMode(TreeModel::ValueColumn, QHeaderView::Fixed);
    header->moveSection(header->visualIndex(TreeModel::DeltaColumn), TreeModel::ValueColumn + 1);
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
    header->viewport()->update();  // Qt leaves edges of headings where others were
}

void FittedColumns::fitInto(int width) {
    width_ = width;
    fit();
}

void FittedColumns::fit() {
    const bool narrow = width_ < kNarrow;
    tree_.setIndentation(narrow ? kNarrowIndentation : kIndentation);
    if (model_ == nullptr) return;
    delegate_->setDigits(model_->values().digits());
    if (!shown_.empty()) return shareRoom();
    const int room = tree_.viewport()->width();
    const int left = std::min(static_cast<int>(room * kMostForValues), room - widest(TreeModel::NameColumn));
    tree_.header()->resizeSection(TreeModel::ValueColumn,
                                  std::max(delegate_->valueWidth(tree_.fontMetrics(), !narrow), left));
}

/// Each number gets the same part of what lies between its shortest form and its usual one.
void FittedColumns::shareRoom() {
    const QFontMetrics metrics = tree_.fontMetrics();
    const int usual = delegate_->valueWidth(metrics, false);
    std::map<int, int> least, wanted;
    for (int column = TreeModel::ValueColumn; column < TreeModel::kColumns; ++column) {
        if (column != TreeModel::ValueColumn && !shown_.contains(column)) continue;
        least[column] = ValueDelegate::leastWidth(metrics, column);
        wanted[column] =
            column == TreeModel::ValueColumn ? usual : std::clamp(widest(column), least[column], usual);
    }
    const auto sum = [](const std::map<int, int>& widths) {
        return std::accumulate(widths.begin(), widths.end(), 0,
                               [](int all, const auto& width) { return all + width.second; });
    };
    const int room = tree_.viewport()->width();
    const int names = std::max(
        kLeastForNames, std::min(widest(TreeModel::NameColumn), static_cast<int>(room * kMostForNames)));
    const double part = std::clamp(
        static_cast<double>(room - names - sum(least)) / std::max(1, sum(wanted) - sum(least)), 0.0, 1.0);
    int left = room;
    for (const auto& [column, width] : least) {
        const int given = width + static_cast<int>(part * (wanted[column] - width));
        tree_.header()->resizeSection(column, given);
        left -= given;
    }
    tree_.header()->resizeSection(TreeModel::NameColumn, std::max(left, kLeastForNames));
}

int FittedColumns::widest(int column) const {
    const auto known = widest_.find(column);
    return known == widest_.end() ? 0 : known->second;
}

void FittedColumns::makeRoomFor(const std::vector<QModelIndex>& rows) {
    const std::map<int, int> before = widest_;
    const QFontMetrics metrics = tree_.fontMetrics();
    const auto need = [this](int column, int width) { widest_[column] = std::max(widest_[column], width); };
    for (const QModelIndex& row : rows) {
        // From the edge of the first column, wherever the tree is scrolled to.
        const int indentation =
            tree_.visualRect(row).left() - tree_.columnViewportPosition(TreeModel::NameColumn);
        need(TreeModel::NameColumn, indentation + delegate_->nameWidth(metrics, row));
        for (const int column : shown_)
            need(column, ValueDelegate::moreWidth(metrics, row.siblingAtColumn(column)));
    }
    if (widest_ != before) fit();
}

}  // namespace holos::gui
