// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace holos::tracing::core {

/// The path of the file that is mapped at the address, also where the file or its folder was renamed since.
/// Takes no descriptor of the program, and nothing from its heap. Returns 0 or an errno: ENOENT where the
/// file was removed.
int findMappedFile(const void* address, char* path, std::size_t size) noexcept;

}  // namespace holos::tracing::core
