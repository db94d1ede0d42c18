// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "gui/models/program_model.h"

namespace holos::gui {

/// Rows that each stand for several call paths, of which they add up the values. Where the metric is not a
/// sum, it is evaluated over all of them.
class PathSetModel : public ProgramModel {
  public:
    using ProgramModel::ProgramModel;

    std::vector<algebra::CallPathChoice> choices(const QModelIndex& index) const override;
    QModelIndex indexOfPath(algebra::CallPathId path) const override;

  protected:
    /// Which call paths a row has with what is below it, or by itself: those that were added to it, with or
    /// without what they call. A row that has none by itself is selected with all of them.
    virtual std::vector<algebra::CallPathChoice> choicesOf(NodeId node, algebra::Extent extent) const;
    /// A call path of a row, of which `indexOfPath` leads to the row added last.
    void addPath(NodeId node, algebra::CallPathId path);
    const std::vector<algebra::CallPathId>& pathsOf(NodeId node) const { return paths_[node.index()]; }

    double value(NodeId node, algebra::Extent extent) const override;
    std::vector<algebra::CallPathChoice> everythingOf(NodeId node) const override {
        return choicesOf(node, algebra::Extent::Inclusive);
    }
    bool hasOwnValues(NodeId node) const override {
        return !choicesOf(node, algebra::Extent::Exclusive).empty();
    }
    QString toolTip(NodeId node) const override;
    void forget() override;

  private:
    double evaluated(NodeId node, algebra::Extent extent) const;

    std::vector<std::vector<algebra::CallPathId>> paths_;  ///< by node
    std::vector<NodeId> rows_;                             ///< by call path
    /// By extent and node.
    mutable std::array<std::vector<std::optional<double>>, 2> known_;
};

/// The call tree with loops folded: calls of one region from one place in the tree are one row, whatever
/// their parameters (such as the iteration) and their lines.
class FoldedModel : public PathSetModel {
  public:
    explicit FoldedModel(ValueCache& cache);
};

/// What regions are put together by.
enum class RegionGroups : unsigned char {
    None,
    Modules,     ///< MPI, OpenMP, or else the source file
    Constructs,  ///< the OpenMP parallel region, task or other construct in which they run
    Phases,      ///< the phase in which they run: a region that the user named
};

/// `MPI`, `OpenMP`, or else the source file.
QString kindOf(const algebra::Region& region);

/// The flat profile: regions without regard to who called them, each once in every group. A region's value is
/// what it has for itself, so that all of them add up to the whole. A group has nothing for itself.
class RegionModel : public PathSetModel {
  public:
    RegionModel(ValueCache& cache, RegionGroups groups);

  protected:
    std::vector<algebra::CallPathChoice> choicesOf(NodeId node, algebra::Extent extent) const override;
};

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

  private:
    std::vector<algebra::RegionId> regions_;  ///< by node
};

}  // namespace holos::gui
