// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>

#include "tracing/recordings/format/record.h"

namespace holos::archive {

/// What a process's file `status` says, in its folder of the recording. Nothing where there is none, or
/// where its file system lost it.
std::optional<tracing::Status> readStatus(const std::filesystem::path& folder);

}  // namespace holos::archive
