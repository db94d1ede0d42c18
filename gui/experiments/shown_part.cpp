// SPDX-License-Identifier: BSD-3-Clause
#include "gui/experiments/shown_part.h"

#include <QUrl>

#include "algebra/operators/only.h"
#include "algebra/operators/rows/copy.h"
#include "base/error.h"
#include "gui/models/call_model.h"
#include "gui/models/path_set_model.h"
#include "gui/models/system_model.h"

namespace holos::gui {

using namespace algebra;

namespace {

[[noreturn]] void refuse(const QString& name) {
    throw Error("this part of the run has no " + QUrl::fromPercentEncoding(name.toUtf8()).toStdString());
}

NodeId rowOf(const TreeModel& model, const QString& key) {
    const auto row = model.rows().withKey(key);
    if (!row) refuse(key);
    return *row;
}

std::vector<bool> locationsIn(const ExperimentPtr& experiment, const QStringList& places) {
    std::vector<bool> isIn(experiment->system.locations.size(), false);
    ValueCache cache(experiment);
    const SystemModel model(cache);
    for (const QString& place : places)
        for (const LocationId location : model.locationsAt(model.indexOf(rowOf(model, place))))
            isIn[location.index()] = true;
    return isIn;
}

std::vector<bool> callPathsIn(const ExperimentPtr& experiment, const Filter& filter) {
    const CallTree& tree = experiment->callTree;
    std::vector<bool> isIn(tree.size(), filter.callPaths.isEmpty());
    if (!filter.callPaths.isEmpty()) {
        ValueCache cache(experiment);
        const CallModel model(cache);
        for (const QString& key : filter.callPaths) isIn[rowOf(model, key).index()] = true;
        for (const CallPathId path : tree.ids())
            if (const auto above = tree.parent(path); above && isIn[above->index()])
                isIn[path.index()] = true;
    }
    const auto isWanted = [&](const Region& region) {
        return (filter.regions.isEmpty() || filter.regions.contains(QString::fromStdString(region.name))) &&
               (filter.kinds.isEmpty() || filter.kinds.contains(kindOf(region)));
    };
    for (const CallPathId path : tree.ids())
        if (!isWanted(experiment->regionOf(path))) isIn[path.index()] = false;
    return isIn;
}

}  // namespace

ExperimentPtr shownPart(const ExperimentPtr& experiment, const Filter& filter) {
    const Filter part = without(ofOneRun(filter), FilterPart::Range);
    if (part.isEmpty()) return experiment;
    Only only;
    only.name = textOf(part).toStdString();
    if (!part.places.isEmpty()) only.locations = locationsIn(experiment, part.places);
    if (!without(part, FilterPart::Places).isEmpty()) only.callPaths = callPathsIn(experiment, part);
    return std::make_shared<const Experiment>(algebra::only(copyOf(*experiment), only));
}

}  // namespace holos::gui
