// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/call_order.h"

namespace holos::code {
namespace {

bool areInOneCopy(const CallOrder::Call& one, const CallOrder::Call& other, std::size_t inlined) {
    return one.inlined.size() > inlined && other.inlined.size() > inlined &&
           one.inlined[inlined].entry == other.inlined[inlined].entry;
}

}  // namespace

const FunctionFlow* CallOrder::flowAround(const Call& call) {
    const auto extent = extents_.at(call.returned - 1);
    if (!extent) return nullptr;
    const auto [found, isNew] = flows_.try_emplace(extent->begin);
    if (isNew) found->second = FunctionFlow::at({code_, extents_, pads_, twice_, data_}, extent->begin);
    const FunctionFlow* const flow = found->second.get();
    return flow != nullptr && flow->hasCall(call.returned) ? flow : nullptr;
}

bool CallOrder::mayFollow(const Call& first, const Call& second, std::size_t depth) {
    const FunctionFlow* const flow = flowAround(first);
    if (flow == nullptr || !flow->hasCall(second.returned)) return true;
    if (depth > first.inlined.size() || depth > second.inlined.size()) return true;
    if (depth > 0 && !areInOneCopy(first, second, depth - 1)) return false;
    const std::pair asked(first.returned, depth);
    if (!recent_ || recent_->first != asked) {
        const CodeRanges* const within = depth > 0 ? &first.inlined[depth - 1].code : nullptr;
        const CodeRanges* const inner = depth < first.inlined.size() ? &first.inlined[depth].code : nullptr;
        recent_.emplace(asked, flow->after(first.returned, within, inner));
    }
    const FunctionFlow::Reach& reach = recent_->second;
    return areInOneCopy(first, second, depth) ? reach.includesFromOutside(second.returned)
                                              : reach.includes(second.returned);
}

}  // namespace holos::code
