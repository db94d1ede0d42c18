// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/events/event_form.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

#include "gui/models/events/event_model.h"
#include "gui/models/plain_text.h"
#include "gui/views/parts/assistive.h"

namespace holos::gui {

namespace {

constexpr int kWidestGroups = 180;  ///< pixels

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

}  // namespace

EventForm::EventForm(const EventQuestion& asked, QWidget* parent)
    : QWidget(parent),
      question_(asked),
      tableBox_(new QComboBox(this)),
      columns_(menuButton(u"Columns"_qs, u"Which columns are shown"_qs, this)),
      groups_(menuButton(u"Group by"_qs,
                         u"One row for all rows that have these columns in common, with their sums"_qs,
                         this)),
      measures_(new QComboBox(this)),
      filter_(new QLineEdit(this)) {
    build();
    connect(tableBox_, &QComboBox::activated, this, [this] { chooseTable(tableBox_->currentText()); });
    connect(measures_, &QComboBox::activated, this,
            [this] { Q_EMIT measureChosen(measures_->currentData().toString()); });
    connect(filter_, &QLineEdit::returnPressed, this, [this] { setFilter(filter_->text()); });
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty() && !question_.filter.isEmpty()) setFilter({});
    });
    connect(columns_->menu(), &QMenu::aboutToShow, this, &EventForm::fillColumns);
    connect(groups_->menu(), &QMenu::aboutToShow, this, &EventForm::fillGroups);
}

void EventForm::build() {
    setNameOfBox(*tableBox_, u"Table of events"_qs);
    tableBox_->setToolTip(u"What the rows are"_qs);
    setNameOfBox(*measures_, u"Column of the histogram"_qs);
    measures_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    measures_->setToolTip(u"Which column the histogram and the sums are of"_qs);
    filter_->setObjectName(u"Filter of events"_qs);
    filter_->setAccessibleName(u"Filter of events"_qs);
    filter_->setPlaceholderText(u"Filter: MPI_Send, duration > 1 ms, process = 3"_qs);
    filter_->setToolTip(
        u"Enter shows the rows for which all of this holds, with commas between: a text that stands somewhere "
        u"in the row, or a column with =, !=, <, <=, >, >= or ~ (has the text) and a value, such as 2 ms or 64k"_qs);
    filter_->setClearButtonEnabled(true);
    auto* across = new QHBoxLayout(this);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(6);
    across->addWidget(tableBox_);
    across->addWidget(columns_);
    across->addWidget(groups_);
    across->addWidget(filter_, 1);
    across->addWidget(measures_);
}

void EventForm::setTables(const std::vector<EventTable>& tables) {
    tables_ = tables;
    for (const EventTable& one : tables_) {
        tableBox_->addItem(one.name);
        tableBox_->setItemData(tableBox_->count() - 1, asToolTip(one.meaning), Qt::ToolTipRole);
    }
}

const EventTable& EventForm::table(const QString& name) const {
    const auto found = std::ranges::find(tables_, name, &EventTable::name);
    return found == tables_.end() ? tables_.front() : *found;
}

void EventForm::refresh(const EventModel* answer) {
    tableBox_->setCurrentText(question_.table);
    filter_->setText(question_.filter);
    fillMeasures(answer);
    const auto count = question_.groups.size();
    groups_->setText(count == 0
                         ? u"Group by"_qs
                         : fontMetrics().elidedText(u"Grouped by "_qs + question_.groups.join(u", "_qs),
                                                    Qt::ElideRight, kWidestGroups));
}

void EventForm::fillMeasures(const EventModel* answer) {
    measures_->clear();
    measures_->addItem(u"no histogram"_qs, QString());
    const auto offer = [this](const QString& name) { measures_->addItem(u"histogram of "_qs + name, name); };
    if (question_.sql.isEmpty()) {
        for (const EventColumn& column : table(question_.table).columns)
            if (column.unit != EventUnit::Text) offer(column.name);
    } else if (answer != nullptr) {
        for (int column = 0; column < answer->columnCount(); ++column)
            if (answer->unitOf(column) != EventUnit::Text) offer(answer->columns()[column]);
    }
    measures_->setCurrentIndex(std::max(0, measures_->findData(question_.measure)));
}

void EventForm::toggle(QStringList EventQuestion::*list, const QString& name) {
    EventQuestion question = question_;
    question.sql.clear();
    QStringList& names = question.*list;
    if (names.removeAll(name) == 0) names << name;
    // Columns keep the order of the table, groups that in which they were chosen.
    if (list == &EventQuestion::columns) {
        QStringList ordered;
        for (const EventColumn& column : table(question.table).columns)
            if (names.contains(column.name)) ordered << column.name;
        if (ordered.isEmpty()) ordered << name;
        names = ordered;
    }
    Q_EMIT asked(question);
}

void EventForm::fillColumns() {
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

void EventForm::fillGroups() {
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
        EventQuestion question = question_;
        question.sql.clear();
        question.groups.clear();
        Q_EMIT asked(question);
    });
}

/// What was typed stays, where it can be asked of this table, too.
void EventForm::chooseTable(const QString& name) {
    EventQuestion question = usualQuestion(table(name));
    if (typedCondition(question_.filter, table(name)).problem.isEmpty()) question.filter = question_.filter;
    Q_EMIT asked(question);
}

void EventForm::setFilter(const QString& text) {
    if (tables_.empty()) return;
    EventQuestion question = question_;
    question.sql.clear();
    question.filter = text;
    Q_EMIT asked(question);
}

}  // namespace holos::gui
