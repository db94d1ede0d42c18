// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/program_model.h"

namespace holos::gui {

/// The call tree. A node's number is its call path's id.
class CallModel : public ProgramModel {
  public:
    explicit CallModel(ValueCache& cache);

    algebra::CallPathId pathAt(const QModelIndex& index) const;
    QModelIndex indexOfPath(algebra::CallPathId path) const override;
    std::vector<algebra::CallPathChoice> choices(const QModelIndex& index) const override;

    /// The call paths that have most of the metric for themselves, the largest first; each has at least a
    /// hundredth of the whole.
    std::vector<algebra::CallPathId> hotSpots() const;
    /// Where the way ends that goes from call to call, each time to the one with the largest inclusive value
    /// (by magnitude), until a call path has more for itself than anything that it calls; nothing where none
    /// has any.
    std::optional<algebra::CallPathId> hottest() const;

  protected:
    double value(NodeId node, algebra::Extent extent) const override;
    std::vector<algebra::CallPathChoice> everythingOf(NodeId node) const override;
    QString toolTip(NodeId node) const override;
};

}  // namespace holos::gui
