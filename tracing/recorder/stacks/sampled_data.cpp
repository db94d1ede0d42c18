// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/sampled_data.h"

#include <sys/auxv.h>
#include <unistd.h>

#include "tracing/code/loaded/unwind_table.h"
#include "tracing/recorder/allocations/allocations.h"
#include "tracing/recorder/stacks/walk/known_files.h"

namespace holos::tracing::stacks {
namespace {

using counters::MemoryPart;

/// Between the program and the end of its data, which brk(2) moves, is nothing else.
bool isBelowBreak(std::uint64_t address) noexcept {
    return address >= ::getauxval(AT_PHDR) && address < reinterpret_cast<std::uint64_t>(::sbrk(0));
}

/// 0 where the file says nothing of it.
std::uint64_t functionAt(std::uint64_t address) noexcept {
    code::LoadedFile file;
    code::UnwindEntry entry;
    const bool isKnown = code::findLoadedFile(address, file) && code::findUnwindEntry(file, address, entry);
    return isKnown ? entry.functionBegin : 0;
}

}  // namespace

AccessedData accessedData(std::uint64_t address, const code::Stack& own) noexcept {
    if (own.contains(address)) return {MemoryPart::Stack};
    code::LoadedFile file;
    if (code::findLoadedFile(address, file)) {
        rememberFile(address);
        return {MemoryPart::File};
    }
    if (const auto block = allocations::blockAt(address))
        return {MemoryPart::Heap, block->path, block->number};
    return {isBelowBreak(address) ? MemoryPart::Heap : MemoryPart::Other};
}

std::uint64_t placeOfAccess(std::uint64_t interrupted, std::uint64_t access) noexcept {
    const std::uint64_t function = functionAt(interrupted);
    return function != 0 && functionAt(access) == function ? access : interrupted;
}

}  // namespace holos::tracing::stacks
