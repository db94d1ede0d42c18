// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "tracing/counters/memory_samples.h"

/// Records of Arm's Statistical Profiling Extension, as the processor writes them (Arm Architecture Reference
/// Manual for A-profile, chapter "Statistical Profiling Extension sample record specification"): packets of a
/// header and up to eight bytes, which end with a timestamp or an end packet.
namespace holos::counters {

/// How a processor numbers where data came from, which the architecture leaves to it.
enum class SpeSources : std::uint8_t {
    Unknown,   ///< then by the events of the record alone: which caches were asked, and which had missed
    Neoverse,  ///< N1, N2, V1, V2 (their technical reference manuals, "Data source packet")
};

/// The sources of the processor of this `MIDR_EL1`.
SpeSources speSourcesOf(std::uint64_t midr);

/// The accesses to memory in bytes that begin at `offset` of the buffer, in their order: of the program's own
/// loads and stores, not of the kernel's. What is damaged or cut is left out.
void speAccessesIn(std::span<const unsigned char> bytes, std::uint64_t offset, SpeSources sources,
                   const std::function<void(const SampledAccess&)>& consume);

}  // namespace holos::counters
