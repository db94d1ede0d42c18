// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/events/events_pane.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "algebra/model/call_names.h"
#include "gui/models/file_names.h"
#include "gui/models/quantity.h"
#include "gui/models/timeline/timeline.h"
#include "gui/views/events/event_form.h"
#include "gui/views/events/event_histogram.h"
#include "gui/views/events/event_pager.h"
#include "gui/views/parts/copying.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

namespace {

constexpr int kTableWidth = 760;
constexpr int kHistogramWidth = 230;
constexpr int kWidestColumn = 320;  ///< pixels, at first
constexpr int kMostLocations = 10'000'000;

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
      form_(new EventForm(question_, this)),
      sql_(new QLineEdit(this)),
      stop_(new QPushButton(u"Stop"_qs, this)),
      table_(new QTableView(this)),
      histogram_(new EventHistogram(this)),
      title_(new ElidedLabel(this)),
      pager_(new EventPager(this)) {
    setObjectName(u"Events"_qs);
    build();
    setFocusProxy(table_);
}

/// The table before its model.
EventsPane::~EventsPane() {
    table_->setModel(nullptr);
}

void EventsPane::build() {
    sql_->setObjectName(u"Statement"_qs);
    sql_->setAccessibleName(u"Statement in SQL"_qs);
    sql_->setToolTip(
        u"What is asked, in SQL: change it and press Enter. Tables and columns are those of holos query, which "
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
    controls->addWidget(form_, 1);
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
    bottom->addWidget(pager_);
    down->addLayout(bottom);
    connect(pager_, &EventPager::rowWanted, this, &EventsPane::goToRow);
    connect(form_, &EventForm::asked, this, &EventsPane::ask);
    connect(form_, &EventForm::measureChosen, this, [this](const QString& column) {
        question_.measure = column;
        if (question_.groups.isEmpty())
            measure();
        else
            askNow();
    });
    connect(sql_, &QLineEdit::returnPressed, this, &EventsPane::askTyped);
    connect(stop_, &QPushButton::clicked, this, &EventsPane::stop);
    connect(histogram_, &EventHistogram::wanted, this, &EventsPane::showBar);
    connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this, &EventsPane::sortBy);
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& row) {
        if (!openGroup(row)) rowChosen(row, true);
    });
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
    return wanted_ ? linkOf(*wanted_) : form_->tables().empty() ? QString() : linkOf(question_);
}

void EventsPane::setLink(const QString& link) {
    if (link.isEmpty() || link == this->link()) return;
    if (const auto question = eventQuestionFrom(link)) ask(*question);
}

void EventsPane::ask(const EventQuestion& question) {
    if (form_->tables().empty()) {
        wanted_ = question;
        return;
    }
    question_ = question;
    if (question_.columns.isEmpty()) question_.columns = usualQuestion(form_->table(question_.table)).columns;
    form_->refresh(model_);
    askNow();
}

void EventsPane::setPart(const Filter& part) {
    if (part == part_) return;
    part_ = part;
    if (!form_->tables().empty()) askNow();
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
    form_->setTables(tables);
    EventQuestion first = wanted_.value_or(usualQuestion(form_->table(u"calls"_qs)));
    wanted_.reset();
    ask(first);
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
    if (form_->tables().empty()) return;
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
    const EventTable& asked = form_->table(question_.table);
    const EventCondition part = partCondition(part_, cache_.experiment(), asked);
    const EventCondition typed = typedCondition(question_.filter, asked);
    const bool areBoth = !part.sql.isEmpty() && !typed.sql.isEmpty();
    return {part.sql + (areBoth ? u" AND "_qs : QString()) + typed.sql,
            typed.problem.isEmpty() ? part.problem : typed.problem};
}

void EventsPane::askNow() {
    const EventTable& asked = form_->table(question_.table);
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
    if (!question_.sql.isEmpty()) form_->refresh(model_);
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
    const EventColumn* column = form_->table(question_.table).find(measured_);
    const EventUnit unit =
        question_.sql.isEmpty() && column != nullptr ? column->unit : unitOfColumn(measured_);
    // Another column may have been chosen since the rows were asked for.
    const QString statement =
        (question_.sql.isEmpty() ? statementsOf(question_, form_->table(question_.table), conditions().sql)
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
    const QString indexed = indexColumnOf(question_, form_->table(question_.table));
    if (!isGrouped && !indexed.isEmpty() && indexed == measured_)
        return reader_->readSpreadAndIndex(statement, isLogarithmic(unit), emptyIndex(indexed), take);
    reader_->readSpread(
        statement, isLogarithmic(unit),
        [take](const EventSpread& spread, const QString& problem) { take(spread, nullptr, problem); });
}

EventIndex EventsPane::emptyIndex(const QString& column) const {
    const bool isSorted = form_->table(question_.table).find(question_.order) != nullptr;
    return {columnInSql(column), isSorted && question_.largestFirst, isSorted};
}

/// Makes an index by which rows are found further down than can be scrolled.
void EventsPane::makeIndex(const std::shared_ptr<const EventIndex>& known) {
    const EventTable asked = form_->table(question_.table);
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
    pager_->follow(model_);
    if (!problem_.isEmpty()) return title_->setText(problem_);
    if (form_->tables().empty()) return title_->setText(u"Reading …"_qs);
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
        const EventColumn* column = form_->table(question_.table).find(measured_);
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
    if (!part_.isEmpty() && question_.sql.isEmpty()) texts << u"only "_qs + filterText(part_);
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
