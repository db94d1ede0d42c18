// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

namespace holos::analyzer::trace {

/// The anchor file (`….otf2`) that a user means: the path itself, or the only such file in the directory.
/// Throws `holos::Error` when there is none, or several of which none is called `traces.otf2`, or when it
/// announces more properties than it has bytes: OTF2 3.0 would spend minutes on making room for them.
std::filesystem::path findAnchor(const std::filesystem::path& archiveOrDirectory);

/// What the writer of an archive says of itself in its anchor file: `Score-P 8.4`. Empty when that is
/// nothing.
std::string writerOf(const std::filesystem::path& anchor);

}  // namespace holos::analyzer::trace
