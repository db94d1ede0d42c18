// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

namespace holos::code {

/// By which compiler code was made. What gcc optimised need not follow the source's order.
enum class Compiled : std::uint8_t { ByGcc, ByGccOptimised, ByOthers };

/// What the table of lines says around a call, of the file that the call stands in. Lines are 0 where nothing
/// is known.
struct CallLines {
    std::string file;
    Compiled by = Compiled::ByOthers;
    /// Where the last statement began before the call, in the order of the code.
    std::uint32_t statement = 0;
    std::uint32_t column = 0;      ///< of the statement; 0: not known
    std::uint32_t next = 0;        ///< of what stands behind the call
    std::uint32_t ofFunction = 0;  ///< of the function's first instruction
    std::uint32_t lastInFunction = 0;
};

}  // namespace holos::code
