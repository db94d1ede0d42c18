// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracing/recordings/format/path_numbers.h"

namespace holos::tracing::stacks {

/// A file in a place in memory. The same file has the same number when it comes back there after it was
/// unloaded; one that was written anew in between is another.
using FileNumber = std::uint32_t;
inline constexpr FileNumber kNoFile = 0;

/// How many files in places are told apart.
inline constexpr std::size_t kMostKnownFiles = 4096;

/// The file of this code; `kNoFile` where there is none, or no room for it. Makes a system call for each file
/// once after files were unloaded, allocates nothing and takes no lock. While a `FileTableUse` lives.
FileNumber fileOf(std::uint64_t address) noexcept;

/// Sees to it that the file of this code, and where it is in memory, is among the definitions, behind those
/// of files that were in its place before. Makes no more system calls than `fileOf`, and needs the same.
void rememberFile(std::uint64_t address) noexcept;

/// How many files are among the definitions by now: the code of those that were remembered is of the last one
/// of these in its place. Another thread may be about to write one more.
std::uint32_t definedFiles() noexcept;

/// The path that goes on from `caller` with a call that returns to this address: a new one is among the
/// definitions before anybody gets its number. When another file has come to the place of one that was
/// unloaded, it is another path; when the same file has come back there, it is the same. Takes no lock; safe
/// from several threads, and in a signal handler that did not interrupt it. Where there is no room left, it
/// is `kMorePaths`.
PathNumber pathBelow(PathNumber caller, std::uint64_t returnAddress) noexcept;

}  // namespace holos::tracing::stacks
