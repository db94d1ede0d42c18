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

}  // namespace holos::tracing::stacks
