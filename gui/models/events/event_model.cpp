// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/events/event_model.h"

#include <algorithm>

#include "gui/models/csv.h"
#include "gui/models/plain_text.h"
#include "gui/models/quantity.h"
#include "gui/models/tree_model.h"

namespace holos::gui {

namespace {

std::optional<double> numberIn(const query::Cell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    return std::nullopt;
}

QString grouped(std::int64_t number) {
    QString digits = QString::number(number);
    for (auto at = digits.size() - 3; at > (number < 0 ? 1 : 0); at -= 3) digits.insert(at, kThinSpace);
    return digits;
}

QString textWithUnit(const query::Cell& cell, EventUnit unit, Digits digits) {
    if (const auto* text = std::get_if<std::string>(&cell)) return onOneLine(QString::fromStdString(*text));
    const auto number = numberIn(cell);
    if (!number) return {};
    if (unit == EventUnit::Duration) return durationText(*number, digits);
    if (unit == EventUnit::Moment) return momentText(*number);
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return grouped(*whole);
    return exactQuantity(*number, {}, digits.value_or(kUsualDigits) + 1);
}

}  // namespace

EventModel::EventModel(EventReader& reader, QObject* parent) : QAbstractTableModel(parent), reader_(reader) {}

int EventModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows_;
}

int EventModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : shownColumns_;
}

EventUnit EventModel::unitOf(int column) const {
    return units_[static_cast<std::size_t>(column)];
}

void EventModel::ask(const EventStatements& statements, int shownColumns) {
    reader_.forget();
    beginResetModel();
    statement_ = statements.led;
    ++question_;
    columns_.clear();
    units_.clear();
    windows_.clear();
    asked_.clear();
    isReading_ = false;
    rows_ = 0;
    first_ = 0;
    index_.reset();
    usesIndex_ = false;
    total_.reset();
    shownColumns_ = shownColumns;
    endResetModel();
    waiting_ = {0};
    readNext();
}

void EventModel::take(int window, const EventRows& answer) {
    if (!answer.problem.isEmpty() && answer.rows.empty()) {
        if (columns_.isEmpty()) return Q_EMIT answered(answer.problem);
        return Q_EMIT failed(answer.problem);
    }
    asked_.erase(window);
    if (windows_.size() >= kMostWindows)
        windows_.erase(
            std::ranges::min_element(windows_, {}, [](const auto& entry) { return entry.second.seen; }));
    const auto count = static_cast<int>(answer.rows.size());
    if (!columns_.isEmpty()) {
        windows_[window] = {answer.rows, ++looks_};
        const int first = (window - windowOf(0)) * kWindow;
        if (count > 0 && first >= 0 && first < rows_)
            Q_EMIT dataChanged(index(first, 0), index(std::min(rows_, first + count) - 1, shownColumns_ - 1));
        return;
    }
    beginResetModel();
    windows_[0] = {answer.rows, ++looks_};
    columns_ = answer.columns;
    for (qsizetype at = 0; at < columns_.size(); ++at) {
        const auto text = std::ranges::any_of(answer.rows, [at](const auto& row) {
            return std::holds_alternative<std::string>(row[static_cast<std::size_t>(at)]);
        });
        units_.push_back(text ? EventUnit::Text : unitOfColumn(columns_[at]));
    }
    if (shownColumns_ == 0 || shownColumns_ > columns_.size())
        shownColumns_ = static_cast<int>(columns_.size());
    rows_ = count;
    if (count < kWindow && answer.problem.isEmpty()) total_ = static_cast<std::uint64_t>(count);
    endResetModel();
    Q_EMIT answered(answer.problem);
}

void EventModel::setTotal(std::uint64_t rows) {
    total_ = rows;
    const auto shown =
        static_cast<int>(std::min(rows - std::min(rows, first_), static_cast<std::uint64_t>(mostRows_)));
    if (shown <= rows_) return;
    beginInsertRows({}, rows_, shown - 1);
    rows_ = shown;
    endInsertRows();
}

void EventModel::setIndex(std::shared_ptr<const EventIndex> index, PartStatement statement) {
    index_ = std::move(index);
    partStatement_ = std::move(statement);
}

void EventModel::setFirst(std::uint64_t row) {
    if (row == first_ || !index_ || row % static_cast<std::uint64_t>(mostRows_) != 0 || row >= index_->rows())
        return;
    beginResetModel();
    first_ = row;
    usesIndex_ = true;
    ++question_;  // what is being read is of other rows
    isReading_ = false;
    windows_.clear();
    asked_.clear();
    waiting_.clear();
    rows_ = static_cast<int>(std::min(index_->rows() - row, static_cast<std::uint64_t>(mostRows_)));
    endResetModel();
}

/// One after the other: what was in sight last comes first, and what is long out of sight never.
void EventModel::wantWindow(int window) const {
    if (asked_.contains(window)) return;
    std::erase(waiting_, window);
    waiting_.push_back(window);
    if (waiting_.size() > kMostWaiting) waiting_.erase(waiting_.begin());
    if (!isReading_) const_cast<EventModel*>(this)->readNext();
}

