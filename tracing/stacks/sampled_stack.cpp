// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/stacks/sampled_stack.h"

#include <algorithm>

namespace holos::tracing::stacks {

bool SampledStack::hasInterpreter() const noexcept {
    return std::any_of(owners_.begin(), owners_.begin() + static_cast<std::ptrdiff_t>(count_),
                       &isOfInterpreter);
}

std::span<const Frame> SampledStack::withPython(const Registers& registers, const Stack& stack,
                                                std::uint64_t region, python::MixedStack& mixed) noexcept {
    std::size_t count = 0;
    mixed.begin(python::interpreter(), {registers.sp(), stack.high}, python::Memory::Trust::None);
    for (std::size_t i = 0; i < count_ && !mixed.isFull(); ++i) {
        const std::size_t before = mixed.calls().size();
        mixed.add(
            {frames_[i].address, i > 0 ? frames_[i - 1].end : registers.sp(), frames_[i].end, owners_[i]});
        const CodeOwner owner = isOfInterpreter(owners_[i]) ? CodeOwner::Program : owners_[i];
        for (const std::uint64_t address : mixed.calls().subspan(before)) {
            if (count == mixedFrames_.size()) break;
            mixedOwners_[count] = owner;
            mixedFrames_[count++] = {address, frames_[i].end};
        }
    }
    return programPart({mixedFrames_.data(), count}, mixedOwners_.data(), region);
}

std::span<const Frame> SampledStack::programFunctions(const Registers& registers, const Stack& stack,
                                                      std::uint64_t region,
                                                      python::MixedStack*& mixed) noexcept {
    const std::size_t most = python::interpreter() != nullptr ? kMostWalked : kMostSampledFrames;
    count_ = walkStack(registers, stack, frames_.data(), most);
    for (std::size_t i = 0; i < count_; ++i) {
        LoadedFile file;
        owners_[i] =
            findLoadedFile(frames_[i].address, file) ? ownerOf(file, frames_[i].address) : CodeOwner::Program;
    }
    if (hasInterpreter()) {
        if (mixed == nullptr) mixed = python::makeMixedStack();
        if (mixed != nullptr) return withPython(registers, stack, region, *mixed);
    }
    return programPart({frames_.data(), std::min<std::size_t>(count_, kMostSampledFrames)}, owners_.data(),
                       region);
}

}  // namespace holos::tracing::stacks
