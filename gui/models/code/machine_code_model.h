// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <string>
#include <vector>

#include "tracing/recordings/archive/code_names/sampled_functions.h"

namespace holos::gui {

/// Machine code with samples: functions, below them source lines (anew where the code comes to another one),
/// and below these their instructions.
class MachineCodeModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { SamplesColumn, ShareColumn, AddressColumn, CodeColumn, kColumns };
    enum Role {
        IsHeadingRole = Qt::UserRole,  ///< bool: of a function or a source line
        HeatRole                       ///< double: samples of an instruction, 1 for the one with most of them
    };
    enum class Kind : unsigned char { Function, Line, Instruction };

    using QAbstractTableModel::QAbstractTableModel;

    void setFunctions(const archive::SampledFunctions& functions);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    Kind kindOf(int row) const { return rows_[static_cast<std::size_t>(row)].kind; }
    /// The instruction with most samples; −1: there is none.
    int hottest() const;

  private:
    struct Row {
        Kind kind;
        QString code;
        std::uint64_t address = 0;
        std::uint64_t samples = 0;
    };
    void addFunction(const archive::SampledFunction& function);

    std::vector<Row> rows_;
    std::uint64_t samples_ = 0;  ///< of the whole run
    std::uint64_t most_ = 0;     ///< of an instruction
};

/// How many samples were taken in what was found of a function: also in others that it is inlined into, whose
/// samples are not all its own.
QString titleOf(const archive::SampledFunctions& functions, const std::string& function);

}  // namespace holos::gui
