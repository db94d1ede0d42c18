// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::tracing::core {

struct Thread;

}  // namespace holos::tracing::core

namespace holos::tracing::stacks {

/// What threads need for their call paths and samples, besides what the recorder asks for
/// (`core/call_paths.h`).

/// Keeps the table of loaded files, where that is needed or `HOLOS_FILE_TABLE` asks for it (`file_table.h`).
void prepareFileTable() noexcept;

/// What the calling thread's paths need. Nothing where it has that, or none are wanted.
void startPaths(core::Thread& thread) noexcept;
/// Gives it back; the thread is at its end.
void stopPaths(core::Thread& thread) noexcept;

/// Ends samples of the calling thread, before it ends.
void stopThread() noexcept;

}  // namespace holos::tracing::stacks