void EventModel::readNext() {
    if (waiting_.empty()) return;
    const int window = waiting_.back();
    const bool isFarDown = window >= kBlock;
    const int from = isFarDown ? window - window % kBlock : window;
    const int to = isFarDown ? from + kBlock : window + 1;
    std::erase_if(waiting_, [=](int one) { return one >= from && one < to; });
    for (int one = from; one < to; ++one) asked_.insert(one);
    isReading_ = true;
    const std::pair windows(from, to);
    const std::uint64_t first = static_cast<std::uint64_t>(from) * kWindow;
    const std::uint64_t count = static_cast<std::uint64_t>(to - from) * kWindow;
    if (usesIndex_) return readParts(windows, index_->partsOf(first, count), {});
    reader_.readRows(statement_, first, count,
                     [this, windows, question = question_](const EventRows& answer) {
                         if (question == question_) end(windows, answer);
                     });
}

/// One part after the other.
void EventModel::readParts(std::pair<int, int> windows, std::vector<EventIndex::Part> parts,
                           EventRows soFar) {
    if (parts.empty()) return end(windows, soFar);
    const EventIndex::Part part = parts.front();
    parts.erase(parts.begin());
    reader_.readRows(partStatement_(part), part.skipped, part.count,
                     [this, windows, question = question_, parts = std::move(parts),
                      all = std::move(soFar)](const EventRows& answer) mutable {
                         if (question != question_) return;
                         all.columns = answer.columns;
                         all.problem = answer.problem;
                         all.rows.insert(all.rows.end(), answer.rows.begin(), answer.rows.end());
                         if (!all.problem.isEmpty()) parts.clear();
                         readParts(windows, std::move(parts), std::move(all));
                     });
}

void EventModel::end(std::pair<int, int> windows, const EventRows& answer) {
    isReading_ = false;
    if (windows.second - windows.first == 1 || answer.rows.empty()) {
        take(windows.first, answer);
        return readNext();
    }
    for (std::size_t row = 0; row < answer.rows.size(); row += kWindow) {
        const auto begin = answer.rows.begin() + static_cast<std::ptrdiff_t>(row);
        const auto size = std::min<std::size_t>(kWindow, answer.rows.size() - row);
        take(windows.first + static_cast<int>(row / kWindow),
             {answer.columns, {begin, begin + static_cast<std::ptrdiff_t>(size)}, answer.problem});
    }
    readNext();
}

const std::vector<query::Cell>* EventModel::rowAt(int row) const {
    const auto window = windows_.find(windowOf(row));
    if (window == windows_.end()) return nullptr;
    const auto at = static_cast<std::size_t>(row % kWindow);
    return at < window->second.rows.size() ? &window->second.rows[at] : nullptr;
}

QString EventModel::cellText(int row, int column) const {
    const auto* cells = rowAt(row);
    return cells == nullptr
               ? QString()
               : textWithUnit((*cells)[static_cast<std::size_t>(column)], unitOf(column), digits_);
}

QVariant EventModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rows_) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((unitOf(index.column()) == EventUnit::Text ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (rowAt(index.row()) == nullptr) {
        wantWindow(windowOf(index.row()));
        return role == Qt::DisplayRole ? QVariant(u"…"_qs) : QVariant();
    }
    windows_.at(windowOf(index.row())).seen = ++looks_;
    const QString text = cellText(index.row(), index.column());
    return role == Qt::DisplayRole ? text : asToolTip(text);
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return columns_.value(section);
}

std::optional<EventPlace> EventModel::placeAt(int row) const {
    const auto* cells = rowAt(row);
    if (cells == nullptr) return std::nullopt;
    std::vector<query::Value> values;
    for (const query::Cell& cell : *cells)
        values.push_back(std::visit([](const auto& value) -> query::Value { return value; }, cell));
    return placeOf(columns_, values);
}

QString EventModel::asCsv() const {
    QStringList heading;
    for (int column = 0; column < shownColumns_; ++column) heading << csvText(columns_[column]);
    QString text = heading.join(u',') + u'\n';
    for (const auto& [first, window] : windows_)
        for (const auto& row : window.rows) {
            QStringList fields;
            for (int column = 0; column < shownColumns_; ++column) {
                const query::Cell& cell = row[static_cast<std::size_t>(column)];
                const auto* name = std::get_if<std::string>(&cell);
                const auto number = numberIn(cell);
                fields << (name != nullptr ? csvText(QString::fromStdString(*name))
                           : number        ? csvNumber(*number)
                                           : QString());
            }
            text += fields.join(u',') + u'\n';
        }
    return text;
}

void EventModel::setDigits(Digits digits) {
    if (digits == digits_) return;
    digits_ = digits;
    if (rows_ > 0) Q_EMIT dataChanged(index(0, 0), index(rows_ - 1, shownColumns_ - 1));
}

}  // namespace holos::gui
