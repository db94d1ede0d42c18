// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/plain_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

namespace holos::archive {

void writePlainFile(const fs::path& path, std::string_view text) {
    errno = 0;
    std::ofstream file(path);
    file << text;
    if (!file.flush())
        throw Error("cannot be written: " + std::generic_category().message(errno), {.file = path.string()});
}

}  // namespace holos::archive
