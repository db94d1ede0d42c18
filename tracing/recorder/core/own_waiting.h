// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// The notes of this process's threads (`waiting_notes.h`), which `awaits` of `events.h` writes.
namespace holos::tracing::core {

/// Bytes of the file `status` up to the last note.
std::size_t usedStatusBytes() noexcept;

/// Gives back the note of a thread that ends.
void releaseWaitingNote() noexcept;

}  // namespace holos::tracing::core
