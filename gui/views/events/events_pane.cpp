// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/events/events_pane.h"

#include <QAction>
#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "algebra/model/call_names.h"
#include "gui/models/file_names.h"
#include "gui/models/plain_text.h"
#include "gui/models/quantity.h"
#include "gui/models/timeline/timeline.h"
#include "gui/views/events/event_histogram.h"
#include "gui/views/parts/assistive.h"
#include "gui/views/parts/copying.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

namespace {

constexpr int kTableWidth = 760;
constexpr int kHistogramWidth = 230;
constexpr int kWidestGroups = 180;  ///< pixels
constexpr int kWidestColumn = 320;  ///< pixels, at first
constexpr int kMostLocations = 10'000'000;
constexpr int kRowDigits = 14;

QToolButton* menuButton(const QString& text, const QString& help, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(help);
    button->setAccessibleName(text);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::TabFocus);
    button->setMenu(new QMenu(button));
    return button;
}

void setTexts(QToolButton& button, const QString& text) {
    button.setAccessibleName(text);
    button.setToolTip(text);
    button.setAutoRaise(true);
    button.setFocusPolicy(Qt::TabFocus);
}

bool isLogarithmic(EventUnit unit) {
    return unit == EventUnit::Duration || unit == EventUnit::Bytes;
}

QString measureText(double value, EventUnit unit) {
    if (unit == EventUnit::Duration) return durationText(value);
    if (unit == EventUnit::Moment) return momentText(value);
    if (unit == EventUnit::Bytes) return quantity(value, u"bytes"_qs, kUsualDigits);
    return exactQuantity(value, {}, kUsualDigits);
}

}  // namespace

EventsPane::EventsPane(ValueCache& cache, QWidget* parent)
    : DetailView(parent),
      cache_(cache),
      tableBox_(new QComboBox(this)),
      columns_(menuButton(u"Columns"_qs, u"Which columns are shown"_qs, this)),
      groups_(menuButton(u"Group by"_qs,
                         u"One row for all rows that have these columns in common, with their sums"_qs,
                         this)),
      measures_(new QComboBox(this)),
      filter_(new QLineEdit(this)),
      sql_(new QLineEdit(this)),
      stop_(new QPushButton(u"Stop"_qs, this)),
      table_(new QTableView(this)),
      histogram_(new EventHistogram(this)),
      title_(new ElidedLabel(this)),
      rowBox_(new QLineEdit(this)),
      before_(new QToolButton(this)),
      behind_(new QToolButton(this)) {
    setObjectName(u"Events"_qs);
    build();
    setFocusProxy(table_);
}

/// The table before its model.
EventsPane::~EventsPane() {
    table_->setModel(nullptr);
}

