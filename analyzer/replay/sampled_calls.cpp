// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/sampled_calls.h"

namespace holos::analyzer::replay {

NodeId SampledCalls::at(NodeId around, trace::ContextId context) {
    const auto [known, isNew] = known_.try_emplace(std::uint64_t{around.index()} << 32U | context.index());
    if (isNew) known->second = make(around, context);
    return known->second;
}

/// Damaged definitions cannot make this endless: parents are defined before.
NodeId SampledCalls::make(NodeId around, trace::ContextId context) {
    std::vector<trace::ContextId> calls{context};
    while (const auto parent = definitions_[calls.back()].parent) calls.push_back(*parent);
    NodeId node = around;
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
        const trace::CallingContext& found = definitions_[*call];
        if (call != calls.rbegin() || !isAround(around, found.region))
            node = tree_.sampledChild(node, found.region, classes_);
        if (found.line) node = tree_.sampledChild(node, *found.line, classes_);
    }
    return node;
}

/// Whether it is the innermost of the functions that compilers tell of: it was entered.
bool SampledCalls::isAround(NodeId node, RegionId function) const {
    for (; node != kOutside && node != kProgram; node = tree_[node].parent) {
        const trace::Region& region = definitions_[tree_[node].region];
        if (!tree_[node].adopted && region.paradigm == trace::Paradigm::Compiler)
            return region.name == definitions_[function].name && region.file == definitions_[function].file;
    }
    return false;
}

}  // namespace holos::analyzer::replay
