// SPDX-License-Identifier: BSD-3-Clause
// Packets byte for byte as the Arm Architecture Reference Manual describes them.
#include "tracing/counters/spe_packets.h"

#include <gmock/gmock.h>

#include <vector>

namespace holos::counters {
namespace {

using ::testing::ElementsAre;

class SpeBytes {
  public:
    SpeBytes& packet(std::initializer_list<unsigned> header, std::uint64_t payload, std::size_t bytes) {
        for (const unsigned byte : header) bytes_.push_back(static_cast<unsigned char>(byte));
        for (std::size_t i = 0; i < bytes; ++i)
            bytes_.push_back(static_cast<unsigned char>(payload >> 8U * i));
        return *this;
    }
    SpeBytes& instruction(std::uint64_t address) { return packet({0xB0}, address, 8); }
    SpeBytes& data(std::uint64_t address) { return packet({0xB2}, address, 8); }
    SpeBytes& load() { return packet({0x49}, 0, 1); }
    SpeBytes& store() { return packet({0x49}, 1, 1); }
    SpeBytes& latency(std::uint64_t cycles) { return packet({0x98}, cycles, 2); }
    SpeBytes& events(std::uint64_t bits) { return packet({0x52}, bits, 2); }
    SpeBytes& source(std::uint64_t number) { return packet({0x43}, number, 1); }
    SpeBytes& end() { return packet({0x01}, 0, 0); }
    SpeBytes& timestamp(std::uint64_t time) { return packet({0x71}, time, 8); }

    const std::vector<unsigned char>& bytes() const { return bytes_; }
    std::vector<SampledAccess> accesses(SpeSources sources = SpeSources::Neoverse) const {
        std::vector<SampledAccess> all;
        speAccessesIn(bytes_, 0, sources, [&](const SampledAccess& one) { all.push_back(one); });
        return all;
    }
    std::vector<std::uint64_t> instructions() const {
        std::vector<std::uint64_t> all;
        for (const SampledAccess& one : accesses()) all.push_back(one.instruction);
        return all;
    }

