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
    only_->setToolTip(u"All views show the selected iteration alone"_qs);
    sorted_->setSourceModel(&model_);
    sorted_->setSortRole(TreeModel::ValueRole);
    table_->setObjectName(u"Table of iterations"_qs);
    table_->setAccessibleName(u"Iterations"_qs);
    table_->setModel(sorted_);
    table_->setItemDelegate(new RowDelegate(table_));
    makeTableOfRows(*table_);
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
    onRowSelected(*table_, this,
                  [this](const QModelIndex& row) { chooseRow(sorted_->mapToSource(row).row()); });
    connect(table_, &QTableView::activated, this,
            [this](const QModelIndex& row) { wantOnly(sorted_->mapToSource(row).row()); });
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
    if (const int row = range_ ? model_.rowOf(*range_) : -1; row >= 0) select(row);
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
    const int before = selected();
    selecting_ = true;
    model_.setRuns(own, beside, against_);
    for (int column = 0; column + 1 < model_.columnCount(); ++column) table_->resizeColumnToContents(column);
    selecting_ = false;
    const int wanted = range_ ? model_.rowOf(*range_) : -1;
    if (const int row = wanted >= 0 ? wanted : before; row >= 0 && row < model_.rowCount()) {
        selecting_ = true;
        select(row);
        selecting_ = false;
    }
    if (selected() < 0) table_->scrollToTop();
    tell();
}

int IterationsPane::selected() const {
    const QModelIndexList rows = table_->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : sorted_->mapToSource(rows.front()).row();
}

void IterationsPane::select(int row) {
    const QModelIndex at = sorted_->mapFromSource(model_.index(row, 0));
    table_->setCurrentIndex(at);
    table_->selectRow(at.row());
    table_->scrollTo(at);
}

void IterationsPane::chooseRow(int row) {
    chart_->select(row);
    if (!selecting_) Q_EMIT rangeChosen(model_.range(row));
    tell();
}

void IterationsPane::wantOnly(int row) {
    if (row < 0) return;
    Filter part;
    part.range = model_.range(row);
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
    const int row = selected();
    text_->setText(row < 0 ? QString() : model_.textOf(row));
    only_->setEnabled(row >= 0);
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