void EventsPane::build() {
    setNameOfBox(*tableBox_, u"Table of events"_qs);
    tableBox_->setToolTip(u"What the rows are"_qs);
    setNameOfBox(*measures_, u"Column of the histogram"_qs);
    measures_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    measures_->setToolTip(u"Which column the histogram and the sums are of"_qs);
    filter_->setObjectName(u"Filter of events"_qs);
    filter_->setAccessibleName(u"Filter of events"_qs);
    filter_->setPlaceholderText(u"Filter: MPI_Send, duration > 1 ms, process = 3"_qs);
    filter_->setToolTip(
        u"Enter shows the rows for which all of this holds, with commas between: a text that stands "
        u"somewhere "
        u"in the row, or a column with =, !=, <, <=, >, >= or ~ (has the text) and a value, such as 2 ms or 64k"_qs);
    filter_->setClearButtonEnabled(true);
    sql_->setObjectName(u"Statement"_qs);
    sql_->setAccessibleName(u"Statement in SQL"_qs);
    sql_->setToolTip(
        u"What is asked, in SQL: change it and press Enter. Tables and columns are those of holos query, "
        u"which "
        u"the menus here describe"_qs);
    sql_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    stop_->setToolTip(u"Stop reading"_qs);
    stop_->setEnabled(false);
    table_->setObjectName(u"Table of events"_qs);
    table_->setAccessibleName(u"Events"_qs);
    table_->setWordWrap(false);
    table_->setTextElideMode(Qt::ElideLeft);  // the end of a call path says most
    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(8, 4, 6, 2);
    controls->setSpacing(6);
    controls->addWidget(tableBox_);
    controls->addWidget(columns_);
    controls->addWidget(groups_);
    controls->addWidget(filter_, 1);
    controls->addWidget(measures_);
    controls->addWidget(stop_);
    auto* statement = new QHBoxLayout;
    statement->setContentsMargins(8, 0, 6, 3);
    statement->addWidget(sql_);
    auto* across = new QSplitter(this);
    across->addWidget(table_);
    across->addWidget(histogram_);
    across->setSizes({kTableWidth, kHistogramWidth});
    across->setStretchFactor(0, 1);
    across->setHandleWidth(5);
    title_->setContentsMargins(8, 2, 8, 3);
    auto* down = new QVBoxLayout(this);
    down->setContentsMargins(0, 0, 0, 0);
    down->setSpacing(0);
    down->addLayout(controls);
    down->addLayout(statement);
    down->addWidget(across, 1);
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(0, 0, 6, 2);
    bottom->setSpacing(4);
    bottom->addWidget(title_, 1);
    bottom->addWidget(rowBox_);
    bottom->addWidget(before_);
    bottom->addWidget(behind_);
    down->addLayout(bottom);
    rowBox_->setObjectName(u"Row"_qs);
    rowBox_->setAccessibleName(u"Number of the row to go to"_qs);
    rowBox_->setPlaceholderText(u"Go to row"_qs);
    rowBox_->setToolTip(u"Enter goes to the row of this number"_qs);
    rowBox_->setMaximumWidth(fontMetrics().horizontalAdvance(u"0"_qs) * kRowDigits);
    before_->setArrowType(Qt::LeftArrow);
    behind_->setArrowType(Qt::RightArrow);
    setTexts(*before_, u"Rows before these"_qs);
    setTexts(*behind_, u"Rows behind these"_qs);
    connect(rowBox_, &QLineEdit::returnPressed, this, [this] {
        const QString digits = QString(rowBox_->text()).remove(QRegularExpression(u"[\\s,.']"_qs));
        bool isNumber = false;
        const std::uint64_t row = digits.toULongLong(&isNumber);
        if (isNumber && row > 0) goToRow(row - 1);
    });
    connect(before_, &QToolButton::clicked, this,
            [this] { goToRow(model_->first() - static_cast<std::uint64_t>(model_->mostRows())); });
    connect(behind_, &QToolButton::clicked, this,
            [this] { goToRow(model_->first() + static_cast<std::uint64_t>(model_->mostRows())); });
    updatePager();
    connect(tableBox_, &QComboBox::activated, this, [this] { chooseTable(tableBox_->currentText()); });
    connect(measures_, &QComboBox::activated, this, [this] {
        question_.measure = measures_->currentData().toString();
        if (question_.groups.isEmpty())
            measure();
        else
            askNow();
    });
    connect(filter_, &QLineEdit::returnPressed, this, [this] {
        question_.sql.clear();
        question_.filter = filter_->text();
        askNow();
    });
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty() && !question_.filter.isEmpty()) Q_EMIT filter_->returnPressed();
    });
    connect(sql_, &QLineEdit::returnPressed, this, &EventsPane::askTyped);
    connect(stop_, &QPushButton::clicked, this, &EventsPane::stop);
    connect(histogram_, &EventHistogram::wanted, this, &EventsPane::showBar);
    connect(columns_->menu(), &QMenu::aboutToShow, this, &EventsPane::fillColumns);
    connect(groups_->menu(), &QMenu::aboutToShow, this, &EventsPane::fillGroups);
    connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this, &EventsPane::sortBy);
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& row) {
        if (!openGroup(row)) rowChosen(row, true);
    });
}

