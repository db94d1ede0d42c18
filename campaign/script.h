// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "campaign/state.h"

namespace holos::campaign {

/// The files of a run besides its folder.
std::filesystem::path outputOf(const std::filesystem::path& folder, const Run& run);
std::filesystem::path statusOf(const std::filesystem::path& folder, const Run& run);
/// What `holos record` found not to be countable: a JSON object of names and reasons. Missing where all is.
std::filesystem::path refusedOf(const std::filesystem::path& folder, const Run& run);
std::filesystem::path scriptOf(const std::filesystem::path& folder, const Run& run);

/// `holos record …` for a run; `holos` is the program to call.
std::vector<std::string> recordCommand(const std::string& holos, const std::filesystem::path& folder,
                                       const Run& run, const std::vector<std::string>& command);

/// The template of a batch script. Throws Error where it cannot be read, or is too large for one.
std::string readTemplate(const std::filesystem::path& file);

/// A script for a batch system: `text` with `@RECORD@` replaced by the command that runs and records the
/// program, leaving its output in `outputOf` and its exit status in `statusOf`; `@NAME@` by the run's name,
/// `@EVENTS@` by its events, `@OUTPUT@` by the path of its output. Throws Error when there is no `@RECORD@`.
std::string fillTemplate(const std::string& text, const std::filesystem::path& folder, const Run& run,
                         const std::vector<std::string>& record);

}  // namespace holos::campaign
