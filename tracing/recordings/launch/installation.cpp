// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/launch/installation.h"

namespace holos::launch {

namespace fs = std::filesystem;

std::string thisProgram() {
    return fs::read_symlink("/proc/self/exe").string();
}

/// The build tree has the layout of an installation, but for the name of the folder that plugins are in.
fs::path topFolder() {
    return fs::read_symlink("/proc/self/exe").parent_path().parent_path();
}

fs::path libraryFolder() {
    const fs::path top = topFolder();
    return fs::exists(top / HOLOS_PLUGINDIR) ? top / HOLOS_PLUGINDIR : top / "lib";
}

}  // namespace holos::launch
