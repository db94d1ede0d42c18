// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/program_part.h"

#include <algorithm>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/stacks/python/interpreter.h"

namespace holos::tracing::stacks {

CodeOwner ownerOf(const code::LoadedFile& file, std::uint64_t address) noexcept {
    const bool isProgram = file.path == nullptr || *file.path == '\0';
    if (!isProgram && code::isRuntimeFile(file.path)) return CodeOwner::Runtime;
    if (!isProgram && code::isSystemFile(file.path)) return CodeOwner::System;
    return python::ownerIn(file, address);
}

CodeOwner ownerOf(std::uint64_t address) noexcept {
    code::LoadedFile file;
    return code::findLoadedFile(address, file) ? ownerOf(file, address) : CodeOwner::Program;
}

namespace {

using Owners = std::span<const CodeOwner>;

/// Up to the next function of a runtime.
std::size_t endOfPart(Owners owners, std::size_t begin) {
    return static_cast<std::size_t>(
        std::find(owners.begin() + static_cast<std::ptrdiff_t>(begin), owners.end(), CodeOwner::Runtime) -
        owners.begin());
}

/// `main` is called by the C library, which the program's own `_start` calls.
std::size_t withoutStart(Owners owners, std::size_t begin, std::size_t end) {
    const bool isWhole = end == owners.size();
    if (isWhole && end - begin > 1 && owners[end - 1] == CodeOwner::Program &&
        owners[end - 2] == CodeOwner::System)
        --end;
    while (end > begin && owners[end - 1] == CodeOwner::System) --end;
    return end;
}

/// No function of the program is among them.
bool isOfSystem(Owners part) {
    return std::all_of(part.begin(), part.end(), [](CodeOwner owner) { return owner == CodeOwner::System; });
}

}  // namespace

ProgramPart programPart(std::span<const Frame> frames, WalkEnd walkEnd, const CodeOwner* owners,
                        StackBound region) noexcept {
    const Owners all(owners, frames.size());
    for (std::size_t begin = 0, next = 0; begin < frames.size(); begin = next + 1) {
        next = endOfPart(all, begin);
        const bool isCut = next == frames.size() && walkEnd != WalkEnd::Outermost;
        std::size_t end = isCut ? next : withoutStart(all, begin, next);
        if (isOfSystem(all.subspan(begin, end - begin))) continue;
        for (std::size_t i = begin; i < end; ++i)
            if (region.excludes(frames[i].end) && owners[i] == CodeOwner::Program)
                return {frames.subspan(begin, i + 1 - begin), false};
        return {frames.subspan(begin, end - begin), next == frames.size()};
    }
    return {};
}

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
