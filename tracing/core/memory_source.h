// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

/// Where the data of a sampled access to memory came from.
namespace holos::tracing {

enum class MemorySource : std::uint8_t {
    FirstLevel,
    OnItsWay,  ///< another access had asked for the line already
    SecondLevel,
    ThirdLevel,
    Modified,    ///< another core's cache, where the line had been changed (HITM)
    OtherCache,  ///< another core's cache, of the same node or not, where it had not
    LocalMemory,
    RemoteMemory,
    Unknown,  ///< not told, or none of these
};

struct MemorySourceText {
    const char* name;  ///< in names of metrics
    const char* meaning;
};

/// By source.
inline constexpr std::array kMemorySources{
    MemorySourceText{"l1", "in the first-level cache"},
    MemorySourceText{"on_its_way", "for which the line was on its way already"},
    MemorySourceText{"l2", "in the second-level cache"},
    MemorySourceText{"l3", "in the third-level cache"},
    MemorySourceText{"modified", "in another core's cache, which had changed the line: threads share it"},
    MemorySourceText{"other_cache", "in another core's cache, which had not changed the line"},
    MemorySourceText{"local_memory", "in memory of the own node"},
    MemorySourceText{"remote_memory", "in memory of another node"},
    MemorySourceText{"unknown", "of which the processor did not say where the data was"},
};

/// What an address belongs to.
enum class MemoryPart : std::uint8_t { File, Heap, Stack, Other };

/// How a record has both.
constexpr std::uint32_t memoryAccessBits(MemorySource source, MemoryPart part) {
    return static_cast<std::uint32_t>(source) | static_cast<std::uint32_t>(part) << 8U;
}
/// What is damaged is unknown.
constexpr MemorySource sourceIn(std::uint32_t bits) {
    const std::uint32_t source = bits & 0xFFU;
    return source < kMemorySources.size() ? static_cast<MemorySource>(source) : MemorySource::Unknown;
}
constexpr MemoryPart partIn(std::uint32_t bits) {
    const std::uint32_t part = bits >> 8U;
    return part <= static_cast<std::uint32_t>(MemoryPart::Other) ? static_cast<MemoryPart>(part)
                                                                 : MemoryPart::Other;
}

}  // namespace holos::tracing
