// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Which processes record. Everything that a recorded command starts inherits the preloaded library: the
/// launcher, its helpers, shells, and the program itself.
namespace holos::tracing::core {

/// The folder of the recording, from `HOLOS_RECORDING`, or, where that is no longer its place, from
/// `HOLOS_RECORDING_LINK`, which `holos record` keeps for processes of its machine; null where no folder is
/// given, or this process is built with ThreadSanitizer, which takes the recorder's memory and threads for
/// the program's.
const char* recordingFolder() noexcept;

/// Whether a program is a launcher or a shell by its name, which are not recorded themselves. (Helpers that
/// only look like a program are recognised after the run: they have no events, or never joined MPI where
/// others did.)
bool isLauncher(const char* executable) noexcept;

/// The rank that a launcher gave this process in its environment, or -1.
long launcherRank() noexcept;
/// Its rank among the processes of its node, or -1.
long localRank() noexcept;

}  // namespace holos::tracing::core
