// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <map>
#include <string>

namespace holos::analyzer::trace {

/// What definitions say of events.
struct CopiedEvents {
    std::map<OTF2_LocationRef, std::uint64_t> events;  ///< how many each location has
    std::uint64_t length = 0;                          ///< of the trace, in ticks
};

/// Copies the global definitions of an archive that can be read into one that is written, with other numbers
/// of events and another length. `file`: for messages. Throws `holos::Error`.
void copyDefinitions(OTF2_Reader* reader, OTF2_GlobalDefWriter* target, const CopiedEvents& copied,
                     const std::string& file);

}  // namespace holos::analyzer::trace