const EventTable& EventsPane::table(const QString& name) const {
    const auto found = std::ranges::find(tables_, name, &EventTable::name);
    return found == tables_.end() ? tables_.front() : *found;
}

bool EventsPane::isBusy() const {
    return reader_ && reader_->isBusy();
}

QString EventsPane::asCsv() const {
    return model_ == nullptr ? QString() : model_->asCsv();
}

QString EventsPane::message() const {
    return title_->text();
}

QString EventsPane::link() const {
    return wanted_ ? linkOf(*wanted_) : tables_.empty() ? QString() : linkOf(question_);
}

void EventsPane::setLink(const QString& link) {
    if (link.isEmpty() || link == this->link()) return;
    if (const auto question = eventQuestionFrom(link)) ask(*question);
}

void EventsPane::ask(const EventQuestion& question) {
    if (tables_.empty()) {
        wanted_ = question;
        return;
    }
    question_ = question;
    if (question_.columns.isEmpty()) question_.columns = usualQuestion(table(question_.table)).columns;
    fillControls();
    askNow();
}

void EventsPane::setPart(const Filter& part) {
    if (part == part_) return;
    part_ = part;
    if (!tables_.empty()) askNow();
}

void EventsPane::follow(const Focus& focus) {
    if (!reader_) open();
    model_->setDigits(focus.digits);
}

void EventsPane::open() {
    const QString whyNot = whyNoTrace(file_);
    reader_ = std::make_unique<EventReader>(filesOfRun(cache_.experiment(), file_));
    model_ = new EventModel(*reader_, this);
    connect(reader_.get(), &EventReader::busyChanged, this, &EventsPane::updateBusy);
    connect(model_, &EventModel::answered, this, &EventsPane::answered);
    connect(model_, &EventModel::failed, this, [this](const QString& problem) {
        problem_ = problem;
        tell();
    });
    table_->setModel(model_);
    makeTableOfRows(*table_);
    table_->horizontalHeader()->setSectionsClickable(true);
    table_->horizontalHeader()->setSortIndicatorShown(true);
    onRowSelected(*table_, this, [this](const QModelIndex& row) { rowChosen(row, false); });
    problem_ = whyNot;
    tell();
    if (!whyNot.isEmpty()) return;
    reader_->readTables([this](const std::vector<EventTable>& tables, const QString& problem) {
        tablesRead(tables, problem);
    });
}

/// Nothing is asked before it is known which thread a location is.
void EventsPane::tablesRead(const std::vector<EventTable>& tables, const QString& problem) {
    if (!problem.isEmpty()) {
        problem_ = problem;
        return tell();
    }
    reader_->readRows(u"SELECT process, thread FROM locations"_qs, 0, kMostLocations,
                      [this, tables](const EventRows& answer) {
                          for (const auto& row : answer.rows)
                              locations_.emplace_back(std::get<std::int64_t>(row[0]),
                                                      std::get<std::int64_t>(row[1]));
                          begin(tables);
                      });
}

void EventsPane::begin(const std::vector<EventTable>& tables) {
    tables_ = tables;
    for (const EventTable& one : tables_) {
        tableBox_->addItem(one.name);
        tableBox_->setItemData(tableBox_->count() - 1, asToolTip(one.meaning), Qt::ToolTipRole);
    }
    EventQuestion first = wanted_.value_or(usualQuestion(table(u"calls"_qs)));
    wanted_.reset();
    ask(first);
}

