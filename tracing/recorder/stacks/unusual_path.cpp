// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/code/loaded/file_table.h"
#include "tracing/recorder/stacks/known_stack.h"
#include "tracing/recorder/stacks/registers_here.h"
#include "tracing/recorder/stacks/walk/stack_walk.h"

namespace holos::tracing::stacks {

/// As `pathOf` where there are functions of unusual forms, as one that a signal interrupted: finds all of
/// them, and knows none afterwards.
PathNumber KnownStack::unusualPath(const code::Stack& stack, const WantedPart& wanted) noexcept {
    const code::FileTableUse use;
    forget();
    code::Registers registers = registersHere();
    const code::Stack own{registers.sp(), stack.high};
    std::size_t count = 0;
    PathNumber path = kMoreCallers;
    bool isExact = false;
    bool isMixed = false;
    while (path == kMoreCallers && count < kMostShown) {
        const std::uint64_t returnAddress = registers.pc() + (isExact ? 1 : 0);
        const CodeOwner owner = ownerOf(returnAddress - 1);
        functions_[count++] = {{returnAddress, registers.sp(), 0}, {}, owner, kNoPath};
        isMixed = isMixed || isOfInterpreter(owner);
        std::uint64_t frame = 0;
        const bool hasCaller = goToCaller(registers, own, isExact, frame);
        const bool isOutermost = wanted.function.excludes(frame) && owner == CodeOwner::Program;
        const bool isOfTask = hasCaller && wanted.task.excludes(frame);
        if (isOutermost || registers.pc() == 0)
            path = kNoPath;
        else if (isOfTask)
            path = wanted.creation;
        else if (!hasCaller)
            path = kUnknownCallers;
    }
    if (isMixed && beginMixed(own, python::Memory::Trust::None)) {
        for (std::size_t i = 0; i < count && !mixed_->isFull(); ++i)
            addMixed(functions_[i], i + 1 < count ? functions_[i + 1].place.sp : own.high);
        return mixed_->path(path);
    }
    while (count-- > 0)
        if (functions_[count].owner != CodeOwner::Runtime) path = pathBelow(path, functions_[count].place.pc);
    return path;
}

}  // namespace holos::tracing::stacks
