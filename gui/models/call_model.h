// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <map>

#include "gui/models/program_model.h"

namespace holos::gui {

/// What somebody wrote down at call paths of a file, by the names of the call path (`RowTree::keyOf`), so
/// that a note stays where it is when the run is analyzed anew.
using PathNotes = std::map<QString, QString>;

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

    /// Rows with a note have a flag behind their names, and the text in their tool tips. Notes at call paths
    /// that this experiment does not have are kept.
    void setNotes(const PathNotes& notes);
    const PathNotes& notes() const { return notes_; }

    QString shownName(NodeId node) const override;

  protected:
    double value(NodeId node, algebra::Extent extent) const override;
    std::vector<algebra::CallPathChoice> everythingOf(NodeId node) const override;
    QString toolTip(NodeId node) const override;

  private:
    PathNotes notes_;
    std::map<NodeId, QString> noted_;
};

}  // namespace holos::gui
