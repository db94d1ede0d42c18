// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metric-specs/specification.h"

namespace holos::specs {

/// The folders that are searched for platform files, the first first: those of HOLOS_SPECS_PATH (separated by
/// `:`), then `share/holos/platforms` beside the folder that holds the running program or library.
std::vector<std::filesystem::path> platformFolders();

/// The names of all platform files found, without folder and `.spec`, in alphabetical order.
std::vector<std::string> platforms();

/// The file of a specification: `nameOrPath` itself when it has a `/` or ends with `.spec`, otherwise
/// NAME.spec of the first platform folder that has one. Throws Error with a suggestion when there is none.
std::filesystem::path locate(std::string_view nameOrPath);

/// Loads what `locate` finds.
Specification find(std::string_view nameOrPath);

/// The first platform file that is for this processor; files with mistakes are passed over.
std::optional<Specification> findFor(const Processor& processor);

}  // namespace holos::specs
