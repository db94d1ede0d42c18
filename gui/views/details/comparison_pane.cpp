// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/comparison_pane.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include "algebra/model/call_names.h"
#include "gui/views/parts/copying.h"
#include "gui/views/parts/fitting.h"
#include "gui/views/parts/value_delegate.h"

namespace holos::gui {

namespace {
constexpr int kNameHeights = 20;  ///< width of the names of metrics, in heights of letters
}

ComparisonPane::ComparisonPane(const Colors& colors, QWidget* parent)
    : DetailView(parent),
      title_(new ElidedLabel(this)),
      table_(new QTableView(this)),
      delegate_(new ValueDelegate(colors, table_, ValueDelegate::Bars::InEachColumn)) {
    setObjectName(u"Experiments"_qs);
    title_->setContentsMargins(8, 5, 8, 5);
    table_->setAccessibleName(u"Metrics of all experiments"_qs);
    table_->setModel(&model_);
    table_->setItemDelegate(delegate_);
    table_->setItemDelegateForColumn(0, new QStyledItemDelegate(table_));
    makeTableOfRows(*table_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(title_);
    layout->addWidget(table_, 1);
    onRowSelected(*table_, this, [this](const QModelIndex& row) {
        if (following_) return;
        const auto& metric = own_->metrics[model_.metricAt(row.row())];
        Q_EMIT metricWanted(QString::fromStdString(metric.uniqueName));
    });
}

void ComparisonPane::setExperiments(std::vector<NamedExperiment> experiments) {
    own_ = experiments.empty() ? nullptr : experiments.front().experiment;
    following_ = true;
    model_.setExperiments(std::move(experiments));
    following_ = false;
    fitColumns();
    updateTitle();
}

void ComparisonPane::fitColumns() {
    QHeaderView* header = table_->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Interactive);
    table_->resizeColumnsToContents();
    const int least = delegate_->valueWidth(fontMetrics(), true);
    for (int column = 1; column < model_.columnCount(); ++column)
        table_->setColumnWidth(column, std::max(least, header->sectionSizeHint(column) + 12));
    if (model_.columnCount() > 0)
        table_->setColumnWidth(0, std::max(table_->columnWidth(0), kNameHeights * fontMetrics().height()));
}

void ComparisonPane::follow(const Focus& focus) {
    if (!own_) return;
    path_ = focus.path;
    model_.setCallPath(path_);
    if (delegate_->setDigits(focus.digits)) {
        model_.setDigits(focus.digits);
        fitColumns();
    }
    following_ = true;
    if (const int row = model_.rowOf(focus.metric.metric); row >= 0) {
        table_->selectRow(row);
        table_->scrollTo(model_.index(row, 0));
    }
    following_ = false;
    updateTitle();
}

void ComparisonPane::updateTitle() {
    if (!own_) return;
    QString text = u"Inclusive values of "_qs;
    text += path_ ? QString::fromStdString(algebra::callText(*own_, *path_)) : u"the whole program"_qs;
    if (model_.columnCount() < 3) text += u". Open further experiments to see them side by side."_qs;
    title_->setText(text);
}

}  // namespace holos::gui
