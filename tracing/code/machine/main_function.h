// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gelf.h>

#include <cstdint>
#include <optional>

namespace holos::code {

/// Where the program's `main` begins, from what the code that begins the program hands to the C library: also
/// stripped programs have it. In the file's own terms; none where the code is of another form, as on aarch64,
/// where the address comes from a table.
std::optional<std::uint64_t> mainFunction(Elf* elf, std::uint64_t entry);

}  // namespace holos::code
