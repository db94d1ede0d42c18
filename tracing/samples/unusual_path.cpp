// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/samples/file_table.h"
#include "tracing/samples/known_stack.h"
#include "tracing/samples/registers_here.h"
#include "tracing/samples/stack_walk.h"

namespace holos::tracing::samples {
namespace {

struct FoundFunction {
    std::uint64_t returnAddress;
    CodeOwner owner;
};

}  // namespace

PathNumber unusualPath(const Stack& stack, std::uint64_t outermost) noexcept {
    const FileTableUse use;
    std::array<FoundFunction, KnownStack::kMost> functions;
    Registers registers = registersHere();
    const Stack own{registers.sp(), stack.high};
    std::size_t count = 0;
    PathNumber path = kMoreCallers;
    bool isExact = false;
    while (path == kMoreCallers && count < functions.size()) {
        const std::uint64_t returnAddress = registers.pc() + (isExact ? 1 : 0);
        LoadedFile file;
        const CodeOwner owner = findLoadedFile(returnAddress - 1, file) ? ownerOf(file) : CodeOwner::Program;
        functions[count++] = {returnAddress, owner};
        std::uint64_t frame = 0;
        const bool hasCaller = goToCaller(registers, own, isExact, frame);
        const bool isLast = outermost != 0 && frame > outermost && owner == CodeOwner::Program;
        if (isLast || registers.pc() == 0)
            path = kNoPath;
        else if (!hasCaller)
            path = kUnknownCallers;
    }
    while (count-- > 0)
        if (functions[count].owner != CodeOwner::Runtime)
            path = pathBelow(path, functions[count].returnAddress);
    return path;
}

}  // namespace holos::tracing::samples
