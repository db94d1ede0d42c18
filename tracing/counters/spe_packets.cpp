// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/spe_packets.h"

#include <algorithm>
#include <array>
#include <optional>

namespace holos::counters {
namespace {

using Bytes = std::span<const unsigned char>;

enum class PacketKind : std::uint8_t {
    Padding,
    End,
    Timestamp,
    Address,
    Counter,
    Operation,
    Events,
    Source,
    Other
};

struct Packet {
    PacketKind kind = PacketKind::Other;
    unsigned index = 0;  ///< which address or counter, or the class of an operation
    std::uint64_t payload = 0;
    std::size_t bytes = 0;  ///< with its header
};

/// `1` in bits that have to be as in `value`.
struct PacketHeader {
    unsigned mask;
    unsigned value;
    PacketKind kind;
    unsigned index;  ///< bits that have the index
};
constexpr std::array kHeaders{
    PacketHeader{0xFF, 0x71, PacketKind::Timestamp, 0},
    PacketHeader{0xCF, 0x42, PacketKind::Events, 0},
    PacketHeader{0xCF, 0x43, PacketKind::Source, 0},
    PacketHeader{0xFC, 0x64, PacketKind::Other, 0},  // context
    PacketHeader{0xFC, 0x48, PacketKind::Operation, 3},
    PacketHeader{0xF8, 0xB0, PacketKind::Address, 7},
    PacketHeader{0xF8, 0x98, PacketKind::Counter, 7},
};
constexpr unsigned kExtendedMask = 0xFC;
constexpr unsigned kExtended = 0x20;

std::uint64_t numberIn(Bytes bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = bytes.size(); i > 0; --i) number = number << 8U | bytes[i - 1];
    return number;
}

/// The next packet but those that fill the buffer up; nothing where there is none, or not all of it.
std::optional<Packet> packetOf(Bytes bytes, unsigned high, std::size_t headerBytes) {
    const unsigned header = bytes[headerBytes - 1];
    const auto* const found =
        std::find_if(kHeaders.begin(), kHeaders.end(),
                     [header](const PacketHeader& one) { return (header & one.mask) == one.value; });
    if (found == kHeaders.end()) return std::nullopt;
    const std::size_t payload = std::size_t{1} << (header >> 4U & 3U);
    if (bytes.size() < headerBytes + payload) return std::nullopt;
    return Packet{found->kind, high | (header & found->index), numberIn(bytes.subspan(headerBytes, payload)),
                  headerBytes + payload};
}

std::optional<Packet> nextPacket(Bytes bytes, std::uint64_t offset) {
    constexpr unsigned kHighBits = 3;
    constexpr unsigned kHighShift = 3;
    const unsigned first = bytes.front();
    if (first == 0) return Packet{PacketKind::Padding, 0, 0, 1};
    if (first == 1) return Packet{PacketKind::End, 0, 0, 1};
    if ((first & kExtendedMask) != kExtended) return packetOf(bytes, 0, 1);
    if (bytes.size() < 2) return std::nullopt;
    if (bytes[1] != 0) return packetOf(bytes, (first & kHighBits) << kHighShift, 2);
    // Up to the next multiple of a power of two.
    const std::uint64_t alignment = std::uint64_t{2} << (first & 0xFU);
    const std::uint64_t rest = alignment - offset % alignment;
    return Packet{PacketKind::Padding, 0, 0, std::min<std::size_t>(rest, bytes.size())};
}

/// Bits of the events packet.
constexpr std::uint64_t kFirstLevelAccess = 1U << 2U;
constexpr std::uint64_t kFirstLevelRefill = 1U << 3U;
constexpr std::uint64_t kLastLevelAccess = 1U << 8U;
constexpr std::uint64_t kLastLevelMiss = 1U << 9U;
constexpr std::uint64_t kRemoteAccess = 1U << 10U;

MemorySource byEvents(std::uint64_t events) {
    if ((events & kRemoteAccess) != 0) return MemorySource::RemoteMemory;
    if ((events & kLastLevelMiss) != 0) return MemorySource::LocalMemory;
    if ((events & kLastLevelAccess) != 0) return MemorySource::ThirdLevel;
    if ((events & kFirstLevelRefill) != 0) return MemorySource::SecondLevel;
    return (events & kFirstLevelAccess) != 0 ? MemorySource::FirstLevel : MemorySource::Unknown;
}

MemorySource byNeoverse(std::uint64_t source, std::uint64_t events) {
    switch (source) {
        case 0x0:
            return MemorySource::FirstLevel;
        case 0x8:
            return MemorySource::SecondLevel;
        case 0x9:  // another core, of the own cluster or another one, or of another socket
        case 0xA:
        case 0xC:
        case 0xD:
            return MemorySource::OtherCache;
        case 0xB:
            return MemorySource::ThirdLevel;
        case 0xE:
            return (events & kRemoteAccess) != 0 ? MemorySource::RemoteMemory : MemorySource::LocalMemory;
        default:
            return byEvents(events);
    }
}

/// What is known of an operation so far.
class SampledOperation {
  public:
    void add(const Packet& packet) {
        if (packet.kind == PacketKind::Address) addAddress(packet);
        if (packet.kind == PacketKind::Counter && packet.index == kTotalLatency)
            latency_ = static_cast<std::uint32_t>(packet.payload);
        if (packet.kind == PacketKind::Operation && packet.index == kLoadOrStore) {
            isMemory_ = true;
            isStore_ = (packet.payload & 1U) != 0;
        }
        if (packet.kind == PacketKind::Events) events_ = packet.payload;
        if (packet.kind == PacketKind::Source) source_ = packet.payload;
    }

