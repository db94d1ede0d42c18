// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/iterations/iterations_pane.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/csv.h"
#include "gui/views/iterations/iteration_chart.h"
#include "gui/views/parts/assistive.h"
#include "gui/views/parts/copying.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

namespace {
constexpr int kIterationsWidth = 560;
constexpr int kLengthsWidth = 420;
constexpr int kWidestOther = 230;  ///< pixels, of the other run

/// Odd iterations are bold.
class RowDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->font.setBold(index.data(IterationModel::OddRole).toBool());
    }
};

}  // namespace

IterationsPane::IterationsPane(QWidget* parent)
    : DetailView(parent),
      reader_(std::make_shared<IterationReader>()),
      sorted_(new QSortFilterProxyModel(this)),
      table_(new QTableView(this)),
      chart_(new IterationChart(model_, this)),
      others_(new QComboBox(this)),
      only_(new QPushButton(u"Only this iteration"_qs, this)),
      stop_(new QPushButton(u"Stop"_qs, this)),
      title_(new ElidedLabel(this)),
      text_(new ElidedLabel(this)) {
    setObjectName(u"Iterations"_qs);
    build();
    setFocusProxy(table_);
}

/// The table before its model.
IterationsPane::~IterationsPane() {
    table_->setModel(nullptr);
}

void IterationsPane::build() {
    setNameOfBox(*others_, u"Compare with"_qs);
    others_->setToolTip(
        u"Compare with another open experiment: iterations with the same number are compared"_qs);
    others_->setMaximumWidth(kWidestOther);
    only_->setToolTip(u"All views show the selected iterations alone"_qs);
    sorted_->setSourceModel(&model_);
    sorted_->setSortRole(TreeModel::ValueRole);
    table_->setObjectName(u"Table of iterations"_qs);
    table_->setAccessibleName(u"Iterations"_qs);
    table_->setModel(sorted_);
    table_->setItemDelegate(new RowDelegate(table_));
    makeTableOfRows(*table_);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setWordWrap(false);
    table_->setSortingEnabled(true);
    table_->horizontalHeader()->setSortIndicatorClearable(true);
    table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    table_->horizontalHeader()->setStretchLastSection(true);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(0, 4, 6, 2);
    top->setSpacing(6);
    top->addWidget(title_, 1);
    top->addWidget(others_);
    top->addWidget(only_);
    top->addWidget(stop_);
    title_->setContentsMargins(8, 0, 8, 0);
    text_->setContentsMargins(8, 2, 8, 3);
    auto* across = new QSplitter(this);
    across->addWidget(table_);
    across->addWidget(chart_);
    across->setSizes({kIterationsWidth, kLengthsWidth});
    across->setStretchFactor(0, 3);
    across->setStretchFactor(1, 2);
    across->setHandleWidth(5);
    auto* down = new QVBoxLayout(this);
    down->setContentsMargins(0, 0, 0, 0);
    down->setSpacing(0);
    down->addLayout(top);
    down->addWidget(across, 1);
    down->addWidget(text_);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &IterationsPane::followTable);
    connect(table_, &QTableView::activated, this, [this] { wantOnly(selected()); });
    connect(chart_, &IterationChart::chosen, this, &IterationsPane::select);
    connect(chart_, &IterationChart::wanted, this, &IterationsPane::wantOnly);
    connect(only_, &QPushButton::clicked, this, [this] { wantOnly(selected()); });
    connect(others_, &QComboBox::activated, this, [this] { setAgainst(others_->currentData().toString()); });
    connect(stop_, &QPushButton::clicked, this, [this] {
        if (isBusy()) {
            isStopped_ = true;
            reader_->stop();
            tell();
        } else {
            read();
        }
    });
    fillOthers();
    tell();
}

void IterationsPane::setRuns(std::shared_ptr<IterationReader> reader, std::vector<OpenRun> runs) {
    runs_ = std::move(runs);
    if (reader != reader_) {
        disconnect(reader_.get(), nullptr, this, nullptr);
        reader_ = std::move(reader);
        connect(reader_.get(), &IterationReader::progressed, this, [this](const QString& path, double part) {
            if (!isShown(path)) return;
            progress_ = part < 1 ? u"Reading the trace: %1 %"_qs.arg(qRound(100 * part))
                                 : u"Adding up calls and waits …"_qs;
            tell();
        });
        connect(reader_.get(), &IterationReader::read, this, [this](const QString& path) {
            if (isShown(path)) show();
        });
    }
    fillOthers();
    if (isFollowed_ && !isStopped_) read();
}

/// What is compared with may be closed, and opened again.
void IterationsPane::fillOthers() {
    others_->clear();
    others_->addItem(u"Alone"_qs, QString());
    for (std::size_t run = 1; run < runs_.size(); ++run)
        others_->addItem(u"Beside "_qs + runs_[run].name, runs_[run].name);
    others_->setCurrentIndex(std::max(0, others_->findData(against_)));
    others_->setEnabled(runs_.size() > 1);
}

void IterationsPane::setAgainst(const QString& name) {
    if (name == against_) return;
    against_ = name;
    others_->setCurrentIndex(std::max(0, others_->findData(against_)));
    if (isFollowed_) read();
}

const OpenRun* IterationsPane::other() const {
    if (against_.isEmpty() || runs_.empty()) return nullptr;
    const auto found = std::find_if(runs_.begin() + 1, runs_.end(),
                                    [this](const OpenRun& run) { return run.name == against_; });
    return found == runs_.end() ? nullptr : &*found;
}

