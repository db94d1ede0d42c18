// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "gui/models/row_tree.h"

namespace holos::gui {

/// Something that can be gone to, or done, by its name.
struct PaletteEntry {
    enum Kind { Command, Metric, CallPath, SystemRow, Bookmark };
    Kind kind = Command;
    int number = 0;  ///< among those of its kind
    QString name;
    QString help;                   ///< what it does
    const RowTree* rows = nullptr;  ///< where it is the row `number`

    NodeId node() const { return NodeId(static_cast<std::size_t>(number)); }

    /// What tells it from others of this name.
    QString where() const;
};

/// The entries whose names have all words that somebody has typed, the best ones first: names that begin with
/// them, then names in which a word does, then others; commands before metrics, and so on.
class PaletteModel : public QAbstractListModel {
  public:
    enum Role { WhereRole = Qt::UserRole, KindRole };
    /// More than that are counted, but not listed.
    static constexpr int kMostListed = 200;

    using QAbstractListModel::QAbstractListModel;

    /// Trees of rows must be there as long as their entries.
    void setEntries(std::vector<PaletteEntry> entries);
    void setQuery(const QString& query);
    const PaletteEntry& entry(const QModelIndex& index) const;
    /// How many match, listed or not.
    int matches() const { return matches_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    /// `metric`, for those who read a list of different things.
    static QString nameOf(PaletteEntry::Kind kind);

  private:
    std::vector<PaletteEntry> entries_;
    std::vector<std::size_t> listed_;
    int matches_ = 0;
};

}  // namespace holos::gui
