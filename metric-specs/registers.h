// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace holos::specs {

/// Registers apart from the processor's own, for events of another unit.
struct RegisterBank {
    std::string name;
    std::size_t count = 0;
};

/// The registers that count events, and which events go where (`registers` lines).
struct Registers {
    static constexpr std::size_t kMost = 64;

    bool limited = false;     ///< false: no line says how many there are
    bool restricted = false;  ///< which event goes where is known only from the file's sets
    std::size_t first = 0;    ///< number of the first register
    std::size_t count = 0;
    std::map<std::string, std::uint64_t, std::less<>> allowed;  ///< by event: bit i for register `first + i`
    std::set<std::string, std::less<>> fixed;                   ///< events with a register of their own
    std::vector<std::vector<std::string>> exclusions;           ///< at most one of each in a run
    std::vector<RegisterBank> banks;
    std::map<std::string, std::size_t, std::less<>> bankOf;  ///< by event: index of its bank
};

/// Whether an event takes none of the processor's registers from others: one of a `fixed` register, or of
/// another component of PAPI (`coretemp:::…`), which counts beside all of the processor's.
bool needsNoRegister(const Registers& registers, std::string_view event);

/// Why these events cannot be counted in one run, apart from what `restricted` leaves open: more of them
/// than registers, two for one register, or events that exclude each other. Nothing when they can.
std::optional<std::string> whyNotTogether(const Registers& registers, const std::vector<std::string>& events);

}  // namespace holos::specs