  private:
    std::vector<unsigned char> bytes_;
};

TEST(SpePackets, record_isAnAccessWithAllThatIsToldOfIt) {
    const auto found = SpeBytes()
                           .instruction(0x0000'AAAA'0000'1234)
                           .packet({0x65}, 77, 4)  // of which process
                           .store()
                           .latency(0x123)
                           .packet({0x99}, 9, 2)  // of its issue alone
                           .data(0xA500'FFFF'0000'5678)
                           .events(1U << 1U | 1U << 2U)
                           .source(0x9)
                           .timestamp(42)
                           .accesses();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].instruction, 0xAAAA'0000'1234U);
    EXPECT_EQ(found[0].access.address, 0xFFFF'0000'5678U) << "without its tag";
    EXPECT_EQ(found[0].access.latency, 0x123U);
    EXPECT_EQ(found[0].access.source, MemorySource::OtherCache);
    EXPECT_TRUE(found[0].access.isStore);
}

TEST(SpePackets, sources_areTheProcessorsOrByEvents) {
    const auto sourceOf = [](std::uint64_t number, std::uint64_t events, SpeSources sources) {
        const auto found =
            SpeBytes().instruction(1).load().data(2).events(events).source(number).end().accesses(sources);
        return found.at(0).access.source;
    };
    constexpr auto kKnown = SpeSources::Neoverse;
    EXPECT_EQ(sourceOf(0x0, 0, kKnown), MemorySource::FirstLevel);
    EXPECT_EQ(sourceOf(0x8, 0, kKnown), MemorySource::SecondLevel);
    EXPECT_EQ(sourceOf(0xB, 0, kKnown), MemorySource::ThirdLevel);
    EXPECT_EQ(sourceOf(0xD, 0, kKnown), MemorySource::OtherCache);
    EXPECT_EQ(sourceOf(0xE, 0, kKnown), MemorySource::LocalMemory);
    EXPECT_EQ(sourceOf(0xE, 1U << 10U, kKnown), MemorySource::RemoteMemory);
    EXPECT_EQ(sourceOf(0x5, 1U << 2U, kKnown), MemorySource::FirstLevel)
        << "a number that is none of its own";
    constexpr auto kOther = SpeSources::Unknown;
    EXPECT_EQ(sourceOf(0xE, 1U << 2U, kOther), MemorySource::FirstLevel);
    EXPECT_EQ(sourceOf(0x0, 1U << 2U | 1U << 3U, kOther), MemorySource::SecondLevel);
    EXPECT_EQ(sourceOf(0x0, 1U << 3U | 1U << 8U, kOther), MemorySource::ThirdLevel);
    EXPECT_EQ(sourceOf(0x0, 1U << 8U | 1U << 9U, kOther), MemorySource::LocalMemory);
    EXPECT_EQ(sourceOf(0x0, 0, kOther), MemorySource::Unknown);
}

TEST(SpePackets, processors_areKnownByTheirNumber) {
    EXPECT_EQ(speSourcesOf(0x410FD401), SpeSources::Neoverse);  // V1
    EXPECT_EQ(speSourcesOf(0x413FD0C1), SpeSources::Neoverse);  // N1
    EXPECT_EQ(speSourcesOf(0x410FD034), SpeSources::Unknown);   // Cortex-A53
    EXPECT_EQ(speSourcesOf(0x480FD401), SpeSources::Unknown);   // of another company
}

TEST(SpePackets, whatIsNoAccessOfTheProgram_isLeftOut) {
    constexpr std::uint64_t kKernel = std::uint64_t{1} << 61U;
    EXPECT_THAT(SpeBytes()
                    .instruction(0x10 | kKernel)
                    .load()
                    .data(2)
                    .end()
                    .instruction(0x20)
                    .packet({0x4A}, 0, 1)  // a branch
                    .packet({0xB1}, 0x30, 8)
                    .end()
                    .instruction(0x40)
                    .load()
                    .end()  // without an address
                    .instruction(0x50)
                    .load()
                    .data(2)
                    .end()
                    .instructions(),
                ElementsAre(0x50));
}

TEST(SpePackets, paddingAndAlignment_arePassed) {
    SpeBytes bytes;
    bytes.packet({0, 0, 0}, 0, 0).instruction(0x10).load().data(2).end();  // 3 + 9 + 2 + 9 + 1 bytes
    bytes.packet({0x23, 0x00}, 0xFFFF'FFFF'FFFF, 6);                       // from 24 up to a multiple of 16
    bytes.instruction(0x20).load().data(2).end();
    EXPECT_THAT(bytes.instructions(), ElementsAre(0x10, 0x20));
}

TEST(SpePackets, extendedHeaders_areOtherPackets) {
    EXPECT_THAT(SpeBytes()
                    .instruction(0x10)
                    .packet({0x21, 0xB0}, 0x99, 8)  // an address with the number 8
                    .packet({0x21, 0x98}, 7, 2)
                    .load()
                    .data(2)
                    .end()
                    .instructions(),
                ElementsAre(0x10));
}

TEST(SpePackets, damagedRecord_isLeftOutAndTheNextIsFound) {
    EXPECT_THAT(SpeBytes()
                    .instruction(0x10)
                    .packet({0xFF}, 0, 0)
                    .load()
                    .data(2)
                    .end()
                    .instruction(0x20)
                    .load()
                    .data(2)
                    .end()
                    .instructions(),
                ElementsAre(0x20));
}

TEST(SpePackets, bytesThatEndSomewhere_areNone) {
    const auto whole = SpeBytes().instruction(0x10).load().data(2).timestamp(3).bytes();
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
        speAccessesIn(std::span(whole).first(bytes), 0, SpeSources::Neoverse,
                      [&](const SampledAccess&) { ADD_FAILURE() << bytes; });
}

}  // namespace
}  // namespace holos::counters
