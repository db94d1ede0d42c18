// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/code/machine_code_model.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <map>
#include <utility>

namespace holos::gui {

using archive::SampledFunction;
using archive::SampledInstruction;

namespace {

constexpr qint64 kLargestSource = qint64{64} << 20;

QStringList linesOf(const QString& path) {
    QFile file(path);
    if (!QFileInfo(path).isFile() || file.size() > kLargestSource || !file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(file.readAll()).split(u'\n');
}

using SourcePlace = std::pair<std::string, std::uint32_t>;

}  // namespace

void MachineCodeModel::setFunctions(const archive::SampledFunctions& functions) {
    beginResetModel();
    rows_.clear();
    samples_ = functions.samples;
    for (const SampledFunction& function : functions.found) addFunction(function);
    most_ = 0;
    for (const Row& row : rows_)
        if (row.kind == Kind::Instruction) most_ = std::max(most_, row.samples);
    endResetModel();
}

void MachineCodeModel::addFunction(const SampledFunction& function) {
    std::map<SourcePlace, std::uint64_t> samplesOf;
    for (const SampledInstruction& one : function.instructions)
        samplesOf[{one.file, one.line}] += one.samples;
    std::map<std::string, QStringList> sources;
    rows_.push_back(
        {Kind::Function,
         QString::fromStdString(function.name) + u" of "_qs + QString::fromStdString(function.file), 0,
         function.samples});
    SourcePlace last;
    for (const SampledInstruction& one : function.instructions) {
        const SourcePlace place(one.file, one.line);
        if (place != last && !one.file.empty()) {
            const QString path = QString::fromStdString(one.file);
            const auto [source, isNew] = sources.try_emplace(one.file);
            if (isNew) source->second = linesOf(path);
            rows_.push_back({Kind::Line,
                             u"%1:%2  "_qs.arg(QFileInfo(path).fileName()).arg(one.line) +
                                 source->second.value(static_cast<qsizetype>(one.line) - 1),
                             0, samplesOf[place]});
        }
        last = place;
        rows_.push_back({Kind::Instruction, QString::fromStdString(one.text), one.address, one.samples});
    }
}

int MachineCodeModel::hottest() const {
    for (std::size_t row = 0; row < rows_.size(); ++row)
        if (most_ > 0 && rows_[row].kind == Kind::Instruction && rows_[row].samples == most_)
            return static_cast<int>(row);
    return -1;
}

int MachineCodeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int MachineCodeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant MachineCodeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole && index.column() != CodeColumn)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role == IsHeadingRole) return row.kind != Kind::Instruction;
    if (role == HeatRole)
        return row.kind == Kind::Instruction && row.samples > 0
                   ? static_cast<double>(row.samples) / static_cast<double>(most_)
                   : 0.0;
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case SamplesColumn:
            return row.samples == 0 ? QVariant() : QVariant(static_cast<qulonglong>(row.samples));
        case ShareColumn:
            return row.samples == 0
                       ? QString()
                       : QString::number(100.0 * static_cast<double>(row.samples) /
                                             static_cast<double>(std::max<std::uint64_t>(samples_, 1)),
                                         'f', 1) +
                             u" %"_qs;
        case AddressColumn:
            return row.kind == Kind::Instruction ? QString::number(row.address, 16) : QString();
        default:
            return row.kind == Kind::Instruction ? u"    "_qs + row.code : row.code;
    }
}

QVariant MachineCodeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    static const QStringList kNames{u"Samples"_qs, u"of all"_qs, u"Address"_qs,
                                    u"Source line, instruction"_qs};
    return kNames.value(section);
}

QString titleOf(const archive::SampledFunctions& functions, const std::string& function) {
    std::uint64_t samples = 0;
    bool isInlined = false;
    for (const archive::SampledFunction& each : functions.found) {
        samples += each.samples;
        isInlined |= !each.name.starts_with(function);
    }
    return (isInlined ? u"%1, with all of the functions that it is inlined into: %2 of %3 samples"_qs
                      : u"%1: %2 of %3 samples"_qs)
        .arg(QString::fromStdString(function))
        .arg(samples)
        .arg(functions.samples);
}

}  // namespace holos::gui
