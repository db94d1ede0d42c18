// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/calls_in_part.h"

#include <algorithm>
#include <set>
#include <string>

#include "algebra/operators/history/recorded_run.h"

namespace holos::gui {

bool isOfPart(const algebra::Experiment& experiment) {
    return std::ranges::any_of(experiment.attributes, [](const auto& attribute) {
        return attribute.first == algebra::kPartAttribute;
    });
}

using algebra::CallPathId;

CallsInPart::CallsInPart(const algebra::Experiment& part, DefinitionsPtr definitions)
    : tree_(&part), definitions_(std::move(definitions)), counts_(part.callTree.size(), false) {
    for (const algebra::MetricId metric : part.metrics.ids()) {
        if (!part.severities.has(metric)) continue;
        const algebra::RowsPtr rows = part.severities.rows(metric);
        for (const CallPathId path : part.callTree.ids())
            if (rows->hasRow(path)) counts_[path.index()] = true;
    }
    std::set<std::string> functions{"THREADS", "TASKS"};
    for (const trace::CallingContext& context : definitions_->callingContexts)
        functions.insert((*definitions_)[context.region].name);
    for (const algebra::Region& region : part.regions)
        isWithoutEvent_.push_back(functions.contains(region.name));
    std::set<std::string> counted;
    for (const CallPathId path : part.callTree.ids())
        if (counts_[path.index()]) counted.insert(part.regionOf(path).name);
    for (const trace::Region& region : definitions_->regions)
        mayHave_.push_back(counted.contains(region.name));
    states_.emplace_back();  // outside of all calls
    std::set<std::string> known(std::move(functions));
    for (const trace::Region& region : definitions_->regions) known.insert(region.name);
    for (const CallPathId root : part.callTree.roots())
        if (counts_[root.index()] && !known.contains(part.regionOf(root).name)) states_.front().counts = true;
}

/// Whether a call path may be between two calls of a stack: threads and tasks are in no stack at all.
bool CallsInPart::isPassed(CallPathId path, Between between) const {
    if (between == Between::Anything) return true;
    const std::string& name = tree_->regionOf(path).name;
    return between == Between::Nothing ? name == "THREADS" || name == "TASKS"
                                       : isWithoutEvent_[tree_->callTree[path].region.index()];
}

/// The path itself, or what it calls through functions without events.
void CallsInPart::addFrom(CallPathId path, const std::string& name, Between between, Paths& found) const {
    std::vector<CallPathId> open{path};
    while (!open.empty()) {
        const CallPathId next = open.back();
        open.pop_back();
        if (tree_->regionOf(next).name == name) {
            found.paths.push_back(next);
            found.counts = found.counts || counts_[next.index()];
        }
        const auto& children = tree_->callTree.children(next);
        if (isPassed(next, between)) open.insert(open.end(), children.begin(), children.end());
    }
}

CallsInPart::State CallsInPart::inside(State state, trace::RegionId region, Between between) const {
    const auto [known, isNew] = known_.try_emplace(std::tuple(state, region, between), states_.size());
    if (!isNew) return known->second;
    const std::string& name = (*definitions_)[region].name;
    Paths found;
    // A root may be the program itself, which is in no event.
    if (state == 0)
        for (const CallPathId root : tree_->callTree.roots()) {
            addFrom(root, name, between, found);
            if (isPassed(root, between)) continue;
            for (const CallPathId child : tree_->callTree.children(root))
                addFrom(child, name, between, found);
        }
    for (const CallPathId path : states_[state].paths)
        for (const CallPathId child : tree_->callTree.children(path)) addFrom(child, name, between, found);
    states_.push_back(std::move(found));
    return known->second;
}

CallsInPart::State CallsInPart::within(State around, trace::RegionId region, Stacked as) const {
    if (isEverything()) return kOutside;
    const State exact = inside(around, region, Between::Nothing);
    if (as == Stacked::Call || !states_[exact].paths.empty()) return exact;
    return as == Stacked::Function ? around : inside(around, region, Between::Functions);
}

/// From the last end to the first, so that each call comes after the one around it.
std::vector<bool> CallsInPart::of(const std::vector<trace::Span>& spans, bool isFirstThread) const {
    std::vector<bool> belongs(spans.size(), true);
    if (isEverything()) return belongs;
    std::vector<State> around{0};  // by depth
    for (std::size_t at = spans.size(); at-- > 0;) {
        const trace::Span& span = spans[at];
        around.resize(std::max<std::size_t>(around.size(), span.depth + 2));
        const bool isStarted = !isFirstThread && around[span.depth] == kOutside;
        around[span.depth + 1] =
            inside(around[span.depth], span.region, isStarted ? Between::Anything : Between::Functions);
        belongs[at] = states_[around[span.depth + 1]].counts;
    }
    return belongs;
}

}  // namespace holos::gui
