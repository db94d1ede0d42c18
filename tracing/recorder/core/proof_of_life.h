// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// By what others know that this process lives: the file `alive` in its folder of the recording, which the
/// kernel keeps locked (process_identity.h) until the process's memory goes, by its end or by exec, whatever
/// ends it.
namespace holos::tracing::core {

/// Makes the folder of this process in `recording` and writes its name to `folder`: `HOST.PID.N`, with N the
/// first number that is free. It appears with its proof of life in it. False, and no folder, where it cannot
/// be made.
bool makeProcessFolder(const char* recording, char* folder, std::size_t size) noexcept;

}  // namespace holos::tracing::core
