// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/frame_tree.h"

#include "analyzer/trace/triple_hash.h"

namespace holos::analyzer::trace {

std::size_t FrameTree::KeyHash::operator()(const Key& key) const {
    return tripleHash(key.caller.index(), key.function.index(), key.site.index());
}

FrameId FrameTree::add(FrameId caller, RegionId function, SiteId site) {
    const std::uint32_t depth = caller == kNoFrame ? 0 : (*this)[caller].depth + 1;
    if (depth >= kDeepest) {
        isCut_ = true;
        return caller;
    }
    const auto [known, isNew] = known_.try_emplace({caller, function, site}, FrameId(frames_.size()));
    if (isNew) frames_.push_back({function, site, caller, depth});
    return known->second;
}

}  // namespace holos::analyzer::trace
