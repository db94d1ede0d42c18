// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace holos::tracing::core {
struct Thread;
}

/// Samples of the call stack: where a thread is whenever a number of events, or a time, has passed.
namespace holos::tracing::stacks {

/// Chooses what interrupts threads (`Settings::stackSamples`) and prepares the signal for it. What cannot be
/// is written down as trouble, and nothing is sampled then. Called once, before threads are recorded.
void prepare() noexcept;

/// Keeps the table of loaded files, where that is needed or `HOLOS_FILE_TABLE` asks for it (`file_table.h`).
void prepareFileTable() noexcept;

/// Makes ready what the calling thread's call paths need, and begins to interrupt it, as far as that was
/// chosen and is not so yet.
void startThread(core::Thread& thread) noexcept;

/// Ends it, before the thread does.
void stopThread() noexcept;

}  // namespace holos::tracing::stacks
