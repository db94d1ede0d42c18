// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/cut.h"

#include <cmath>

#include "algebra/model/queries.h"
#include "algebra/operators/rows/regroup.h"
#include "algebra/operators/unite/run_facts.h"
#include "base/error.h"
#include "base/suggest.h"
#include "base/wrong_request.h"

namespace holos::algebra {
namespace {

std::string noSuchRegion(const std::string& name, const Experiment& experiment) {
    std::vector<std::string> names;
    for (const Region& region : experiment.regions) names.push_back(region.name);
    const std::string near = didYouMean(name, names);
    return "there is no region \"" + name + '"' +
           (near.empty() ? "; `holos show --tree calls --full-names` lists them" : near);
}

/// By RegionId: whether the region has one of the names.
std::vector<bool> regionsNamed(const Experiment& experiment, const std::vector<std::string>& names) {
    std::vector<bool> named(experiment.regions.size(), false);
    for (const std::string& name : names) {
        bool known = false;
        for (std::size_t at = 0; at < named.size(); ++at)
            if (experiment.regions[at].name == name) named[at] = known = true;
        if (!known) throw WrongRequest(noSuchRegion(name, experiment));
    }
    return named;
}

/// Regions, call paths and their parents stay; only what is below one of the new roots goes on.
Experiment reRoot(Experiment experiment, const std::vector<std::string>& names) {
    const std::vector<bool> isRoot = regionsNamed(experiment, names);
    forgetTimesOfRun(experiment);
    const CallTree& tree = experiment.callTree;
    Regrouping kept = unchanged(experiment);
    kept.callTree = {};
    for (const CallPathId path : tree.ids()) {
        const auto parent = tree.parent(path);
        const auto above = parent ? kept.callPaths[parent->index()] : std::nullopt;
        const bool stays = above || isRoot[tree[path].region.index()];
        kept.callPaths[path.index()] =
            stays ? std::optional(kept.callTree.add(tree[path], above)) : std::nullopt;
    }
    if (kept.callTree.empty()) throw WrongRequest("no call path of the new roots is in the call tree");
    return regroup(std::move(experiment), std::move(kept));
}

/// By CallPathId: whether the path or one below it has the share.
std::vector<bool> reachingShare(const Experiment& experiment, const Cut::Share& share) {
    const auto metric = experiment.findMetric(share.metric);
    if (!metric) throw WrongRequest("there is no metric \"" + share.metric + "\"; `holos info` lists them");
    const auto values = perCallPath(experiment, {*metric}, Extent::Inclusive);
    double whole = 0.0;
    for (const CallPathId root : experiment.callTree.roots()) whole += values[root.index()];
    std::vector<bool> reaching(values.size(), false);
    for (std::size_t at = values.size(); at-- > 0;) {  // children before their parents
        if (std::fabs(values[at]) >= share.least * std::fabs(whole)) reaching[at] = true;
        const auto parent = experiment.callTree.parent(CallPathId(at));
        if (reaching[at] && parent) reaching[parent->index()] = true;
    }
    return reaching;
}

/// `goes[path]` says whether a call path, with all below it, becomes part of its caller.
Experiment fold(Experiment experiment, const std::vector<bool>& goes) {
    const CallTree& tree = experiment.callTree;
    Regrouping folded = unchanged(experiment);
    folded.callTree = {};
    std::vector<bool> gone(tree.size(), false);
    for (const CallPathId path : tree.ids()) {
        const auto parent = tree.parent(path);
        gone[path.index()] = parent && (gone[parent->index()] || goes[path.index()]);
        const auto above = parent ? folded.callPaths[parent->index()] : std::nullopt;
        folded.callPaths[path.index()] = gone[path.index()] ? above : folded.callTree.add(tree[path], above);
    }
    return regroup(std::move(experiment), std::move(folded));
}

std::vector<bool> whatGoes(const Experiment& experiment, const Cut& how) {
    const CallTree& tree = experiment.callTree;
    const std::vector<bool> pruned = regionsNamed(experiment, how.prune);
    std::vector<bool> goes(tree.size(), false);
    std::vector<std::size_t> depth(tree.size(), 1);
    for (const CallPathId path : tree.ids()) {
        const auto parent = tree.parent(path);
        if (parent) depth[path.index()] = depth[parent->index()] + 1;
        const bool named = pruned[tree[path].region.index()];
        if (named && !parent)
            throw Error("region \"" + experiment.regionOf(path).name +
                        "\" is a root of the call tree and cannot become part of its caller");
        goes[path.index()] = named || (how.depth && depth[path.index()] > *how.depth);
    }
    if (!how.share) return goes;
    const std::vector<bool> reaching = reachingShare(experiment, *how.share);
    for (std::size_t at = 0; at < goes.size(); ++at) goes[at] = goes[at] || !reaching[at];
    return goes;
}

}  // namespace

Experiment cut(Experiment experiment, const Cut& how) {
    if (how.depth == 0U) throw Error("the depth of a call tree is at least 1");
    if (!how.roots.empty()) experiment = reRoot(std::move(experiment), how.roots);
    const std::vector<bool> goes = whatGoes(experiment, how);
    return fold(std::move(experiment), goes);
}

}  // namespace holos::algebra
