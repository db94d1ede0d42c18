// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Zydis/Zydis.h>

#include <cstddef>
#include <cstdint>

#include "tracing/code/machine/machine_code.h"

namespace holos::code {

/// Of the instruction that these bytes at an address begin with.
Operation x86Operation(const ZydisDecoder& decoder, const unsigned char* bytes, std::size_t size,
                       std::uint64_t address);

}  // namespace holos::code
