// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/machine/function_flow.h"

#include <algorithm>

#include "tracing/code/machine/function_flow_builder.h"

namespace holos::code {

std::unique_ptr<FunctionFlow> FunctionFlow::at(const File& file, std::uint64_t address) {
    const auto extent = file.extents.at(address);
    auto flow = std::make_unique<FunctionFlow>();
    Builder builder(file);
    if (!extent || !builder.read(*extent) || !builder.build(*flow)) return nullptr;
    return flow;
}

std::uint32_t FunctionFlow::callTo(std::uint64_t returned) const {
    const auto behind = std::ranges::lower_bound(blocks_, returned, {}, &Block::end);
    const bool isCall =
        behind != blocks_.end() && behind->end == returned && behind->last == Instruction::Kind::Call;
    return isCall ? static_cast<std::uint32_t>(behind - blocks_.begin()) : kNone;
}

FunctionFlow::Reach FunctionFlow::after(std::uint64_t returned, const CodeRanges* within,
                                        const CodeRanges* inner) const {
    Reach reach(*this, within, inner);
    if (const std::uint32_t call = callTo(returned); call != kNone) reach.follow(call);
    return reach;
}

FunctionFlow::Reach::Reach(const FunctionFlow& flow, const CodeRanges* within, const CodeRanges* inner)
    : flow_(&flow), within_(within), inner_(inner), states_(flow.blocks_.size() + 1) {}

void FunctionFlow::Reach::follow(std::uint32_t call) {
    const auto all = static_cast<std::uint32_t>(flow_->blocks_.size());
    const auto leave = [&](std::uint32_t block, State state) {
        for (const std::uint32_t next : flow_->blocks_[block].next) enter(next, state);
        if (flow_->blocks_[block].last != Instruction::Kind::Call) return;
        for (const std::uint32_t next : flow_->afterCalls_) enter(next, state);
    };
    leave(call, kInside);
    while (!pending_.empty()) {
        const auto [block, state] = pending_.back();
        pending_.pop_back();
        if (block < all)
            leave(block, state);
        else
            for (std::uint32_t next = 0; next < all; ++next) enter(next, state);
    }
}

void FunctionFlow::Reach::enter(std::uint32_t number, State from) {
    const auto belongsTo = [&](const CodeRanges& ranges) {
        const Block& block = flow_->blocks_[number];
        return std::ranges::any_of(ranges, [&block](const auto& range) {
            return range.first < block.end && block.begin < range.second;
        });
    };
    const bool isBlock = number < flow_->blocks_.size();
    if (isBlock && within_ != nullptr && !belongsTo(*within_)) return;
    const bool isOutside = from == kOutside || (isBlock && inner_ != nullptr && !belongsTo(*inner_));
    const State state = isOutside ? kOutside : kInside;
    if ((states_[number] & state) != 0) return;
    states_[number] |= state;
    pending_.emplace_back(number, state);
}

std::uint8_t FunctionFlow::Reach::stateOf(std::uint64_t returned) const {
    const std::uint32_t call = flow_->callTo(returned);
    return call != kNone ? states_[call] : 0;
}

bool FunctionFlow::Reach::includes(std::uint64_t returned) const {
    return stateOf(returned) != 0;
}

bool FunctionFlow::Reach::includesFromOutside(std::uint64_t returned) const {
    return (stateOf(returned) & kOutside) != 0;
}

}  // namespace holos::code
