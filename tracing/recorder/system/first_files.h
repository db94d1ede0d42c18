// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::tracing::system {

/// Remembers which files came with the program, as it was linked. Called before it begins.
void noteFirstFiles() noexcept;

/// Whether code is that of a file that came with the program; false where nobody knows. Takes no lock from
/// glibc 2.35 on.
bool cameWithProgram(const void* code) noexcept;

}  // namespace holos::tracing::system