void EventsPane::fillControls() {
    tableBox_->setCurrentText(question_.table);
    filter_->setText(question_.filter);
    measures_->clear();
    measures_->addItem(u"no histogram"_qs, QString());
    const auto offer = [this](const QString& name) { measures_->addItem(u"histogram of "_qs + name, name); };
    if (question_.sql.isEmpty()) {
        for (const EventColumn& column : table(question_.table).columns)
            if (column.unit != EventUnit::Text) offer(column.name);
    } else if (model_ != nullptr) {
        for (int column = 0; column < model_->columnCount(); ++column)
            if (model_->unitOf(column) != EventUnit::Text) offer(model_->columns()[column]);
    }
    measures_->setCurrentIndex(std::max(0, measures_->findData(question_.measure)));
    const auto count = question_.groups.size();
    groups_->setText(count == 0
                         ? u"Group by"_qs
                         : fontMetrics().elidedText(u"Grouped by "_qs + question_.groups.join(u", "_qs),
                                                    Qt::ElideRight, kWidestGroups));
}

void EventsPane::toggle(QStringList EventQuestion::*list, const QString& name) {
    question_.sql.clear();
    QStringList& names = question_.*list;
    if (names.removeAll(name) == 0) names << name;
    // Columns keep the order of the table, groups that in which they were chosen.
    if (list == &EventQuestion::columns) {
        QStringList ordered;
        for (const EventColumn& column : table(question_.table).columns)
            if (names.contains(column.name)) ordered << column.name;
        if (ordered.isEmpty()) ordered << name;
        names = ordered;
    }
    fillControls();
    askNow();
}

void EventsPane::fillColumns() {
    QMenu* menu = columns_->menu();
    menu->clear();
    menu->setToolTipsVisible(true);
    if (tables_.empty()) return;
    for (const EventColumn& column : table(question_.table).columns) {
        QAction* action = menu->addAction(column.name + u" – "_qs + menuText(column.meaning));
        action->setCheckable(true);
        action->setChecked(question_.columns.contains(column.name));
        connect(action, &QAction::triggered, this,
                [this, name = column.name] { toggle(&EventQuestion::columns, name); });
    }
}

void EventsPane::fillGroups() {
    QMenu* menu = groups_->menu();
    menu->clear();
    if (tables_.empty()) return;
    for (const EventColumn& column : table(question_.table).columns) {
        if (column.unit == EventUnit::Duration || column.unit == EventUnit::Moment) continue;
        QAction* action = menu->addAction(column.name);
        action->setCheckable(true);
        action->setChecked(question_.groups.contains(column.name));
        connect(action, &QAction::triggered, this,
                [this, name = column.name] { toggle(&EventQuestion::groups, name); });
    }
    menu->addSeparator();
    QAction* none = menu->addAction(u"Single rows"_qs);
    none->setEnabled(!question_.groups.isEmpty());
    connect(none, &QAction::triggered, this, [this] {
        question_.sql.clear();
        question_.groups.clear();
        fillControls();
        askNow();
    });
}

void EventsPane::chooseTable(const QString& name) {
    EventQuestion question = usualQuestion(table(name));
    if (typedCondition(question_.filter, table(name)).problem.isEmpty()) question.filter = question_.filter;
    ask(question);
}

/// By a column, the largest first; once more: the least.
void EventsPane::sortBy(int column) {
    if (!question_.sql.isEmpty()) {
        problem_ = u"a statement that was typed has its own order; write ORDER BY"_qs;
        return tell();
    }
    const QString name = model_->columns().value(column);
    question_.largestFirst = question_.order != name || !question_.largestFirst;
    question_.order = name;
    askNow();
}

void EventsPane::askTyped() {
    if (tables_.empty()) return;
    const QString typed = sql_->text().trimmed();
    if (typed.isEmpty() || typed == statements_.rows) {
        question_.sql.clear();
        return askNow();
    }
    question_.sql = typed;
    question_.groups.clear();
    askNow();
}

/// What is typed, for the part of the run that all views show.
EventCondition EventsPane::conditions() const {
    const EventTable& asked = table(question_.table);
    const EventCondition part = partCondition(part_, cache_.experiment(), asked);
    const EventCondition typed = typedCondition(question_.filter, asked);
    const bool areBoth = !part.sql.isEmpty() && !typed.sql.isEmpty();
    return {part.sql + (areBoth ? u" AND "_qs : QString()) + typed.sql,
            typed.problem.isEmpty() ? part.problem : typed.problem};
}

