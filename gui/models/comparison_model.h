// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractTableModel>
#include <map>
#include <memory>
#include <vector>

#include "gui/models/counterpart.h"
#include "gui/models/quantity.h"

namespace holos::gui {

/// Metrics × experiments, for one call path with what it calls (the KOJAK papers' tables of platforms). The
/// metrics are those of the first experiment; what another one does not have is undefined. Rows are evaluated
/// when they are first shown.
class ComparisonModel : public QAbstractTableModel {
  public:
    /// At least one experiment, all with one path each.
    ComparisonModel() = default;

    /// The first experiment gives metrics and call path.
    void setExperiments(std::vector<NamedExperiment> experiments);
    /// Of the first experiment; nothing: the whole program.
    void setCallPath(std::optional<algebra::CallPathId> path);
    void setDigits(Digits digits);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    algebra::MetricId metricAt(int row) const { return metrics_[static_cast<std::size_t>(row)]; }
    int rowOf(algebra::MetricId metric) const;
    /// Unique name, name, unit, and a value of each experiment with all its digits.
    QString asCsv() const;

  private:
    struct Column {
        QString name;
        ExperimentPtr experiment;
        std::unique_ptr<ValueCache> cache;
        bool hasPath = true;
        std::optional<algebra::CallPathId> path;
    };
    struct Row {
        std::vector<double> values;
        double largest = 0.0;
        bool negative = false;
        QuantityFormat format;
    };
    const Row& row(int at) const;
    bool isPending(const QModelIndex& index) const;
    double valueOf(const Column& column, const algebra::Metric& metric) const;
    void findPaths();
    void valuesChanged();

    std::vector<Column> columns_;
    std::vector<algebra::MetricId> metrics_;
    std::optional<algebra::CallPathId> path_;
    Digits digits_;
    mutable std::map<int, Row> rows_;
};

}  // namespace holos::gui