bool IterationsPane::isShown(const QString& path) const {
    const OpenRun* run = other();
    return !runs_.empty() && (runs_.front().path == path || (run != nullptr && run->path == path));
}

void IterationsPane::setPart(const Filter& part) {
    range_ = part.range;
    if (range_) select(model_.rowsOf(*range_));
}

void IterationsPane::follow(const Focus&) {
    if (!isFollowed_) read();
}

void IterationsPane::read() {
    isFollowed_ = true;
    isStopped_ = false;
    progress_ = u"Reading …"_qs;
    if (runs_.empty()) return;
    reader_->want(runs_.front());
    if (const OpenRun* run = other()) reader_->want(*run);
    tell();
}

bool IterationsPane::isBusy() const {
    if (!isFollowed_ || isStopped_ || runs_.empty()) return false;
    const OpenRun* run = other();
    return reader_->isReading(runs_.front().path) || (run != nullptr && reader_->isReading(run->path));
}

/// As soon as all of it is known.
void IterationsPane::show() {
    if (!isFollowed_ || isBusy()) return tell();
    const auto ofRun = [this](const OpenRun* run) -> IterationReader::Known {
        const auto known = run == nullptr ? nullptr : reader_->find(run->path);
        return known && known->problem.isEmpty() ? known : nullptr;
    };
    const auto own = ofRun(runs_.empty() ? nullptr : &runs_.front());
    const auto beside = ofRun(other());
    if (model_.isOf(own, beside)) return tell();
    const IterationRows before = selected();
    selecting_ = true;
    model_.setRuns(own, beside, against_);
    for (int column = 0; column + 1 < model_.columnCount(); ++column) table_->resizeColumnToContents(column);
    selecting_ = false;
    const IterationRows wanted = range_ ? model_.rowsOf(*range_) : IterationRows();
    if (const IterationRows& rows = wanted.isEmpty() ? before : wanted; rows.last < model_.rowCount()) {
        selecting_ = true;
        select(rows);
        selecting_ = false;
    }
    if (selected().isEmpty()) table_->scrollToTop();
    tell();
}

/// From the first to the last of those that are selected in the table, which may be in another order.
IterationRows IterationsPane::selected() const {
    IterationRows rows;
    for (const QModelIndex& at : table_->selectionModel()->selectedRows()) {
        const int row = sorted_->mapToSource(at).row();
        rows = rows.isEmpty() ? IterationRows{row, row}
                              : IterationRows{std::min(rows.first, row), std::max(rows.last, row)};
    }
    return rows;
}

void IterationsPane::select(const IterationRows& rows) {
    if (rows.isEmpty()) return;
    QItemSelectionModel& selection = *table_->selectionModel();
    const QItemSelection all(model_.index(rows.first, 0), model_.index(rows.last, model_.columnCount() - 1));
    const QModelIndex at = sorted_->mapFromSource(model_.index(rows.first, 0));
    if (rows.first == rows.last) selection.setCurrentIndex(at, QItemSelectionModel::NoUpdate);
    selection.select(sorted_->mapSelectionFromSource(all), QItemSelectionModel::ClearAndSelect);
    table_->scrollTo(at);
}

/// Iterations that follow each other are a range of time: those between two that are selected belong to it.
void IterationsPane::followTable() {
    const IterationRows rows = selected();
    if (rows.isEmpty()) return;
    if (table_->selectionModel()->selectedRows().size() <= rows.last - rows.first) return select(rows);
    chart_->select(rows);
    if (!selecting_) Q_EMIT rangeChosen(model_.range(rows));
    tell();
}

void IterationsPane::wantOnly(const IterationRows& rows) {
    if (rows.isEmpty()) return;
    Filter part;
    part.range = model_.range(rows);
    Q_EMIT partWanted(part);
}

void IterationsPane::tell() {
    const auto known = runs_.empty() ? nullptr : reader_->find(runs_.front().path);
    const OpenRun* run = other();
    const auto knownOther = run == nullptr ? nullptr : reader_->find(run->path);
    QString text = model_.text();
    if (isBusy())
        text = progress_;
    else if (isStopped_ && !known)
        text = u"Stopped"_qs;
    else if (known && !known->problem.isEmpty())
        text = known->problem;
    else if (knownOther && !knownOther->problem.isEmpty())
        text += u" · %1: %2"_qs.arg(against_, knownOther->problem);
    if (!against_.isEmpty() && run == nullptr) text += u" · %1 is not open"_qs.arg(against_);
    title_->setText(text);
    const IterationRows rows = selected();
    text_->setText(model_.textOf(rows));
    only_->setText(rows.first == rows.last ? u"Only this iteration"_qs : u"Only these iterations"_qs);
    only_->setEnabled(!rows.isEmpty());
    stop_->setText(isStopped_ ? u"Read again"_qs : u"Stop"_qs);
    stop_->setToolTip(isStopped_ ? u"Read the trace again"_qs : u"Stop reading"_qs);
    stop_->setEnabled(isBusy() || isStopped_);
}

QString IterationsPane::message() const {
    return title_->text();
}

QString IterationsPane::selectedText() const {
    return text_->text();
}

QString IterationsPane::asCsv() const {
    return tableAsCsv(*sorted_);
}

}  // namespace holos::gui
