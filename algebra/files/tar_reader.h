// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "algebra/files/file_reader.h"

namespace holos::algebra {

/// Where a member's bytes are in the container.
struct TarMember {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

/// The members of a tar archive by name. Understands the padding that CUBE's own writers use (a whole zero
/// block behind a member whose size is a multiple of 512), long sizes and names. Throws `holos::Error` for a
/// file that is not a tar archive, ends inside or right behind a member instead of with the archive's end
/// mark, holds a name twice, or holds a name that would lead out of a folder.
std::map<std::string, TarMember> readTarDirectory(const FileReader& file);

}  // namespace holos::algebra
