// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/definition_log.h"

#include <climits>
#include <cstdio>

#include "tracing/core/files.h"
#include "tracing/core/process.h"

namespace holos::tracing::core {

void Definition::write() noexcept {
    if (directory()[0] == '\0') return;
    const auto length = static_cast<std::uint32_t>(bytes_.size() - sizeof(std::uint32_t));
    std::memcpy(bytes_.data(), &length, sizeof length);
    char path[PATH_MAX];
    std::snprintf(path, sizeof path, "%s/definitions", directory());
    if (const int error = appendToFile(path, bytes_.data(), bytes_.size()); error != 0) fail(error);
}

}  // namespace holos::tracing::core