void EventsPane::askNow() {
    const EventTable& asked = table(question_.table);
    spread_.reset();
    histogram_->clear();
    problem_.clear();
    isStopped_ = false;
    if (question_.sql.isEmpty()) {
        const EventCondition all = conditions();
        if (!all.problem.isEmpty()) {
            problem_ = all.problem;
            return tell();
        }
        statements_ = statementsOf(question_, asked, all.sql);
        sql_->setText(statements_.rows);
    } else {
        statements_ = statementsOf(question_.sql, question_.measure);
        sql_->setText(question_.sql);
    }
    sql_->setCursorPosition(0);
    const bool isWhole = !question_.groups.isEmpty() || !question_.sql.isEmpty();
    model_->ask(statements_, isWhole ? 0 : static_cast<int>(question_.columns.size()));
    tell();
}

void EventsPane::answered(const QString& problem) {
    problem_ = problem;
    if (!question_.sql.isEmpty()) fillControls();
    for (int column = 0; column < model_->columnCount(); ++column) {
        table_->resizeColumnToContents(column);
        table_->setColumnWidth(column, std::min(table_->columnWidth(column) + 8, kWidestColumn));
    }
    const int last = model_->columnCount() - 1;
    table_->horizontalHeader()->setStretchLastSection(last >= 0 && model_->unitOf(last) == EventUnit::Text);
    const auto sorted = model_->columns().indexOf(question_.order);
    table_->horizontalHeader()->setSortIndicator(
        question_.sql.isEmpty() ? static_cast<int>(sorted) : -1,
        question_.largestFirst ? Qt::DescendingOrder : Qt::AscendingOrder);
    tell();
    if (problem.isEmpty()) measure();
}

/// All rows are looked at once: how many they are, their sum, and the histogram. The number of groups is
/// another one.
void EventsPane::measure() {
    histogram_->clear();
    spread_.reset();
    tell();
    const bool isGrouped = !question_.groups.isEmpty();
    if (isGrouped && !model_->total())
        reader_->countRows(statements_.led, [this](std::uint64_t rows, const QString& problem) {
            if (problem.isEmpty()) model_->setTotal(rows);
            makeIndex();
            tell();
        });
    // A statement that was typed may answer with other columns.
    const bool isThere = question_.sql.isEmpty() || model_->columns().contains(question_.measure);
    measured_ = isThere ? question_.measure : QString();
    const EventColumn* column = table(question_.table).find(measured_);
    const EventUnit unit =
        question_.sql.isEmpty() && column != nullptr ? column->unit : unitOfColumn(measured_);
    // Another column may have been chosen since the rows were asked for.
    const QString statement =
        (question_.sql.isEmpty() ? statementsOf(question_, table(question_.table), conditions().sql)
                                 : statementsOf(question_.sql, measured_))
            .spread;
    const auto take = [this, unit, isGrouped](const EventSpread& spread,
                                              const std::shared_ptr<const EventIndex>& index,
                                              const QString& problem) {
        if (!problem.isEmpty()) {
            problem_ = problem;
            return tell();
        }
        spread_ = spread;
        if (!isGrouped) model_->setTotal(spread.rows());
        makeIndex(index);
        if (!measured_.isEmpty()) histogram_->setSpread(spread, measured_, unit);
        tell();
    };
    // Rows in the order of the column that is measured need no look of their own.
    const QString indexed = indexColumnOf(question_, table(question_.table));
    if (!isGrouped && !indexed.isEmpty() && indexed == measured_)
        return reader_->readSpreadAndIndex(statement, isLogarithmic(unit), emptyIndex(indexed), take);
    reader_->readSpread(
        statement, isLogarithmic(unit),
        [take](const EventSpread& spread, const QString& problem) { take(spread, nullptr, problem); });
}

EventIndex EventsPane::emptyIndex(const QString& column) const {
    const bool isSorted = table(question_.table).find(question_.order) != nullptr;
    return {columnInSql(column), isSorted && question_.largestFirst, isSorted};
}

