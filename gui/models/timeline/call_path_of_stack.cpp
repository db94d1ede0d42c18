// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/call_path_of_stack.h"

#include <algorithm>

namespace holos::gui {

using algebra::CallPathId;

namespace {

/// What roots call: a root may be the program itself, or stand above created threads, which is in no event.
std::vector<CallPathId> belowRoots(const algebra::Experiment& experiment) {
    std::vector<CallPathId> paths;
    for (const CallPathId root : experiment.callTree.roots())
        for (const CallPathId child : experiment.callTree.children(root)) paths.push_back(child);
    return paths;
}

/// Team threads begin with the construct of the team; which of its calls they are in, the master knows.
std::vector<CallPathId> everywhere(const algebra::Experiment& experiment) {
    std::vector<CallPathId> paths;
    for (const CallPathId path : experiment.callTree.ids()) paths.push_back(path);
    return paths;
}

/// The call paths of this name; only those that are called from the same line, where there are some.
std::vector<CallPathId> named(const std::vector<CallPathId>& paths, const trace::StackBar& bar,
                              const trace::Definitions& definitions, const algebra::Experiment& experiment) {
    std::vector<CallPathId> same, sameLine;
    const auto line = static_cast<std::int64_t>(definitions[bar.site].line);
    for (const CallPathId path : paths) {
        if (experiment.regionOf(path).name != definitions[bar.region].name) continue;
        same.push_back(path);
        if (line != 0 && experiment.callTree[path].line == line) sameLine.push_back(path);
    }
    return sameLine.empty() ? same : sameLine;
}

}  // namespace

std::vector<trace::StackBar> stackAt(const trace::StackExcerpt& excerpt, trace::Ticks time,
                                     std::uint32_t deepest) {
    std::vector<trace::StackBar> stack;
    for (const trace::StackBar& bar : excerpt.bars)
        if (bar.begin <= time && time < bar.end && bar.depth <= deepest) stack.push_back(bar);
    std::ranges::stable_sort(stack, {}, &trace::StackBar::depth);
    return stack;
}

std::vector<CallPathId> callPathsOf(const std::vector<trace::StackBar>& stack,
                                    const trace::Definitions& definitions,
                                    const algebra::Experiment& experiment) {
    std::vector<CallPathId> found;
    std::vector<CallPathId> next = experiment.callTree.roots();
    for (const trace::StackBar& bar : stack) {
        std::vector<CallPathId> here = named(next, bar, definitions, experiment);
        if (here.empty() && found.empty()) here = named(belowRoots(experiment), bar, definitions, experiment);
        if (here.empty() && found.empty() && definitions[bar.region].paradigm == trace::Paradigm::OpenMp)
            here = named(everywhere(experiment), bar, definitions, experiment);
        if (here.empty()) continue;
        next.clear();
        for (const CallPathId path : here)
            for (const CallPathId child : experiment.callTree.children(path)) next.push_back(child);
        found = std::move(here);
    }
    return found;
}

}  // namespace holos::gui
