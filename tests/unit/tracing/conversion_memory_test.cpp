// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "tests/unit/tracing/conversion_fixture.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/counters/memory_samples.h"

namespace holos::archive {
namespace {

class ConvertedAccesses : public ConversionTest {};

/// A load of 35 cycles from the second level, and one of 210 whose line another core had changed; an access
/// whose sample is missing belongs to none, and damaged sources are unknown.
TEST_F(ConvertedAccesses, samplesOfMemory_haveAMetricForEachSourceAndItsLatency) {
    using counters::MemoryPart;
    using counters::MemorySource;
    const auto access = [](std::uint32_t latency, MemorySource source) {
        return std::vector<std::uint64_t>{
            0x5000, pair(latency, counters::bitsOf({source, MemoryPart::Heap, false})), 0};
    };
    auto log = program();
    log.begin(DefinitionKind::Interrupts).text("memory").add(std::uint64_t{1000}).add(std::uint8_t{0});
    log.sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::MemoryAccess, 1'200, access(9, MemorySource::FirstLevel))
        .add(RecordKind::MemoryAccess, 1'200, access(35, MemorySource::SecondLevel))
        .add(RecordKind::Sample, 1'200, {pair(1, 1), 0, 0x10})
        .add(RecordKind::MemoryAccess, 1'400, access(210, MemorySource::Modified))
        .add(RecordKind::Sample, 1'400, {pair(1, 1), 0, 0x10})
        .add(RecordKind::MemoryAccess, 1'600, {0, pair(5, 0xFFFFFFFF), 0})
        .add(RecordKind::Sample, 1'600, {pair(1, 1), 0, 0x10})
        .write(folder);
    finish(directory_.path());
    // samples; then accesses and latency: l1, on its way, l2, l3, modified, other cache, local, remote,
    // unknown; shared and falsely shared lines
    EXPECT_THAT(events(),
                ElementsAre("0 0 begin /bin/app", "0 100 counters 1 0 0 0 0 1 35 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                            "0 200 counters 1 0 0 0 0 0 0 0 0 1 210 0 0 0 0 0 0 0 0 0 0",
                            "0 300 counters 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 5 0 0", "0 1000 end"));
}

/// Two threads use different words of a line, and one of them writes; the word that both read in another line
/// is no matter, nor is a stack.
TEST_F(ConvertedAccesses, samplesOfMemory_sayWhichLinesThreadsShare) {
    using counters::MemoryPart;
    const auto access = [](std::uint64_t address, bool isStore, MemoryPart part = MemoryPart::Heap) {
        const counters::AccessKind kind{counters::MemorySource::FirstLevel, part, isStore};
        return std::vector<std::uint64_t>{address, pair(9, counters::bitsOf(kind)), pair(0, 1)};
    };
    auto log = program();
    location(log, 1, LocationKind::Thread, 0, 1);
    log.begin(DefinitionKind::Interrupts).text("memory").add(std::uint64_t{1000}).add(std::uint8_t{0});
    log.sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::MemoryAccess, 1'200, access(0x5000, true))
        .add(RecordKind::Sample, 1'200, {pair(1, 1), 0, 0x10})
        .add(RecordKind::MemoryAccess, 1'300, access(0x6000, false))
        .add(RecordKind::Sample, 1'300, {pair(1, 1), 0, 0x10})
        .add(RecordKind::MemoryAccess, 1'400, access(0x7000, true, MemoryPart::Stack))
        .add(RecordKind::Sample, 1'400, {pair(1, 1), 0, 0x10})
        .write(folder);
    RawEvents()
        .add(RecordKind::ThreadBegin, 1'100, {1})
        .add(RecordKind::MemoryAccess, 1'200, access(0x5008, false))
        .add(RecordKind::Sample, 1'200, {pair(1, 1), 0, 0x10})
        .add(RecordKind::MemoryAccess, 1'300, access(0x6000, false))
        .add(RecordKind::Sample, 1'300, {pair(1, 1), 0, 0x10})
        .add(RecordKind::MemoryAccess, 1'400, access(0x7000, true))
        .add(RecordKind::Sample, 1'400, {pair(1, 1), 0, 0x10})
        .write(folder, 1);
    finish(directory_.path());
    const std::string own = "1 1 9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
                      shared = own.substr(0, own.size() - 3) + "1 1";
    std::vector<std::string> values;
    for (const std::string& event : events())
        if (const std::size_t at = event.find(" counters "); at != std::string::npos)
            values.push_back(event.substr(at + std::string(" counters ").size()));
    std::sort(values.begin(), values.end());
    EXPECT_THAT(values, ElementsAre(own, own, own, own, shared, shared));
}

}  // namespace
}  // namespace holos::archive
