// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/counters/memory_access.h"
#include "tracing/recordings/archive/event_file.h"

namespace holos::archive {

/// A sampled access to memory, as its record has it.
struct SampledAccess {
    std::uint64_t address = 0;
    std::uint32_t latency = 0;
    counters::AccessKind kind;
    std::uint32_t allocation = 0;  ///< path of the calls that allocated the data; 0: not known
    std::uint32_t block = 0;       ///< its number; 0: of no block that is known
};

inline SampledAccess accessIn(const Record& record) {
    return {record.words[0], tracing::lowHalf(record.words[1]),
            counters::accessKindIn(tracing::highHalf(record.words[1])), tracing::lowHalf(record.words[2]),
            tracing::highHalf(record.words[2])};
}

}  // namespace holos::archive
