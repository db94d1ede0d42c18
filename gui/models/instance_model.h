// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractTableModel>
#include <map>
#include <optional>
#include <vector>

#include "algebra/model/wait_files.h"
#include "base/function_name.h"
#include "gui/models/quantity.h"

namespace holos::gui {

/// The longest waits of a metric and of those below it, from long to short; all of an experiment when the
/// metric has none.
class InstanceModel : public QAbstractTableModel {
  public:
    enum Column { WaitColumn, LocationColumn, MetricColumn, CallPathColumn, BeginColumn, kColumns };

    /// The experiment must outlive the model.
    explicit InstanceModel(const algebra::Experiment& experiment);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    void setMetric(algebra::MetricId metric);
    void setDigits(Digits digits);
    /// Writes long names of functions whole, or as they are read best.
    void setWholeNames(bool whole);
    const algebra::WaitInstance& at(int row) const { return all_[shown_[static_cast<std::size_t>(row)]]; }
    /// The longest wait at a call path; −1: none is listed.
    int rowOf(algebra::CallPathId path) const;
    /// Where an instance waits, by the names of its call path.
    std::optional<algebra::CallPathId> callPathOf(const algebra::WaitInstance& instance) const;

  private:
    QString text(int row, int column) const;
    /// The path from the root, or its last call alone, as it is written.
    QString callPathName(int row, bool fromRoot) const;

    const algebra::Experiment& experiment_;
    const ShortNames shortNames_;
    std::vector<algebra::WaitInstance> all_;
    std::map<std::string, std::optional<algebra::CallPathId>> paths_;  ///< by `callPath` of instances
    std::vector<std::size_t> shown_;
    bool wholeNames_ = false;
    Digits digits_;
    QuantityFormat format_;
};

}  // namespace holos::gui
