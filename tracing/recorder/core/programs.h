// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The recorder's libraries in the variable by which the system loads them (`LD_PRELOAD`). All functions are
/// safe in a child that shares its parent's memory.

namespace holos::tracing::core {

inline constexpr char kPreload[] = "LD_PRELOAD=";

/// Keeps them, as the system was told to load them. Called while the program starts.
void keepPreloaded() noexcept;
/// The libraries that were kept, as in the variable.
const char* preloaded() noexcept;

/// Whether the libraries `all`, as in the variable, have the recorder among them.
bool hasRecorder(const char* all) noexcept;
/// Whether a program that is started now could not load the recorder: the first of its libraries among `all`,
/// or else of those that were kept, is not there, as below another root folder (`chroot`). The system would
/// write a complaint to the program's output.
bool isOutOfReach(const char* all) noexcept;
/// Writes `all` without the recorder's libraries to `to`, which has room for `all`.
void writeOthers(char* to, const char* all) noexcept;

/// Before the C library starts a command with the environment of the process (`system`, `popen`): takes what
/// could not be loaded out of it, and counts the command, of which the recording will not hear otherwise.
void prepareCommand() noexcept;

}  // namespace holos::tracing::core
