// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/program_view.h"

#include <array>

#include "gui/models/call_model.h"
#include "gui/models/path_set_model.h"
#include "gui/models/region_model.h"

namespace holos::gui {

namespace {

constexpr std::array kViews{
    ProgramViewText{ProgramView::CallTree, "tree", "Call tree", "Who calls whom"},
    ProgramViewText{ProgramView::Folded, "folded", "Call tree, loops folded",
                    "Calls that differ in their parameters or lines alone are one row"},
    ProgramViewText{ProgramView::Regions, "regions", "Flat regions",
                    "Regions without regard to who called them"},
    ProgramViewText{ProgramView::Modules, "modules", "By source module",
                    "Regions by what they belong to: MPI, OpenMP, or their source file"},
    ProgramViewText{ProgramView::Constructs, "constructs", "By OpenMP construct",
                    "Regions by the parallel region or task in which they run"},
    ProgramViewText{ProgramView::Phases, "phases", "By phase",
                    "Regions by the phase in which they run: the region around them that the user named"},
};

}  // namespace

std::span<const ProgramViewText> programViews() {
    return kViews;
}

std::unique_ptr<ProgramModel> makeProgramModel(ProgramView view, ValueCache& cache) {
    switch (view) {
        case ProgramView::Folded:
            return std::make_unique<FoldedModel>(cache);
        case ProgramView::Regions:
            return std::make_unique<RegionModel>(cache, RegionGroups::None);
        case ProgramView::Modules:
            return std::make_unique<RegionModel>(cache, RegionGroups::Modules);
        case ProgramView::Constructs:
            return std::make_unique<RegionModel>(cache, RegionGroups::Constructs);
        case ProgramView::Phases:
            return std::make_unique<RegionModel>(cache, RegionGroups::Phases);
        default:
            return std::make_unique<CallModel>(cache);
    }
}

}  // namespace holos::gui
