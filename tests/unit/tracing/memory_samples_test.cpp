// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/memory_samples.h"

#include <gmock/gmock.h>
#include <linux/perf_event.h>

#include <cstring>
#include <vector>

namespace holos::counters {
namespace {

using ::testing::ElementsAre;

constexpr std::uint64_t kLoad = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVLNUM, L2);
constexpr std::uint64_t kStore = PERF_MEM_S(OP, STORE) | PERF_MEM_S(LVLNUM, L1);

/// A buffer as the kernel fills it, beginning somewhere in it.
class Ring {
  public:
    explicit Ring(std::uint64_t from) : from_(from), to_(from) {}

    Ring& record(std::uint32_t type, const std::vector<std::uint64_t>& words) {
        const perf_event_header header{type, 0, static_cast<std::uint16_t>(8 + 8 * words.size())};
        put(&header, sizeof header);
        put(words.data(), 8 * words.size());
        return *this;
    }
    Ring& sample(std::uint64_t instruction, std::uint64_t address, std::uint64_t weight,
                 std::uint64_t source) {
        return record(PERF_RECORD_SAMPLE, {instruction, address, weight, source});
    }
    TakenAccesses take(std::span<SampledAccess> into) const { return accessesIn(bytes_, from_, to_, into); }
    /// Their instructions.
    std::vector<std::uint64_t> instructions() const {
        std::array<SampledAccess, 8> found;
        std::vector<std::uint64_t> all;
        const auto taken = take(found);
        for (std::size_t i = 0; i < taken.count; ++i) all.push_back(found[i].instruction);
        return all;
    }

  private:
    void put(const void* data, std::size_t bytes) {
        const auto* const from = static_cast<const unsigned char*>(data);
        for (std::size_t i = 0; i < bytes; ++i) bytes_[to_++ % bytes_.size()] = from[i];
    }
    std::vector<unsigned char> bytes_ = std::vector<unsigned char>(256);
    std::uint64_t from_;
    std::uint64_t to_;
};

TEST(MemorySamples, sample_hasItsInstructionAndAccess) {
    std::array<SampledAccess, 2> found;
    const auto taken = Ring(0).sample(0x401000, 0xABC0, 0x0007'0005'0000'0123, kStore).take(found);
    ASSERT_EQ(taken.count, 1U);
    EXPECT_EQ(found[0].instruction, 0x401000U);
    EXPECT_EQ(found[0].access.address, 0xABC0U);
    EXPECT_EQ(found[0].access.latency, 0x123U);
    EXPECT_EQ(found[0].access.source, MemorySource::FirstLevel);
    EXPECT_TRUE(found[0].access.isStore);
}

TEST(MemorySamples, samplesAtTheSeam_areWhole) {
    for (const std::uint64_t from : {0U, 200U, 208U, 216U, 224U, 232U, 240U, 248U})
        EXPECT_THAT(Ring(from).sample(1, 16, 3, kLoad).sample(2, 16, 3, kLoad).instructions(),
                    ElementsAre(1, 2))
            << from;
}

TEST(MemorySamples, whatIsNoAccessOfTheProgram_isLeftOut) {
    EXPECT_THAT(Ring(0)
                    .sample(1, 0, 3, PERF_MEM_S(OP, NA))
                    .sample(0xFFFF'FFFF'8100'0000, 16, 3, kLoad)
                    .sample(2, 16, 3, PERF_MEM_S(OP, PFETCH))
                    .record(PERF_RECORD_THROTTLE, {1, 2, 3, 4, 5})
                    .sample(3, 16, 3, PERF_MEM_S(OP, NA))  // the kernel does not say which
                    .instructions(),
                ElementsAre(3));
}

TEST(MemorySamples, thoseThatHaveNoRoom_areCounted) {
    std::array<SampledAccess, 1> found;
    const auto taken = Ring(64)
                           .sample(1, 16, 3, kLoad)
                           .sample(2, 16, 3, kLoad)
                           .record(PERF_RECORD_LOST, {1, 17})
                           .take(found);
    EXPECT_EQ(taken.count, 1U);
    EXPECT_EQ(taken.lost, 18U);
}

TEST(MemorySamples, damagedLength_endsThem) {
    std::array<SampledAccess, 1> found;
    const std::vector<unsigned char> zeros(256);
    EXPECT_EQ(accessesIn(zeros, 0, 256, found).count, 0U);
    std::vector<unsigned char> tooLong(256);
    const perf_event_header header{PERF_RECORD_SAMPLE, 0, 1000};
    std::memcpy(tooLong.data(), &header, sizeof header);
    EXPECT_EQ(accessesIn(tooLong, 0, 256, found).count, 0U);
}

TEST(AccessKind, bits_areReadBack) {
    const AccessKind kind{MemorySource::Modified, MemoryPart::Heap, true};
    const AccessKind read = accessKindIn(bitsOf(kind));
    EXPECT_EQ(read.source, kind.source);
    EXPECT_EQ(read.part, kind.part);
    EXPECT_TRUE(read.isStore);
    EXPECT_FALSE(accessKindIn(bitsOf({MemorySource::Modified, MemoryPart::Heap, false})).isStore);
    EXPECT_EQ(accessKindIn(0xFFFFFFFF).source, MemorySource::Unknown);
    EXPECT_EQ(accessKindIn(0xFFFFFFFF).part, MemoryPart::Other);
}

}  // namespace
}  // namespace holos::counters
