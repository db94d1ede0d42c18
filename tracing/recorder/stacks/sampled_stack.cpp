// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/sampled_stack.h"

#include <algorithm>

namespace holos::tracing::stacks {

namespace {

SampledPart sampled(const ProgramPart& part, WalkEnd end) noexcept {
    if (!part.isLast || end == WalkEnd::Outermost) return {part.functions, kNoPath};
    return {part.functions, end == WalkEnd::Unknown ? kUnknownCallers : kMoreCallers};
}

}  // namespace

bool SampledStack::hasInterpreter() const noexcept {
    return std::any_of(owners_.begin(), owners_.begin() + static_cast<std::ptrdiff_t>(count_),
                       &isOfInterpreter);
}

SampledPart SampledStack::withPython(const code::Registers& registers, const code::Stack& stack,
                                     StackBound region, python::MixedStack& mixed) noexcept {
    std::size_t count = 0;
    WalkEnd end = end_;
    mixed.begin(python::interpreter(), {registers.sp(), stack.high}, python::Memory::Trust::None);
    for (std::size_t i = 0; i < count_ && end != WalkEnd::MoreCallers; ++i) {
        const std::size_t before = mixed.calls().size();
        mixed.add(
            {frames_[i].address, i > 0 ? frames_[i - 1].end : registers.sp(), frames_[i].end, owners_[i]});
        const CodeOwner owner = isOfInterpreter(owners_[i]) ? CodeOwner::Program : owners_[i];
        for (const std::uint64_t address : mixed.calls().subspan(before)) {
            if (count == mixedFrames_.size()) end = WalkEnd::MoreCallers;
            if (count == mixedFrames_.size()) break;
            mixedOwners_[count] = owner;
            mixedFrames_[count++] = {address, frames_[i].end};
        }
        if (mixed.isFull()) end = WalkEnd::MoreCallers;
    }
    return sampled(programPart({mixedFrames_.data(), count}, end, mixedOwners_.data(), region), end);
}

SampledPart SampledStack::programFunctions(const code::Registers& registers, const code::Stack& stack,
                                           StackBound region, python::MixedStack*& mixed) noexcept {
    const std::size_t most = python::interpreter() != nullptr ? kMostWalked : kMostSampledFrames;
    const auto [count, end] = walkStack(registers, stack, frames_.data(), most);
    count_ = count;
    end_ = end;
    for (std::size_t i = 0; i < count_; ++i) owners_[i] = ownerOf(frames_[i].address);
    if (hasInterpreter()) {
        if (mixed == nullptr) mixed = python::makeMixedStack();
        if (mixed != nullptr) return withPython(registers, stack, region, *mixed);
    }
    const bool isLonger = count_ > kMostSampledFrames;
    const std::span<const Frame> frames(frames_.data(), isLonger ? kMostSampledFrames : count_);
    const WalkEnd last = isLonger ? WalkEnd::MoreCallers : end_;
    return sampled(programPart(frames, last, owners_.data(), region), last);
}

}  // namespace holos::tracing::stacks
