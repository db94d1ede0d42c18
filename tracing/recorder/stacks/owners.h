// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/code/loaded/unwind_table.h"
#include "tracing/recorder/stacks/walk/code_owner.h"

namespace holos::tracing::stacks {

/// `address`: of the code.
CodeOwner ownerOf(const code::LoadedFile& file, std::uint64_t address) noexcept;
/// The owner of an address of any file; code that is of no file is the program's. While a `FileTableUse`
/// lives.
CodeOwner ownerOf(std::uint64_t address) noexcept;

}  // namespace holos::tracing::stacks
