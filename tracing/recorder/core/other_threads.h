// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recordings/format/definition_kinds.h"

/// Threads of the process that have no location of their own: written down with their time on processors and
/// whose they are, so that no processor time is missing without a word. Nothing is written of a thread that
/// worked as part of a team: its time is that of its places.
namespace holos::tracing::core {

/// The calling thread has no location of its own, for this reason, until `endOtherThread`. `starter`: where
/// the code is that started it, or null.
void beginOtherThread(ThreadOrigin origin, const void* starter) noexcept;
void endOtherThread() noexcept;

/// A thread that will say whose it is is about to be started; it has said it, or could not be started.
void expectThread() noexcept;
void noteExpectedThread() noexcept;

/// The calling thread ends, and what is known of it is being written: it is not named again, however long the
/// rest of its end takes.
void noteEndingThread() noexcept;

/// While the recording begins: threads that are there already.
void noteThreadsBefore() noexcept;

/// While it ends, before `noteFinalBindings`: all that are still there, also those that nobody has told of.
void noteLivingThreads() noexcept;

}  // namespace holos::tracing::core
