// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Files and folders of the recording, which their owner may read and write whatever the program's umask
/// takes away: a program may set one by which it could not open its own files again.
namespace holos::tracing::core {

/// As open(2) with `O_CREAT` and `O_CLOEXEC`: a descriptor, or -1 with errno.
int createOwnFile(const char* path, int flags) noexcept;

/// As mkdir(2): 0, or -1 with errno.
int createOwnFolder(const char* path) noexcept;

}  // namespace holos::tracing::core
