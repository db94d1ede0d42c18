// SPDX-License-Identifier: BSD-3-Clause
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tracing/counters/spe_packets.h"

/// Packets, behind two bytes: whose numbers of sources, and where in the buffer they begin.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace holos::counters;
    if (size < 2) return 0;
    const auto sources = data[0] % 2 == 0 ? SpeSources::Neoverse : SpeSources::Unknown;
    std::size_t found = 0;
    speAccessesIn({data + 2, size - 2}, data[1], sources, [&](const SampledAccess& one) {
        ++found;
        if (!one.access.isMemory || one.access.address == 0) std::abort();
    });
    if (found > size) std::abort();
    return 0;
}
