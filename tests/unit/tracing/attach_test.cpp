// SPDX-License-Identifier: BSD-3-Clause
// What is known of programs that are looked at from outside, with records as the kernel writes them.
#include <gmock/gmock.h>
#include <linux/perf_event.h>

#include <cstring>

#include "tracing/recordings/attach/attached_process.h"
#include "tracing/recordings/attach/kernel_records.h"
#include "tracing/recordings/attach/process_files.h"

namespace holos::attach {
namespace {

using ::testing::ElementsAre;
using Bytes = std::vector<unsigned char>;

/// A record with the length that it has.
class Record {
  public:
    explicit Record(std::uint32_t type, std::uint16_t flags = 0) {
        add(type).add(flags).add(std::uint16_t{0});
    }
    template <class T>
    Record& add(T value) {
        const auto* const begin = reinterpret_cast<const unsigned char*>(&value);
        bytes_.insert(bytes_.end(), begin, begin + sizeof value);
        return *this;
    }
    Bytes bytes() {
        const auto size = static_cast<std::uint16_t>(bytes_.size());
        std::memcpy(&bytes_[offsetof(perf_event_header, size)], &size, sizeof size);
        return bytes_;
    }

  private:
    Bytes bytes_;
};

constexpr std::uint64_t kTime = 1'000'000;

Record sampleOf(std::uint32_t process, std::uint32_t thread) {
    Record record(PERF_RECORD_SAMPLE);
    record.add(std::uint64_t{0x1000}).add(process).add(thread).add(kTime);
    record.add(std::uint64_t{3}).add(std::uint64_t{PERF_CONTEXT_USER});
    record.add(std::uint64_t{0x1000}).add(std::uint64_t{0x2000});
    return record;
}

TEST(ProcessList, rankOfALauncher_isInTheEnvironment) {
    using std::string_literals::operator""s;
    EXPECT_EQ(rankIn("HOME=/\0PMI_RANK=3\0SLURM_PROCID=4\0"s), 3);
    EXPECT_EQ(rankIn("PMI_RANK=x\0SLURM_PROCID=4"s), 4);
    EXPECT_EQ(rankIn("XPMI_RANK=1\0PMI_RANK=-2\0PMI_RANKS=2\0"s), -1);
    EXPECT_EQ(rankIn(""), -1);
}

TEST(KernelRecords, sampleWithStack_hasAllParts) {
    Record record = sampleOf(7, 8);
    record.add(std::uint64_t{PERF_SAMPLE_REGS_ABI_64});
    for (unsigned i = 0; i < kRegisters; ++i) record.add(std::uint64_t{100 + i});
    record.add(std::uint64_t{16}).add(std::uint64_t{1}).add(std::uint64_t{2}).add(std::uint64_t{8});
    const auto parsed = parseKernelRecord(record.bytes());
    ASSERT_TRUE(parsed);
    const auto& sample = std::get<KernelSample>(*parsed);
    EXPECT_EQ(sample.process, 7U);
    EXPECT_EQ(sample.thread, 8U);
    EXPECT_EQ(timeOf(*parsed), kTime);
    EXPECT_THAT(sample.callers, ElementsAre(0x1000, 0x2000)) << "without what says whose code follows";
    EXPECT_EQ(sample.registers.at(3), 103U);
    EXPECT_EQ(sample.stack.size(), 8U) << "the used part alone";
}

TEST(KernelRecords, sampleWithoutRegisters_isOne) {
    Record record = sampleOf(7, 7);
    record.add(std::uint64_t{PERF_SAMPLE_REGS_ABI_NONE}).add(std::uint64_t{0});
    const auto parsed = parseKernelRecord(record.bytes());
    ASSERT_TRUE(parsed);
    EXPECT_TRUE(std::get<KernelSample>(*parsed).registers.empty());
    EXPECT_TRUE(std::get<KernelSample>(*parsed).stack.empty());
}

/// The fields as linux/perf_event.h has them: the address behind the time, at the end the latency (in the
/// first four bytes of its structure) and where the data was.
Record accessOf(std::uint64_t address, std::uint64_t weight, std::uint64_t source) {
    Record record(PERF_RECORD_SAMPLE);
    record.add(std::uint64_t{0x1000}).add(std::uint32_t{7}).add(std::uint32_t{8}).add(kTime).add(address);
    record.add(std::uint64_t{1}).add(std::uint64_t{0x1000});
    record.add(std::uint64_t{PERF_SAMPLE_REGS_ABI_NONE}).add(std::uint64_t{0});
    record.add(weight).add(source);
    return record;
}

TEST(KernelRecords, accessToMemory_hasAddressLatencyAndSource) {
    const std::uint64_t source = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L3) |
                                 PERF_MEM_S(LVLNUM, L3) | PERF_MEM_S(SNOOP, HITM);
    const auto parsed = parseKernelRecord(accessOf(0xABC0, 0x0007'0005'0000'0123, source).bytes(), true);
    ASSERT_TRUE(parsed);
    const auto& sample = std::get<KernelSample>(*parsed);
    EXPECT_THAT(sample.callers, ElementsAre(0x1000));
    ASSERT_TRUE(sample.access);
    EXPECT_EQ(sample.access->address, 0xABC0U);
    EXPECT_EQ(sample.access->latency, 0x123U) << "without the other parts of the structure";
    EXPECT_EQ(sample.access->source, counters::MemorySource::Modified);
    EXPECT_TRUE(sample.access->isMemory);
}

TEST(KernelRecords, accessThatIsCut_isNone) {
    const Bytes whole = accessOf(1, 2, 3).bytes();
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
        EXPECT_FALSE(parseKernelRecord(std::span(whole).first(bytes), true)) << bytes;
}

TEST(MemoryAccess, sources_areThoseOfTheKernelsDocumentation) {
    using counters::MemorySource;
    const auto sourceOf = [](std::uint64_t source) { return counters::memoryAccess(0, 0, source).source; };
    const std::uint64_t remote = PERF_MEM_S(REMOTE, REMOTE);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVLNUM, L1)), MemorySource::FirstLevel);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVLNUM, LFB)), MemorySource::OnItsWay);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVLNUM, L2)), MemorySource::SecondLevel);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVLNUM, L3)), MemorySource::ThirdLevel);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVLNUM, L2) | PERF_MEM_S(HOPS, 0)), MemorySource::OtherCache);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVLNUM, L3) | remote), MemorySource::OtherCache);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVLNUM, ANY_CACHE) | remote | PERF_MEM_S(SNOOP, HITM)),
              MemorySource::Modified);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVLNUM, RAM)), MemorySource::LocalMemory);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVLNUM, RAM) | remote), MemorySource::RemoteMemory);
    EXPECT_EQ(sourceOf(PERF_MEM_S(SNOOPX, PEER) | PERF_MEM_S(LVLNUM, L2)), MemorySource::OtherCache);
    // Kernels before 4.14 have only the bits of levels.
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, LOC_RAM)), MemorySource::LocalMemory);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, REM_RAM2)), MemorySource::RemoteMemory);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, REM_CCE1)), MemorySource::OtherCache);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVL, NA)), MemorySource::Unknown);
    EXPECT_EQ(sourceOf(PERF_MEM_S(LVLNUM, IO)), MemorySource::Unknown);
    EXPECT_FALSE(counters::memoryAccess(0, 0, PERF_MEM_S(OP, NA)).isMemory);
    EXPECT_TRUE(counters::memoryAccess(0, 0, PERF_MEM_S(OP, STORE)).isMemory);
}

