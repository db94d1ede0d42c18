// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/core/growing_file.h"

/// The files of this process's recording: `definitions`, `events` and `status`.
///
/// Where a file system keeps room for what was reserved (ext, XFS, tmpfs), they are mapped: the kernel has at
/// once what is written, and a killed program leaves all of it. Disks can have errors: `growing_file.h`.
/// Others need room again for a page that they wrote to the disk before (btrfs, ZFS), or may lose the file
/// (network file systems), and then end the program by a signal. There the recorder writes to memory of its
/// own, and a thread of its own copies that to the files (`copying.h`).
///
/// With `--local` the file `events` is on a disk of the node, in `DIR/holos-RUN/HOST.PID.N`, and a link in
/// the recording leads there. `archive/folder/local_events.h` moves it when the process has ended.
namespace holos::tracing::core {

struct Storage {
    GrowingFile definitions;
    GrowingFile events;  ///< where it is mapped
    GrowingFile status;
};
extern Storage storage;

/// Makes the files in the folder. `HOLOS_STORAGE` (`mapped`, `copied`) says how they are kept, else the file
/// system. Returns 0 or an errno.
int createStorage(const char* folder) noexcept;

/// Whether what is written is copied to the files later.
bool storageIsCopied() noexcept;

/// The folder on a disk of the node in which the events are (`--local`); empty where they are in that of the
/// recording.
const char* localFolder() noexcept;
/// Why they are not on a disk of the node, although that was wanted: an errno, or 0.
int localFailure() noexcept;

// What happens when others, or the recording, have used up the disk that it is on (`Settings::diskReserve`,
// `whenDiskLow`).

/// Whether no more events may be written, because less is free than the reserve and what the trace will take.
/// Looks at the disk now and then, and no more where there is no reserve. At the first time that too little
/// is free, the recording stops, or goes on as a profile, and what happened is noted for people. Called
/// before a chunk is begun.
bool diskIsLow() noexcept;

// What is recorded survives the process at once, because the kernel has it; a node that is lost takes with
// it what the kernel did not yet write to the disk or file server.

/// Starts a thread of the recorder that has all files of the recording written every `HOLOS_WRITE_BACK`
/// nanoseconds, if that is set. Called once, when the recording has begun.
void startWritingBack() noexcept;

/// Ends it, before the recording ends.
void stopWritingBack() noexcept;

}  // namespace holos::tracing::core
