// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/program_model.h"

namespace holos::gui {

/// The flat profile: regions without regard to who called them, grouped by what they belong to: MPI, OpenMP,
/// or else their source file. A region's value is what it has for itself, so that all of them add up to the
/// whole.
class RegionModel : public ProgramModel {
  public:
    explicit RegionModel(ValueCache& cache);

    std::vector<algebra::CallPathChoice> choices(const QModelIndex& index) const override;

  protected:
    double value(int node, algebra::Extent extent) const override;
    QString toolTip(int node) const override;
    void forget() override { values_.assign(paths_.size(), std::nullopt); }

  private:
    std::vector<std::vector<algebra::CallPathChoice>> paths_;  ///< by node
    mutable std::vector<std::optional<double>> values_;        ///< by node
};

}  // namespace holos::gui