TEST(KernelRecords, shorterThanTheySay_areNone) {
    Record record = sampleOf(7, 7);
    record.add(std::uint64_t{PERF_SAMPLE_REGS_ABI_64}).add(std::uint64_t{1});
    EXPECT_FALSE(parseKernelRecord(record.bytes()));
    Record chain(PERF_RECORD_SAMPLE);
    chain.add(std::uint64_t{0}).add(std::uint64_t{0}).add(kTime).add(~std::uint64_t{0});
    EXPECT_FALSE(parseKernelRecord(chain.bytes()));
    EXPECT_FALSE(parseKernelRecord(Bytes(4)));
}

TEST(KernelRecords, livesOfThreadsAndPrograms_areTold) {
    const auto withIdentity = [](Record& record) {
        return parseKernelRecord(record.add(std::uint32_t{7}).add(std::uint32_t{8}).add(kTime).bytes());
    };
    Record fork(PERF_RECORD_FORK);
    for (const std::uint32_t number : {7U, 5U, 8U, 6U}) fork.add(number);
    fork.add(kTime - 1);
    const auto forked = std::get<KernelFork>(withIdentity(fork).value());
    EXPECT_EQ(forked.parent, 5U);
    EXPECT_EQ(forked.thread, 8U);
    EXPECT_EQ(forked.parentThread, 6U);
    EXPECT_EQ(forked.time, kTime - 1);

    Record name(PERF_RECORD_COMM);
    name.add(std::uint32_t{7}).add(std::uint32_t{8}).add(std::uint64_t{0x61});
    EXPECT_FALSE(withIdentity(name)) << "a thread that took another name";
    Record exec(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
    exec.add(std::uint32_t{7}).add(std::uint32_t{7}).add(std::uint64_t{0x61});
    EXPECT_EQ(std::get<KernelExec>(withIdentity(exec).value()).time, kTime);

    Record lost(PERF_RECORD_LOST);
    lost.add(std::uint64_t{1}).add(std::uint64_t{17});
    EXPECT_EQ(std::get<KernelLoss>(withIdentity(lost).value()).records, 17U);
}

TEST(RecordsIn, recordAtTheSeam_isWhole) {
    Bytes ring(64);
    const Bytes first = Record(PERF_RECORD_LOST).add(std::uint64_t{1}).bytes();
    const Bytes second = Record(PERF_RECORD_LOST).add(std::uint64_t{2}).add(std::uint64_t{3}).bytes();
    std::size_t at = 40;
    for (const Bytes& record : {first, second})
        for (const unsigned char byte : record) ring[at++ % ring.size()] = byte;
    std::vector<Bytes> found;
    const std::size_t end = recordsIn(ring, 40, at, [&](std::span<const unsigned char> one) {
        found.emplace_back(one.begin(), one.end());
    });
    EXPECT_EQ(end, at);
    EXPECT_THAT(found, ElementsAre(first, second));
}

TEST(KernelRecords, recordsOfTheProcessor_areTold) {
    Record record(PERF_RECORD_AUX);
    record.add(std::uint64_t{4096}).add(std::uint64_t{320}).add(std::uint64_t{0});
    record.add(std::uint32_t{7}).add(std::uint32_t{8}).add(kTime);
    const auto own = parseOwnRecords(record.bytes());
    ASSERT_TRUE(own);
    EXPECT_EQ(own->from, 4096U);
    EXPECT_EQ(own->bytes, 320U);
    EXPECT_EQ(own->process, 7U);
    EXPECT_EQ(own->thread, 8U);
    EXPECT_EQ(own->time, kTime);
    EXPECT_FALSE(parseKernelRecord(record.bytes()));
    const Bytes whole = record.bytes();
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
        EXPECT_FALSE(parseOwnRecords(std::span(whole).first(bytes))) << bytes;
    EXPECT_FALSE(parseOwnRecords(sampleOf(7, 8).bytes()));
}

TEST(BytesOf, ringWithASeam_givesThemInOrder) {
    const Bytes ring{0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_THAT(bytesOf(ring, 3, 2), ElementsAre(3, 4));
    EXPECT_THAT(bytesOf(ring, 14, 4), ElementsAre(6, 7, 0, 1));
    EXPECT_THAT(bytesOf(ring, 8, 10), ElementsAre(2, 3, 4, 5, 6, 7, 0, 1)) << "what is left of them";
    EXPECT_TRUE(bytesOf(ring, 5, 0).empty());
}

TEST(RecordsIn, damagedLength_endsThem) {
    const Bytes ring(64);
    EXPECT_EQ(recordsIn(ring, 0, 64, [](auto) { FAIL(); }), 0U);
}

constexpr const char* kMaps =
    "55d0c0000000-55d0c0001000 r--p 00000000 fe:00 1 /opt/my solver\n"
    "55d0c0001000-55d0c0003000 r-xp 00001000 fe:00 1 /opt/my solver\n"
    "55d0c0100000-55d0c0200000 rw-p 00000000 00:00 0 [heap]\n"
    "7f0000000000-7f0000001000 r--p 00000000 fe:00 2 /data/table\n"
    "7f0000100000-7f0000110000 r-xp 00000000 fe:00 3 /lib/libc.so.6\n"
    "7f0000200000-7f0000202000 r-xp 00000000 00:00 0 [vdso]\n";

TEST(CodeIn, files_areOneEachFromTheirFirstPart) {
    const auto code = codeIn(kMaps);
    ASSERT_EQ(code.size(), 3U);
    EXPECT_EQ(code[0].path, "/opt/my solver");
    EXPECT_EQ(code[0].begin, 0x55d0c0000000U);
    EXPECT_EQ(code[0].end, 0x55d0c0003000U);
    EXPECT_EQ(code[1].path, "/lib/libc.so.6");
    EXPECT_EQ(code[2].path, "[vdso]");
}

TEST(MemoryMap, addresses_areOfFilesHeapAndStacks) {
    using counters::MemoryPart;
    MemoryMap map(0);
    map.read(std::string(kMaps) +
             "55d0c0003000-55d0c0004000 rw-p 00003000 fe:00 1 /opt/my solver\n"
             "55d0c0004000-55d0c0005000 rw-p 00000000 00:00 0 \n"
             "7f0000300000-7f0000400000 rw-p 00000000 00:00 0 \n"
             "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0 [stack]\n");
    EXPECT_EQ(map.partOf(0x55d0c0003010, 0), MemoryPart::File);
    EXPECT_EQ(map.partOf(0x55d0c0004010, 0), MemoryPart::File) << "variables that begin as zeros";
    EXPECT_EQ(map.partOf(0x55d0c0100010, 0x7ffc00001000), MemoryPart::Heap);
    EXPECT_EQ(map.partOf(0x7ffc00020000, 0), MemoryPart::Stack);
    EXPECT_EQ(map.partOf(0x7f0000380000, 0x7f0000370000), MemoryPart::Stack) << "of another thread";
    EXPECT_EQ(map.partOf(0x7f0000360000, 0x7f0000370000), MemoryPart::Other);
}

TEST(ProgramPart, whatCallsMain_isLeftOut) {
    const auto code = codeIn(kMaps);
    constexpr std::uint64_t kProgram = 0x55d0c0001000, kLibrary = 0x7f0000100000;
    const auto whole = programPart({kProgram + 1, kProgram + 2, kLibrary, kLibrary + 1, kProgram + 3}, code);
    EXPECT_TRUE(whole.isWhole);
    EXPECT_THAT(whole.addresses, ElementsAre(kProgram + 1, kProgram + 2));
    const auto inThread = programPart({kLibrary + 5, kProgram + 1, kLibrary}, code);
    EXPECT_TRUE(inThread.isWhole);
    EXPECT_THAT(inThread.addresses, ElementsAre(kLibrary + 5, kProgram + 1));
    const auto broken = programPart({kProgram + 1, kProgram + 2}, code);
    EXPECT_FALSE(broken.isWhole);
    EXPECT_THAT(broken.addresses, ElementsAre(kProgram + 1, kProgram + 2));
}

}  // namespace
}  // namespace holos::attach
