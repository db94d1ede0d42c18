// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// Copies the recording to its files, where it is kept in memory (`storage.h`). A thread of the recorder with
/// files of its own does so every quarter of a second; it begins with the program's first event, so that a
/// program that records nothing stays alone. Memory of a chunk is the location's until `endCopy`, then the
/// copier's.
///
/// A killed program leaves what was copied as a whole: of each part, the first word is written last. An error
/// of the file system stops the recording; from then on what is in memory is counted as lost. The room for
/// `status` is there from the start, also where file systems write to new places; where it is not
/// nevertheless, the missing file `reserve` says that the recording stopped, and that nobody knows how much
/// is missing.
namespace holos::tracing::core {

struct Location;

/// The location's new chunk is to be copied to the offset of the file. `isUsedAgain`: older records are
/// there.
void beginCopy(Location& location, std::uint64_t offset, bool isUsedAgain) noexcept;

/// How much memory events may take, by what the job has: called once, before there are any. Opens files.
void measureCopyRoom() noexcept;
/// Chunks are not larger than that.
std::size_t largestCopiedChunk() noexcept;

/// Hands over the location's chunk. Waits where the copier is far behind.
void endCopy(Location& location) noexcept;

/// Has the thread that copies at work, where it is not yet.
void startCopying() noexcept;

/// Copies what the recorder begins with, in the calling thread. Opens files: called while it begins.
void copyBegin() noexcept;

/// Copies what is there by now. Comes back when that is done, or when the disk is too slow.
void copyNow() noexcept;

/// Copies everything, for good.
void finishCopying() noexcept;

}  // namespace holos::tracing::core
