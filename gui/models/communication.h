// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "algebra/model/communication.h"
#include "gui/models/quantity.h"

namespace holos::gui {

/// What is known of the messages and one-sided operations from one process to another.
enum class TrafficQuantity : unsigned char { Bytes, Messages, LateSender, LateReceiver, Put, Got };
inline constexpr std::array kTrafficQuantities{TrafficQuantity::Bytes,      TrafficQuantity::Messages,
                                               TrafficQuantity::LateSender, TrafficQuantity::LateReceiver,
                                               TrafficQuantity::Put,        TrafficQuantity::Got};
QString titleOf(TrafficQuantity quantity);

/// Who sends to whom, as a square of cells: of one process each, or of several neighbours whose values are
/// added up, where there are more processes than room.
class CommunicationMatrix {
  public:
    /// The experiment must outlive the matrix.
    explicit CommunicationMatrix(const algebra::Experiment& experiment);

    bool isEmpty() const { return traffic().empty(); }
    /// What was found elsewhere, where the experiment does not say it. NaN: not known.
    void setTraffic(std::vector<algebra::Traffic> traffic) { traffic_ = std::move(traffic); }
    /// Whether anything is known of the quantity.
    bool knows(TrafficQuantity quantity) const;
    /// The first one of which there is anything.
    TrafficQuantity firstQuantity() const;
    /// At most so many cells in a row.
    void update(TrafficQuantity quantity, int cells);

    TrafficQuantity quantity() const { return quantity_; }
    int size() const { return size_; }
    double at(int sender, int receiver) const { return values_[placeOf(sender, receiver)]; }
    double total() const { return total_; }
    /// The largest magnitude of a cell.
    double largest() const { return largest_; }
    /// Of the cell, from −1 to 1.
    double share(int sender, int receiver) const;
    /// True when there are negative values, as in the difference of two runs.
    bool isSigned() const { return signed_; }
    const QuantityFormat& format() const { return format_; }
    /// `12 messages`, `3.2 kB`
    QString textOf(double value) const;
    void setDigits(Digits digits);

    /// `MPI Rank 3`, or `MPI Rank 12 … MPI Rank 15`: the processes of a row or a column.
    QString namesOf(int cell) const;
    algebra::ProcessId firstOf(int cell) const;
    int cellOf(algebra::ProcessId process) const {
        return static_cast<int>(process.index()) / processesPerCell_;
    }
    /// The rank that a row or column begins with.
    QString labelOf(int cell) const;

    /// Every pair of processes, with a heading, as comma-separated values.
    QString asCsv() const;

  private:
    std::size_t placeOf(int sender, int receiver) const {
        return static_cast<std::size_t>(sender) * static_cast<std::size_t>(size_) +
               static_cast<std::size_t>(receiver);
    }

    /// Read when it is first asked for.
    const std::vector<algebra::Traffic>& traffic() const;

    const algebra::Experiment& experiment_;
    mutable std::optional<std::vector<algebra::Traffic>> traffic_;
    TrafficQuantity quantity_ = TrafficQuantity::Bytes;
    int processesPerCell_ = 1;
    int size_ = 0;
    std::vector<double> values_;
    double total_ = 0.0;
    double largest_ = 0.0;
    bool signed_ = false;
    Digits digits_;
    QuantityFormat format_;
};

}  // namespace holos::gui
