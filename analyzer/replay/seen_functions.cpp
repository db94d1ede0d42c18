// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/seen_functions.h"

#include <algorithm>

namespace holos::analyzer::replay {

void SeenFunctions::sample(NodeId function) {
    const LocalTree& tree = stack_.tree();
    const NodeId before = met_ == kOutside ? tree[stack_.left()].parent : met_;
    const NodeId known = std::max(stack_.current(), tree.common(before, function));
    for (NodeId met = function; met != known; met = tree[met].parent) stack_.visit(met);
    metBelow_ = met_ == kOutside ? known : std::min(metBelow_, known);
    met_ = function;
}

void SeenFunctions::event(NodeId caller, NodeId shared) {
    const LocalTree& tree = stack_.tree();
    const NodeId known = met_ == kOutside ? shared : std::max(stack_.current(), tree.common(met_, caller));
    for (NodeId met = caller; met != std::min(known, shared); met = tree[met].parent) {
        const bool isCounted = met <= known && met_ != kOutside && met > metBelow_;
        if (!isCounted) stack_.visit(met);
    }
}

}  // namespace holos::analyzer::replay
