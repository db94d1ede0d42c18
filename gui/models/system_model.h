// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractTableModel>
#include <variant>

#include "gui/models/tree_model.h"

namespace holos::gui {

/// `migrations: 3`, as tool tips have it; long lists are cut.
QStringList attributeLines(const algebra::Attributes& attributes);

/// The right pane: machines, nodes, processes and threads, with the values of one metric over the selected
/// call paths, which are 100 percent. Only threads have values of their own, so that the exclusive value of
/// anything above them is zero, or undefined where the metric is not a sum. A process with a single thread
/// stands for it.
class SystemModel : public TreeModel {
  public:
    explicit SystemModel(ValueCache& cache);

    void setContext(algebra::MetricChoice metric, algebra::ChosenPaths paths);

    /// The location with the largest value, by magnitude; invalid when nothing has one.
    QModelIndex largestLocation() const;
    QModelIndex indexOfLocation(algebra::LocationId location) const;
    /// The row of a process when these are all of its threads, or else of the first of them.
    QModelIndex indexOfLocations(const std::vector<algebra::LocationId>& locations) const;
    /// `MPI Rank 3`, `MPI Rank 3, OMP thread 1`, or how many there are.
    QString namesOf(const std::vector<algebra::LocationId>& locations) const;
    /// The locations that a row stands for.
    std::vector<algebra::LocationId> locationsAt(const QModelIndex& index) const;
    /// One value per location.
    const std::vector<double>& locationValues() const;
    /// As `locationValues`, and NaN where a location is not compared with others
    /// (`algebra/model/statistics.h`).
    const std::vector<double>& comparedValues() const;
    /// True while values of the metric are being read.
    bool isReading() const { return cache().isReading(metric_.metric); }
    /// In place of a picture of these, where none of them is a number.
    QString whyNothingIsCompared() const;
    /// How these are written in the present mode; 100 percent of peers is the largest of them. `averages`:
    /// for what comes between whole numbers, too.
    Writing locationWriting(bool averages = false) const;
    /// One value per group, as a row that stands for these locations has it.
    std::vector<double> valuesOf(const algebra::LocationGroups& groups) const;
    algebra::MetricChoice metric() const { return metric_; }
    /// What the recorder, or another writer, noted of a thread.
    const algebra::Attributes& attributesOf(algebra::LocationId location) const;

  protected:
    double value(NodeId node, algebra::Extent extent) const override;
    double percentBase(NodeId node) const override;
    double metricBase(NodeId node) const override;
    algebra::MetricId metricIdOf(NodeId node) const override;
    NodeId groupOf(NodeId) const override { return {}; }
    bool isPeer(NodeId node) const override;
    double valueThere(NodeId node) const override;
    void forgetThere() override { there_.clear(); }
    QString toolTip(NodeId node) const override;

  private:
    using Item = std::variant<algebra::SystemNodeId, algebra::ProcessId, algebra::LocationId>;

    NodeId add(Item item, const std::string& name, std::optional<NodeId> parent);
    void addProcess(algebra::ProcessId id, const std::vector<algebra::LocationId>& threads, NodeId parent);
    std::vector<algebra::LocationId> locationsBelow(NodeId node) const;
    void compute() const;
    double inclusive(NodeId node) const;

    std::vector<Item> items_;
    algebra::MetricChoice metric_{};
    algebra::ChosenPaths paths_ = kAll;
    std::vector<NodeId> nodes_;  ///< by location
    mutable Values own_;
    mutable std::vector<double> compared_;  ///< of `own_`
    /// By node; empty until first asked for. What is not a sum is aggregated when it is first shown.
    mutable std::vector<std::optional<double>> inclusive_;
    mutable double base_ = 0.0;
    mutable std::vector<double> there_;  ///< by location; empty: not asked for yet
};

/// The locations as a table, to be sorted: node, process, thread, value, and how far it is from the mean of
/// all threads. Its values are those of a system model, which must outlive it. No rows before the first
/// `update`.
class LocationModel : public QAbstractTableModel {
  public:
    enum Column { NodeColumn, ProcessColumn, ThreadColumn, ValueColumn, DeviationColumn, kColumns };
    /// What rows are sorted by: numbers as numbers.
    static constexpr int kSortRole = Qt::UserRole;

    LocationModel(ValueCache& cache, const SystemModel& system);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// By the column's sort key, and undefined values before all others; many rows are compared often.
    bool isBefore(int column, int row, int other) const;
    /// After the system model's values have changed.
    void update();
    /// False where the column of nodes says nothing.
    bool hasSeveralNodes() const;

  private:
    bool isPending(double value) const;
    QVariant sortKey(const QModelIndex& index) const;
    QString text(const QModelIndex& index) const;
    double comparedAt(int row) const { return compared_[static_cast<std::size_t>(row)]; }

    ValueCache& cache_;
    const SystemModel& system_;
    Writing writing_;
    std::vector<double> values_;
    std::vector<double> compared_;  ///< these, and NaN where there is no mean to be far from
    double mean_ = 0.0;
};

}  // namespace holos::gui
