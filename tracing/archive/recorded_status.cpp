// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/recorded_status.h"

#include <fstream>

namespace holos::archive {

std::optional<tracing::Status> readStatus(const std::filesystem::path& folder) {
    tracing::Status status{};
    std::ifstream file(folder / "status", std::ios::binary);
    if (!file.read(reinterpret_cast<char*>(&status), sizeof status)) return std::nullopt;
    return status;
}

}  // namespace holos::archive
