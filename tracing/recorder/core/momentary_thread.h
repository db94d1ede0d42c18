// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::tracing::core {

/// Has a thread of the kernel do something that needs descriptors, while the caller waits: it has none of the
/// program's, and its own go with it. It takes nothing from the program's heap, gets no signals, and must not
/// allocate. Nothing is done where the kernel has no room for it. Not for programs that are confined
/// (`interpose::may`).
void runWithOwnFiles(void (*work)(void* data), void* data) noexcept;

/// Whether some thread waits for one.
bool someRunForAMoment() noexcept;

}  // namespace holos::tracing::core