/// Makes an index by which rows are found further down than can be scrolled.
void EventsPane::makeIndex(const std::shared_ptr<const EventIndex>& known) {
    const EventTable asked = table(question_.table);
    const QString column = indexColumnOf(question_, asked);
    if (model_->hasIndex() || model_->total().value_or(0) <= static_cast<std::uint64_t>(model_->mostRows()))
        return;
    if (column.isEmpty())
        return model_->setIndex(std::make_shared<const EventIndex>(EventIndex::ofRows(*model_->total())),
                                [statement = statements_.led](const EventIndex::Part&) { return statement; });
    EventQuestion keys = question_;
    keys.measure = column;
    const auto statement = [question = question_, asked,
                            given = conditions().sql](const EventIndex::Part& part) {
        EventQuestion one = question;
        if (!part.isSorted) one.order.clear();
        return statementsOf(one, asked,
                            given.isEmpty() ? part.condition : given + u" AND "_qs + part.condition)
            .led;
    };
    if (known && !known->isTooLarge()) return model_->setIndex(known, statement);
    reader_->readIndex(
        statementsOf(keys, asked, conditions().sql).spread, emptyIndex(column),
        [this, statement](const std::shared_ptr<const EventIndex>& index, const QString& problem) {
            if (problem.isEmpty())
                model_->setIndex(index, statement);
            else
                problem_ = u"rows further down cannot be found: "_qs + problem;
            tell();
        });
}

void EventsPane::goToRow(std::uint64_t row) {
    if (model_ == nullptr || !model_->hasIndex()) return;
    const auto page = static_cast<std::uint64_t>(model_->mostRows());
    row = std::min(row, *model_->total() - 1);
    model_->setFirst(row / page * page);
    const QModelIndex at = model_->index(static_cast<int>(row % page), 0);
    table_->setCurrentIndex(at);
    table_->scrollTo(at, QAbstractItemView::PositionAtTop);
    tell();
}

void EventsPane::updatePager() {
    const bool isThere = model_ != nullptr && model_->hasIndex();
    for (QWidget* widget :
         {static_cast<QWidget*>(rowBox_), static_cast<QWidget*>(before_), static_cast<QWidget*>(behind_)})
        widget->setVisible(isThere);
    if (!isThere) return;
    before_->setEnabled(model_->first() > 0);
    behind_->setEnabled(model_->first() + static_cast<std::uint64_t>(model_->rowCount()) < *model_->total());
}

/// Which of the rows can be scrolled to, and how one comes to the others; empty: all.
QString EventsPane::listedText() const {
    const auto most = static_cast<std::uint64_t>(model_->mostRows());
    if (model_->total().value_or(0) <= most) return {};
    const auto numberOf = [](std::uint64_t rows) { return counted(rows, QString(), QString()).trimmed(); };
    if (model_->hasIndex())
        return u", here rows %1 to %2"_qs.arg(
            numberOf(model_->first() + 1),
            numberOf(model_->first() + static_cast<std::uint64_t>(model_->rowCount())));
    return u", of which the first %1 are listed until the others are indexed"_qs.arg(numberOf(most));
}

