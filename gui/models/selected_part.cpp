// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/selected_part.h"

#include <set>

#include "gui/models/call_model.h"

namespace holos::gui {

using namespace algebra;

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
