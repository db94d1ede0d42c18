// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/code/loaded/byte_reader.h"

namespace holos::tracing::stacks::python {

/// The line of the instruction so many bytes behind the first, by a code object's table of locations
/// (`co_linetable`; the format of CPython 3.11 and later, Objects/locations.md). 0: it has none.
std::uint32_t lineAt(code::ByteReader table, std::uint32_t firstLine, std::uint64_t offset) noexcept;

}  // namespace holos::tracing::stacks::python
