// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/path_set_model.h"

namespace holos::gui {

/// The call paths of a region that no other call of it leads to: what they have together is what the program
/// has in the region, however often it calls itself.
std::vector<algebra::CallPathId> outermostCalls(const algebra::Experiment& experiment,
                                                algebra::RegionId region);

/// Who calls a region: it stands at the top, its callers below it, their callers below them. A row has what
/// the region has in calls that came that way: with everything that it calls, or for itself alone.
class CallersModel : public PathSetModel {
  public:
    CallersModel(ValueCache& cache, algebra::RegionId region);

    /// What a row is named after.
    algebra::RegionId regionOf(const QModelIndex& index) const;
    /// The highest row that stands for this call of the region alone. Invalid for calls within other calls of
    /// it.
    QModelIndex indexOfCall(algebra::CallPathId call) const;

  protected:
    std::vector<algebra::CallPathChoice> choicesOf(NodeId node, algebra::Extent extent) const override;

  private:
    std::vector<algebra::RegionId> regions_;  ///< by node
};

/// What a region calls: it stands at the top, and below it all that is called from any of its call paths,
/// each with everything below it, or for itself alone.
class CalleesModel : public PathSetModel {
  public:
    CalleesModel(ValueCache& cache, algebra::RegionId region);

    /// What a row is named after.
    algebra::RegionId regionOf(const QModelIndex& index) const;

  protected:
    std::vector<algebra::CallPathChoice> choicesOf(NodeId node, algebra::Extent extent) const override;

  private:
    std::vector<algebra::RegionId> regions_;  ///< by node
};

}  // namespace holos::gui
