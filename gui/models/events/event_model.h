// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "gui/models/events/event_reader.h"
#include "gui/models/quantity.h"

namespace holos::gui {

/// The answer to a question as a table, of which a few windows of rows are in memory: those that were looked
/// at last. Rows that are not there yet are asked for when they are painted.
class EventModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    /// The reader must outlive the model.
    explicit EventModel(EventReader& reader, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Shows the answer to these. `shownColumns`: how many of `led` are seen; 0: all.
    void ask(const EventStatements& statements, int shownColumns);
    /// How many rows the answer has, once that is known.
    void setTotal(std::uint64_t rows);
    std::optional<std::uint64_t> total() const { return total_; }
    /// The most rows that a view goes through at once. Those behind them need an index.
    static constexpr int kMostRows = 1'000'000;
    /// Another number of them; a multiple of a window.
    void setMostRows(int rows) { mostRows_ = rows; }
    int mostRows() const { return mostRows_; }
    using PartStatement = std::function<QString(const EventIndex::Part&)>;
    /// Where rows further down stand. `statement`: asks for the rows of a part.
    void setIndex(std::shared_ptr<const EventIndex> index, PartStatement statement);
    bool hasIndex() const { return index_ != nullptr; }
    /// Of the answer, the row that is the first one here: a multiple of `mostRows`. Others need the index.
    void setFirst(std::uint64_t row);
    std::uint64_t first() const { return first_; }
    /// Rows that are read at once.
    static constexpr int kWindow = 5'000;

    const QStringList& columns() const { return columns_; }
    EventUnit unitOf(int column) const;
    /// Nothing where the row is not there yet.
    const std::vector<query::Cell>* rowAt(int row) const;
    std::optional<EventPlace> placeAt(int row) const;
    QString cellText(int row, int column) const;
    /// The rows that are in memory, from the first of them on, as comma-separated values.
    QString asCsv() const;
    void setDigits(Digits digits);

  Q_SIGNALS:
    /// The first rows are there, or why they are not.
    void answered(const QString& problem);
    /// Rows further down cannot be read.
    void failed(const QString& problem);

  private:
    /// In the whole answer.
    int windowOf(int row) const { return static_cast<int>(first_ / kWindow) + row / kWindow; }
    void wantWindow(int window) const;
    void readNext();
    void readParts(std::pair<int, int> windows, std::vector<EventIndex::Part> parts, EventRows soFar);
    void end(std::pair<int, int> windows, const EventRows& answer);
    void take(int window, const EventRows& answer);

    /// Further down, so many windows are read together, since each look there costs about as much.
    static constexpr int kBlock = 8;
    static constexpr std::size_t kMostWindows = 3 * kBlock;
    static constexpr std::size_t kMostWaiting = 2;  ///< as many as can be in sight

    EventReader& reader_;
    QString statement_;
    unsigned question_ = 0;
    QStringList columns_;
    std::vector<EventUnit> units_;
    int shownColumns_ = 0;
    int rows_ = 0;  ///< here
    int mostRows_ = kMostRows;
    std::uint64_t first_ = 0;
    std::shared_ptr<const EventIndex> index_;
    PartStatement partStatement_;
    /// From the first look at rows further down on: rows of equal values keep places.
    bool usesIndex_ = false;
    std::optional<std::uint64_t> total_;
    struct Window {
        std::vector<std::vector<query::Cell>> rows;
        mutable unsigned seen = 0;  ///< when it was last
    };
    std::map<int, Window> windows_;
    std::set<int> asked_;               ///< windows that are being read, or cannot be
    mutable std::vector<int> waiting_;  ///< that are in sight, the last one last
    bool isReading_ = false;
    mutable unsigned looks_ = 0;
    Digits digits_;
};

}  // namespace holos::gui
