// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// A store to a mapped file can fail although there was room: the disk has an error, the file server is gone,
/// somebody cut the file. The kernel then sends SIGBUS, which ends a program. The guard's handler puts memory
/// in place of the file there, with what can still be read of it, and stops the recording: the store is done
/// again, and the program goes on. Every other SIGBUS is the program's: its own handler gets it, or what the
/// system does by default happens.
///
/// Not where a thread has blocked the signal, where the program ignores it, or set a handler by a system call
/// of its own.
namespace holos::tracing::core {

/// Called once, before anything is mapped.
void guardStorage() noexcept;

/// A part of a file that is stored to is there from now on, or no longer. Thread safety: safe.
void guardMapping(void* begin, std::size_t bytes) noexcept;
void forgetMapping(void* begin) noexcept;

}  // namespace holos::tracing::core