void EventsPane::tell() {
    updatePager();
    if (!problem_.isEmpty()) return title_->setText(problem_);
    if (tables_.empty()) return title_->setText(u"Reading …"_qs);
    if (isStopped_)
        return title_->setText(u"Stopped: rows may be missing. Enter in the statement asks again."_qs);
    QStringList texts;
    const auto total = model_->total();
    if (total) {
        texts << counted(*total, u"row"_qs, u"rows"_qs);
        texts.back() += listedText();
    } else {
        texts << (model_->rowCount() == 0 ? u"Reading …"_qs : u"Counting …"_qs);
    }
    if (spread_ && spread_->values() > 0 && !measured_.isEmpty()) {
        const EventColumn* column = table(question_.table).find(measured_);
        const EventUnit unit = column == nullptr ? unitOfColumn(measured_) : column->unit;
        QString text = measured_ + u": "_qs;
        if (unit != EventUnit::Moment)
            text += measureText(spread_->sum(), unit) + u" in all, mean "_qs;
        else
            text += u"mean "_qs;
        text += measureText(spread_->mean(), unit) + u", from "_qs + measureText(spread_->least(), unit) +
                u" to "_qs + measureText(spread_->most(), unit);
        texts << text;
    }
    if (!part_.isEmpty() && question_.sql.isEmpty()) texts << u"only "_qs + textOf(part_);
    if (!question_.sql.isEmpty() && !part_.isEmpty())
        texts << u"of the whole run, as the statement was typed"_qs;
    if (reader_ && !reader_->damage().isEmpty())
        texts << u"the trace is damaged: "_qs + reader_->damage().first();
    title_->setText(texts.join(u" · "_qs));
}

void EventsPane::updateBusy() {
    stop_->setEnabled(reader_->isBusy());
}

void EventsPane::stop() {
    reader_->forget();
    isStopped_ = true;
    tell();
    updateBusy();
}

std::optional<algebra::LocationId> EventsPane::inExperiment(std::size_t location) const {
    if (location >= locations_.size()) return std::nullopt;
    const auto& [process, thread] = locations_[location];
    const algebra::SystemTree& system = cache_.experiment().system;
    for (std::size_t at = 0; at < system.locations.size(); ++at)
        if (system.locations[at].rank == thread && system[system.locations[at].process].rank == process)
            return algebra::LocationId(at);
    return std::nullopt;
}

void EventsPane::rowChosen(const QModelIndex& row, bool isWanted) {
    const auto place = model_->placeAt(row.row());
    if (!place) return;
    if (!place->callPath.isEmpty())
        if (const auto path = algebra::callPathNamed(cache_.experiment(), place->callPath.toStdString()))
            Q_EMIT callPathWanted(*path);
    if (!place->location) return;
    if (const auto location = inExperiment(*place->location)) Q_EMIT locationWanted(*location);
    if (place->time) Q_EMIT momentChosen(*place->location, *place->time, isWanted);
}

/// The rows of a group alone.
bool EventsPane::openGroup(const QModelIndex& row) {
    if (question_.groups.isEmpty()) return false;
    const auto* cells = model_->rowAt(row.row());
    if (cells == nullptr) return true;
    EventQuestion single = question_;
    single.groups.clear();
    single.order = question_.measure;
    single.largestFirst = true;
    QStringList terms = termsOf(single.filter);
    for (qsizetype at = 0; at < question_.groups.size(); ++at) {
        const query::Cell& cell = (*cells)[static_cast<std::size_t>(at)];
        QString value;
        if (const auto* text = std::get_if<std::string>(&cell))
            value = QString::fromStdString(*text);
        else if (const auto* whole = std::get_if<std::int64_t>(&cell))
            value = QString::number(*whole);
        else if (const auto* number = std::get_if<double>(&cell))
            value = QString::number(*number, 'g', 17);
        else
            continue;
        terms << question_.groups[at] + u" = "_qs + (value.contains(u',') ? u'"' + value + u'"' : value);
    }
    single.filter = terms.join(u", "_qs);
    ask(single);
    return true;
}

void EventsPane::showBar(double from, double to) {
    if (!question_.sql.isEmpty()) return;
    EventQuestion question = question_;
    QStringList terms;
    // A bar within one that was chosen before takes its place.
    for (const QString& term : termsOf(question.filter))
        if (!term.startsWith(measured_ + u" <"_qs) && !term.startsWith(measured_ + u" >"_qs)) terms << term;
    const auto number = [](double value) { return QString::number(value, 'g', 17); };
    terms << u"%1 >= %2"_qs.arg(measured_, number(from)) << u"%1 < %2"_qs.arg(measured_, number(to));
    question.filter = terms.join(u", "_qs);
    ask(question);
}

}  // namespace holos::gui
