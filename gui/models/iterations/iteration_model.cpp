// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/iterations/iteration_model.h"

#include <algorithm>
#include <cmath>

#include "gui/models/plain_text.h"

namespace holos::gui {

namespace {

QString inWords(const std::vector<query::IterationReason>& reasons) {
    return onOneLine(QString::fromStdString(query::reasonText(reasons)));
}

QString because(const std::vector<query::IterationReason>& reasons) {
    return reasons.empty() ? QString() : u", because of "_qs + inWords(reasons);
}

QString longerOrShorter(double seconds) {
    return u"%1 %2"_qs.arg(durationText(std::abs(seconds)), seconds < 0 ? u"shorter"_qs : u"longer"_qs);
}

QString iterations(std::size_t count) {
    return counted(count, u"iteration"_qs, u"iterations"_qs);
}

}  // namespace

void IterationModel::setRuns(IterationReader::Known own, IterationReader::Known other,
                             const QString& nameOfOther) {
    beginResetModel();
    own_ = std::move(own);
    other_ = own_ ? std::move(other) : nullptr;
    nameOfOther_ = nameOfOther;
    all_ = {};
    if (own_)
        all_ = other_ ? query::compareIterations(other_->times, own_->times)
                      : query::compareIterations(own_->times);
    odd_.assign(own_ ? own_->times.seconds.size() : 0, nullptr);
    for (const query::OddIteration& odd : all_.odd) odd_[odd.number - 1] = &odd;
    double most = 0.0;
    for (const query::IterationTimes* times :
         {own_ ? &own_->times : nullptr, other_ ? &other_->times : nullptr})
        if (times != nullptr && !times->seconds.empty())
            most = std::max(most, *std::ranges::max_element(times->seconds));
    format_ = QuantityFormat::absolute(u"sec"_qs, most, false);
    columns_ = {Column::Number, Column::Begin, Column::Time, Column::Waits};
    if (other_) columns_.push_back(Column::Other);
    columns_.insert(columns_.end(), {Column::Difference, Column::Reasons});
    endResetModel();
}

int IterationModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(odd_.size());
}

int IterationModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

const query::OddIteration* IterationModel::oddOf(int row) const {
    return odd_[static_cast<std::size_t>(row)];
}

double IterationModel::waits(int row) const {
    const auto& waits = own_->times.waits;
    const auto at = static_cast<std::size_t>(row);
    return at < waits.size() ? waits[at] : 0.0;
}

std::optional<double> IterationModel::other(int row) const {
    const auto at = static_cast<std::size_t>(row);
    return other_ && at < other_->times.seconds.size() ? std::optional(other_->times.seconds[at])
                                                       : std::nullopt;
}

double IterationModel::difference(int row) const {
    return time(row) - (other_ ? other(row).value_or(std::nan("")) : all_.medianAfter);
}

PartOfTime IterationModel::range(const IterationRows& rows) const {
    const auto& begins = own_->times.begins;
    const auto first = static_cast<std::size_t>(rows.first), after = static_cast<std::size_t>(rows.last) + 1;
    return {begins[first], after < begins.size() ? begins[after] : own_->times.end,
            IterationNumbers{first + 1, after}};
}

IterationRows IterationModel::rowsOf(const PartOfTime& wanted) const {
    constexpr double kTick = 1e-9;  // of usual clocks
    IterationRows rows;
    for (int row = 0; row < rowCount(); ++row) {
        const PartOfTime one = range({row, row});
        if (std::abs(one.from - wanted.from) < kTick) rows.first = row;
        if (std::abs(one.to - wanted.to) < kTick) rows.last = row;
    }
    return rows.first >= 0 && rows.first <= rows.last ? rows : IterationRows();
}

std::optional<double> IterationModel::valueOf(int row, Column column) const {
    switch (column) {
        case Column::Number:
            return row + 1;
        case Column::Begin:
            return own_->times.begins[static_cast<std::size_t>(row)];
        case Column::Time:
            return time(row);
        case Column::Waits:
            return waits(row);
        case Column::Other:
            return other(row);
        case Column::Difference:
            return std::isnan(difference(row)) ? std::nullopt : std::optional(difference(row));
        case Column::Reasons:
            break;
    }
    return std::nullopt;
}

QString IterationModel::cell(int row, Column column) const {
    if (column == Column::Reasons) return isOdd(row) ? inWords(oddOf(row)->reasons) : QString();
    const auto value = valueOf(row, column);
    if (!value) return QString(kUndefined);
    if (column == Column::Number) return QString::number(row + 1);
    if (column == Column::Begin) return momentText(*value);
    return (column == Column::Difference && *value > 0 ? u"+"_qs : QString()) + format_.text(*value);
}

QVariant IterationModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Column column = columns_[static_cast<std::size_t>(index.column())];
    const bool isText = column == Column::Reasons;
    switch (role) {
        case Qt::DisplayRole:
            return cell(index.row(), column);
        case Qt::ToolTipRole:
            return isText && isOdd(index.row()) ? asToolTip(textOf(index.row())) : QString();
        case Qt::TextAlignmentRole:
            return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        case OddRole:
            return isOdd(index.row());
        case TreeModel::ValueRole:
            if (const auto value = valueOf(index.row(), column)) return *value;
            return {};
        default:
            return {};
    }
}

