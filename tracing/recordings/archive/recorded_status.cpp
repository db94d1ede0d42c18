// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/recorded_status.h"

#include "base/input_file.h"

namespace holos::archive {

std::optional<tracing::Status> readStatus(const std::filesystem::path& folder) {
    tracing::Status status{};
    const Descriptor file = openRegular(folder / "status");
    const bool isRead = file && readAt(file, &status, sizeof status, 0) == sizeof status;
    return isRead && status.isThere != 0 ? std::optional(status) : std::nullopt;
}

}  // namespace holos::archive
