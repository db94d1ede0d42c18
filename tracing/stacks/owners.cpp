// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/stacks/owners.h"

#include "tracing/core/runtimes.h"
#include "tracing/stacks/python/interpreter.h"

namespace holos::tracing::stacks {

CodeOwner ownerOf(const LoadedFile& file, std::uint64_t address) noexcept {
    const bool isProgram = file.path == nullptr || *file.path == '\0';
    if (!isProgram && core::isRuntimeFile(file.path)) return CodeOwner::Runtime;
    if (!isProgram && core::isSystemFile(file.path)) return CodeOwner::System;
    return python::ownerIn(file, address);
}

CodeOwner ownerOf(std::uint64_t address) noexcept {
    LoadedFile file;
    return findLoadedFile(address, file) ? ownerOf(file, address) : CodeOwner::Program;
}

}  // namespace holos::tracing::stacks
