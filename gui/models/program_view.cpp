// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/program_view.h"

#include <array>
#include <set>

#include "gui/models/call_model.h"
#include "gui/models/path_set_model.h"

namespace holos::gui {

using namespace algebra;

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

namespace {

/// Of the chosen call paths, those that no other of them calls.
QStringList outermost(const ExperimentPtr& experiment, const std::vector<CallPathChoice>& chosen) {
    if (chosen.empty()) return {};
    const CallTree& tree = experiment->callTree;
    std::set<CallPathId> paths;
    for (const CallPathChoice& choice : chosen) paths.insert(choice.path);
    ValueCache cache(experiment);
    const CallModel calls(cache);
    QStringList keys;
    for (const CallPathId path : paths)
        if (const auto above = tree.parent(path); !above || !paths.contains(*above))
            keys << calls.rows().keyOf(NodeId(path.index()));
    return keys;
}

void addNew(QStringList& list, const QString& name) {
    if (!list.contains(name)) list << name;
}

}  // namespace

Filter filterOf(const ExperimentPtr& experiment, const ProgramModel& model, ProgramView view,
                const QModelIndexList& rows) {
    Filter filter;
    std::vector<CallPathChoice> chosen;
    for (const QModelIndex& row : rows) {
        const QString name = model.rows().nameOf(model.nodeOf(row));
        const bool isGroup = model.rows().depthOf(model.nodeOf(row)) == 0;
        switch (view) {
            case ProgramView::Modules:
                addNew(isGroup ? filter.kinds : filter.regions, name);
                break;
            case ProgramView::Regions:
                addNew(filter.regions, name);
                break;
            case ProgramView::Constructs:
            case ProgramView::Phases:
                if (!isGroup) addNew(filter.regions, name);
                [[fallthrough]];
            case ProgramView::CallTree:
            case ProgramView::Folded:
                for (const CallPathChoice& choice :
                     model.choices(isGroup || view == ProgramView::CallTree || view == ProgramView::Folded
                                       ? row
                                       : row.parent()))
                    chosen.push_back(choice);
        }
    }
    filter.callPaths = outermost(experiment, chosen);
    return filter;
}

}  // namespace holos::gui
