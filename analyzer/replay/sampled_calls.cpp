// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/sampled_calls.h"

#include <algorithm>

namespace holos::analyzer::replay {

NodeId SampledCalls::at(NodeId around, trace::ContextId context) {
    const auto [known, isNew] = known_.try_emplace(std::uint64_t{around.index()} << 32U | context.index());
    if (isNew) known->second = make(around, context, true);
    return known->second;
}

NodeId SampledCalls::callerOf(NodeId around, trace::ContextId context) {
    const auto [known, isNew] = callers_.try_emplace(std::uint64_t{around.index()} << 32U | context.index());
    if (isNew) {
        const auto caller = definitions_[context].parent;
        known->second = caller ? make(around, *caller, false) : around;
    }
    return known->second;
}

/// Damaged definitions cannot make this endless: parents are defined before.
NodeId SampledCalls::make(NodeId around, trace::ContextId context, bool withLines) {
    std::vector<trace::ContextId> calls{context};
    while (const auto parent = definitions_[calls.back()].parent) calls.push_back(*parent);
    const std::size_t entered = innermostEntered(around, calls);
    NodeId node = around;
    for (std::size_t i = std::min(entered + 1, calls.size()); i-- > 0;) {
        const trace::CallingContext& found = definitions_[calls[i]];
        if (i != entered) node = tree_.sampledChild(node, found.region, classes_);
        if (withLines && found.line) node = tree_.sampledChild(node, *found.line, classes_);
    }
    return node;
}

/// The position of the call, leaf first, that stands around the sample already: of the regions that were
/// entered the innermost one that is among the calls. Behind the last one where there is none.
std::size_t SampledCalls::innermostEntered(NodeId node, const std::vector<trace::ContextId>& calls) const {
    for (; node != kOutside && node != kProgram; node = tree_[node].parent) {
        if (tree_[node].adopted) continue;
        const auto found = std::find_if(calls.begin(), calls.end(), [&](trace::ContextId call) {
            return isSameFunction(tree_[node].region, definitions_[call].region);
        });
        if (found != calls.end()) return static_cast<std::size_t>(found - calls.begin());
    }
    return calls.size();
}

/// Functions that compilers tell of and those of samples may be defined twice.
bool SampledCalls::isSameFunction(RegionId entered, RegionId sampled) const {
    const trace::Region& function = definitions_[entered];
    return entered == sampled ||
           (function.paradigm == trace::Paradigm::Compiler && function.name == definitions_[sampled].name &&
            function.file == definitions_[sampled].file);
}

}  // namespace holos::analyzer::replay
