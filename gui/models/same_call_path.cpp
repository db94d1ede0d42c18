// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/same_call_path.h"

#include <algorithm>

#include "algebra/model/call_names.h"

namespace holos::gui {

using namespace algebra;

namespace {

/// What is called by `caller` there, or is a root, as `path` is here.
std::optional<CallPathId> sameCallee(const Experiment& from, CallPathId path, const Experiment& to,
                                     std::optional<CallPathId> caller) {
    const auto& candidates = caller ? to.callTree.children(*caller) : to.callTree.roots();
    const CallPath& a = from.callTree[path];
    const auto isSame = [&](CallPathId there) {
        const CallPath& b = to.callTree[there];
        return from.regionOf(path).name == to.regionOf(there).name &&
               a.numericParameters == b.numericParameters && a.stringParameters == b.stringParameters;
    };
    const auto isCalledThere = [&](CallPathId there) {
        return isSame(there) && callSiteText(a) == callSiteText(to.callTree[there]);
    };
    auto found = std::ranges::find_if(candidates, isCalledThere);
    // Lines move from version to version.
    if (found == candidates.end()) found = std::ranges::find_if(candidates, isSame);
    return found == candidates.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

std::optional<CallPathId> sameCallPath(const Experiment& from, CallPathId path, const Experiment& to) {
    std::vector<CallPathId> chain;
    for (std::optional<CallPathId> at = path; at; at = from.callTree.parent(*at)) chain.push_back(*at);
    std::optional<CallPathId> found;
    for (auto step = chain.rbegin(); step != chain.rend(); ++step) {
        found = sameCallee(from, *step, to, found);
        if (!found) return std::nullopt;
    }
    return found;
}

std::vector<std::optional<CallPathId>> sameCallPaths(const Experiment& from, const Experiment& to) {
    std::vector<std::optional<CallPathId>> same(from.callTree.size());
    for (const CallPathId path : from.callTree.ids()) {
        const auto up = from.callTree.parent(path);
        if (!up || same[up->index()])
            same[path.index()] = sameCallee(from, path, to, up ? same[up->index()] : std::nullopt);
    }
    return same;
}

}  // namespace holos::gui
