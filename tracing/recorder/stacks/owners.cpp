// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/stacks/owners.h"

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

}  // namespace holos::tracing::stacks
