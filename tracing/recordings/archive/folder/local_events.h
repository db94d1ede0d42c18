// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "tracing/recordings/archive/folder/measurement_folder.h"

/// Events that their process keeps on a disk of its node while it runs (`holos record --local DIR`). In the
/// place of its file of events the recording has a link to it:
///
///     recording/HOST.PID.N/events  ─▶  DIR/holos-RUN/HOST.PID.N/events
namespace holos::archive {

/// Moves the events of processes that have ended, as far as their disk is one of this machine, into the
/// recording: there they are complete before the others are removed. Several commands may do so at the same
/// time; each returns when all is there. With `all`, also of processes of which it is not known whether they
/// live. Throws `Error` where one cannot be moved; it stays as it is.
void bringEventsHome(const fs::path& recording, bool all = false);

/// The processes whose events are on disks of other machines.
struct DistantEvents {
    std::size_t processes = 0;
    std::string example;  ///< `node7 in /scratch/holos-…`
};
DistantEvents distantEvents(const fs::path& recording);

/// Of one process: where its events are, `node7 in /scratch/holos-…/node7.4711.0`; empty where they can be
/// read.
std::string distantPlaceOf(const fs::path& process);

/// Removes what a recording, which is removed itself now, has on disks of this machine.
void removeLocalEvents(const fs::path& recording) noexcept;

}  // namespace holos::archive
