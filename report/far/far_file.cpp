// SPDX-License-Identifier: BSD-3-Clause
#include "report/far/far_file.h"

#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/process.h"

namespace holos::far {

std::optional<FarFile> farFile(const std::string& name) {
    const std::size_t colon = name.find(':');
    std::error_code none;
    if (colon == std::string::npos || colon == 0 || name.find('/') < colon ||
        std::filesystem::exists(name, none))
        return std::nullopt;
    if (name.front() == '-') throw Error("no name of a machine", Place{.file = name});
    return FarFile{name.substr(0, colon), colon + 1 == name.size() ? "." : name.substr(colon + 1)};
}

std::vector<std::string> commandThere(const FarFile& file, const std::string& program) {
    // Compressed, as values often are zero; where the network breaks down, ssh finds out and ends.
    return {"ssh",
            "-T",
            "-C",
            "-o",
            "ServerAliveInterval=15",
            "--",
            file.host,
            shellLine({program, "serve", "--for-view", "--", file.path})};
}

}  // namespace holos::far
