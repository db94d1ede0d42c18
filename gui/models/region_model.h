// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/path_set_model.h"

namespace holos::gui {

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

}  // namespace holos::gui