QVariant IterationModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const auto texts = [&]() -> std::pair<QString, QString> {
        switch (columns_[static_cast<std::size_t>(section)]) {
            case Column::Number:
                return {u"Iteration"_qs, u"Its number, from 1"_qs};
            case Column::Begin:
                return {u"Begins"_qs, u"When it begins in the first process, from the start of the trace"_qs};
            case Column::Time:
                return {u"Time"_qs, u"How long it is, as the mean of all processes"_qs};
            case Column::Waits:
                return {u"Waits"_qs, u"How much of it the processes' first threads wait, on average"_qs};
            case Column::Other:
                return {nameOfOther_, u"How long the iteration of this number is there"_qs};
            case Column::Difference:
                return {u"Difference"_qs,
                        other_ ? u"How much longer (+) or shorter (−) it is here than there"_qs
                               : u"How much longer (+) or shorter (−) it is than the median of all"_qs};
            case Column::Reasons:
                break;
        }
        return {
            u"Because of"_qs,
            u"For iterations that differ from the others by more than 5 % and by more than chance: the call "
            u"paths (without waiting) and waits that take more or less time than in most iterations"_qs};
    }();
    if (role == Qt::ToolTipRole) return asToolTip(texts.second);
    return role == Qt::DisplayRole ? QVariant(texts.first) : QVariant();
}

QString IterationModel::text() const {
    if (!own_) return {};
    QString text = iterations(odd_.size());
    if (other_ && all_.before.size() != all_.after.size())
        text += u" here and %1 in %2"_qs.arg(all_.before.size()).arg(nameOfOther_);
    text += u" of %1"_qs.arg(onOneLine(QString::fromStdString(own_->times.loop)));
    if (other_ && all_.before.size() != all_.after.size())
        text += u" (those with equal numbers are compared)"_qs;
    text += u" · median %1"_qs.arg(durationText(all_.medianAfter));
    if (other_)
        text += u", in %1 %2%3"_qs.arg(nameOfOther_, durationText(all_.medianBefore), because(all_.typical));
    text += all_.odd.empty() ? u" · none differs from the others by more than chance"_qs
                             : u" · %1 from the others by more than chance"_qs.arg(
                                   counted(all_.odd.size(), u"differs"_qs, u"differ"_qs));
    if (other_)
        if (const auto isOther =
                query::otherLoopText({nameOfOther_.toStdString(), other_->times}, {"this run", own_->times}))
            text += u" · "_qs + QString::fromStdString(*isOther);
    if (!own_->damage.isEmpty()) text += u" · the trace is damaged: "_qs + own_->damage.first();
    return text;
}

QString IterationModel::textOf(const IterationRows& rows) const {
    if (rows.isEmpty()) return {};
    if (rows.first == rows.last) return textOf(rows.first);
    double sum = 0, waiting = 0, there = 0;
    int odd = 0, without = 0;
    for (int row = rows.first; row <= rows.last; ++row) {
        sum += time(row);
        waiting += waits(row);
        there += other(row).value_or(0.0);
        odd += isOdd(row) ? 1 : 0;
        without += other_ && !other(row) ? 1 : 0;
    }
    const int count = rows.last - rows.first + 1;
    QString text = u"Iterations %1 to %2: %3 together, on average %4"_qs.arg(rows.first + 1)
                       .arg(rows.last + 1)
                       .arg(durationText(sum), durationText(sum / count));
    if (waiting > 0) text += u", of which %1 waiting"_qs.arg(durationText(waiting / count));
    if (without > 0)
        text += u"; %1 does not have all of them"_qs.arg(nameOfOther_);
    else if (other_)
        text += u"; in %1 %2 together"_qs.arg(nameOfOther_, durationText(there));
    else
        text += u"; the median of all is %1"_qs.arg(durationText(all_.medianAfter));
    return odd == 0 ? text
                    : text + u"; %1 from the others by more than chance"_qs.arg(
                                 counted(static_cast<std::size_t>(odd), u"differs"_qs, u"differ"_qs));
}

QString IterationModel::textOf(int row) const {
    QString text = u"Iteration %1: %2"_qs.arg(row + 1).arg(durationText(time(row)));
    if (waits(row) > 0) text += u", of which %1 waiting"_qs.arg(durationText(waits(row)));
    if (other_ && !other(row)) return text + u"; %1 has no such iteration"_qs.arg(nameOfOther_);
    text += u"; %1 than "_qs.arg(longerOrShorter(difference(row)));
    text += other_ ? u"in "_qs + nameOfOther_ : u"the median"_qs;
    const query::OddIteration* odd = oddOf(row);
    if (odd == nullptr) return text + u", which is not unusual"_qs;
    if (other_) text += u", and %1 than the usual change explains"_qs.arg(longerOrShorter(odd->excess));
    return odd->reasons.empty() ? text + u"; it is spread over many call paths and waits"_qs
                                : text + because(odd->reasons);
}

}  // namespace holos::gui
