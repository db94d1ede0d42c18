// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/core/chunks.h"
#include "tracing/recorder/interpose/confinement.h"

/// What the recorder does when the program is about to forbid itself system calls or the processor's clock
/// (`tracing/recorder/interpose/confinement.h`): it takes what it needs for a while, so that it goes on
/// without the kernel. When that is used up, or without any clock, the events of the thread are counted as
/// lost, and the program is told nothing.
namespace holos::tracing::core {

/// Called once, in the program's first thread.
void expectConfinement() noexcept;

/// Whether the calling thread may do what the recorder usually does.
inline bool mayAskKernel() noexcept {
    return interpose::may(interpose::Need::Storage);
}

/// One of the chunks that were taken for threads that may ask for none any more; false when there is none
/// left.
bool takeReadyChunk(ChunkPlace& place, void** memory) noexcept;

}  // namespace holos::tracing::core