    /// Nothing where it is none of the program's accesses.
    std::optional<SampledAccess> access(SpeSources sources) const {
        if (!isMemory_ || isOfKernel_ || instruction_ == 0 || address_ == 0) return std::nullopt;
        SampledAccess result;
        result.instruction = instruction_;
        result.access.address = address_;
        result.access.latency = latency_;
        result.access.isMemory = true;
        result.access.isStore = isStore_;
        const bool isNumbered = source_ && sources == SpeSources::Neoverse;
        result.access.source = isNumbered ? byNeoverse(*source_, events_) : byEvents(events_);
        return result;
    }

  private:
    static constexpr unsigned kInstruction = 0;
    static constexpr unsigned kDataAddress = 2;
    static constexpr unsigned kTotalLatency = 0;
    static constexpr unsigned kLoadOrStore = 1;
    static constexpr std::uint64_t kAddressBits = (std::uint64_t{1} << 56U) - 1;

    /// Above an address stands a tag of the program's, or, of an instruction, for whom it ran.
    void addAddress(const Packet& packet) {
        constexpr unsigned kLevelShift = 61;
        if (packet.index == kDataAddress) address_ = packet.payload & kAddressBits;
        if (packet.index != kInstruction) return;
        instruction_ = packet.payload & kAddressBits;
        isOfKernel_ = (packet.payload >> kLevelShift & 3U) != 0;
    }

    std::uint64_t instruction_ = 0;
    std::uint64_t address_ = 0;
    std::uint64_t events_ = 0;
    std::optional<std::uint64_t> source_;
    std::uint32_t latency_ = 0;
    bool isMemory_ = false;
    bool isStore_ = false;
    bool isOfKernel_ = false;
};

}  // namespace

SpeSources speSourcesOf(std::uint64_t midr) {
    constexpr std::uint64_t kArm = 0x41;
    constexpr std::array kParts{0xD0CU, 0xD49U, 0xD40U, 0xD4FU};  // N1, N2, V1, V2
    const std::uint64_t implementer = midr >> 24U & 0xFFU;
    const std::uint64_t part = midr >> 4U & 0xFFFU;
    const bool isKnown = std::find(kParts.begin(), kParts.end(), part) != kParts.end();
    return implementer == kArm && isKnown ? SpeSources::Neoverse : SpeSources::Unknown;
}

void speAccessesIn(Bytes bytes, std::uint64_t offset, SpeSources sources,
                   const std::function<void(const SampledAccess&)>& consume) {
    SampledOperation operation;
    bool isDamaged = false;
    while (!bytes.empty()) {
        const auto packet = nextPacket(bytes, offset);
        const std::size_t passed = packet ? packet->bytes : 1;
        isDamaged |= !packet;
        bytes = bytes.subspan(passed);
        offset += passed;
        if (!packet || packet->kind == PacketKind::Padding) continue;
        operation.add(*packet);
        if (packet->kind != PacketKind::End && packet->kind != PacketKind::Timestamp) continue;
        if (const auto access = operation.access(sources); access && !isDamaged) consume(*access);
        operation = {};
        isDamaged = false;
    }
}

}  // namespace holos::counters
