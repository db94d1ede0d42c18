// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/rows/copy.h"

namespace holos::algebra {

Experiment structureOf(const Experiment& experiment) {
    Experiment made;
    made.metrics = experiment.metrics;
    made.regions = experiment.regions;
    made.callTree = experiment.callTree;
    made.system = experiment.system;
    made.attributes = experiment.attributes;
    made.mirrors = experiment.mirrors;
    made.files = experiment.files;
    made.topologies = experiment.topologies;
    made.metricsTitle = experiment.metricsTitle;
    made.callTreeTitle = experiment.callTreeTitle;
    made.systemTitle = experiment.systemTitle;
    made.compoundValues = experiment.compoundValues;
    return made;
}

Experiment copyOf(const Experiment& experiment) {
    Experiment made = structureOf(experiment);
    for (const MetricId id : experiment.metrics.ids())
        if (experiment.severities.has(id)) made.severities.setRows(id, experiment.severities.source(id));
    return made;
}

}  // namespace holos::algebra
