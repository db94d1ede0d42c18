// SPDX-License-Identifier: BSD-3-Clause
// What a location has added up, wrong in one word at a time, or cut: its profile is made of what can be used,
// says that something was left out, or is refused with an error, and never with a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <vector>

#include "algebra/model/experiment.h"
#include "analyzer/profile/profile.h"
#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/recorder/profile/table.h"
#include "tracing/recordings/archive/conversion.h"
#include "tracing/recordings/archive/process/profile_cells.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using namespace tracing::profile;
using Words = std::vector<std::uint64_t>;

/// A chunk of cells: regions within each other, messages, a task, a team's share, recording switched off.
Words someOfEverything() {
    Words chunk(tracing::kUnitBytes / sizeof(std::uint64_t), 0);
    chunk[0] = tracing::chunkHead(0 | tracing::kTableBit, tracing::kUnitBytes);
    const auto more = [](void* owner, std::size_t, std::size_t& words) noexcept {
        auto& all = *static_cast<Words*>(owner);
        words = all.size() - 1;
        return all.data() + 1;
    };
    Table table({more, &chunk}, 0, 0);
    EXPECT_TRUE(table.start());
    const auto region = [](std::uint32_t number) { return Key{NodeKind::Region, number, 0, 0}; };
    for (std::uint64_t at = 1'100; at < 1'500; at += 100) {
        table.enter(region(1), at);
        table.enter(region(2), at + 10);
        table.count(ProfileCount::Sends, 1, 8);
        table.leave(2, at + 20);
        table.leave(1, at + 30);
    }
    const auto own = table.workOn({}, 1'510);
    table.enter(region(2), 1'520);
    table.leave(2, 1'530);
    table.goBack(own, 1'540);
    table.enter({NodeKind::Off}, 1'550);
    table.leaveOff(1'560);
    table.enterShare({NodeKind::Share, 0, 0, 1}, 1'560, 1'570);
    table.enter(region(1), 1'580);
    return chunk;
}

std::size_t usedWords(const Words& chunk) {
    std::size_t used = chunk.size();
    while (chunk[used - 1] == 0) --used;
    return used;
}

/// The profile of a recording with these cells; what was said of it.
class DamagedProfile : public ::testing::Test {
  protected:
    std::optional<algebra::Experiment> profileOf(const Words& chunk) {
        const TemporaryDirectory directory;
        const fs::path recording = archive::recordingOf(directory.path());
        fs::create_directories(recording);
        RawDefinitions log;
        log.process("/bin/app").sync(1'000, 500);
        log.begin(tracing::DefinitionKind::Location).add(std::uint32_t{0}).add(tracing::LocationKind::Main);
        log.add(tracing::kNoLocation).add(std::uint32_t{0}).add(std::uint32_t{0}).text("Master thread");
        log.region(1, "outer").region(2, "inner").sync(3'000, 1'500);
        const fs::path folder = writeProcess(recording, "host.1.0", log);
        std::ofstream(folder / "events", std::ios::binary)
            .write(reinterpret_cast<const char*>(chunk.data()),
                   static_cast<std::streamsize>(chunk.size() * sizeof chunk[0]));
        std::optional<algebra::Experiment> experiment;
        try {
            const auto result = archive::finish(directory.path(), archive::Check::Nobody,
                                                [&](const fs::path& made, const auto& found) {
                                                    experiment = analyzer::experimentOf(*found.profile, made);
                                                });
            notes_ = result.notes;
        } catch (const Error& error) {
            notes_ = {error.what()};
        }
        return experiment;
    }

    std::vector<std::string> notes_;
};

TEST_F(DamagedProfile, whole_hasAllAndSaysNothing) {
    const auto profile = profileOf(someOfEverything());
    ASSERT_TRUE(profile);
    EXPECT_TRUE(notes_.empty()) << notes_.front();
    EXPECT_TRUE(profile->findMetric("time") && profile->findMetric("visits"));
}

/// Words spread over all cells, each in two ways.
TEST_F(DamagedProfile, wordsWrong_endInOrder) {
    const Words whole = someOfEverything();
    for (std::size_t i = 1; i < usedWords(whole); i += 17)
        for (const std::uint64_t wrong :
             {~std::uint64_t{0}, whole[i] ^ (std::uint64_t{0xFF} << 8 * (i % 8))}) {
            Words chunk = whole;
            chunk[i] = wrong;
            profileOf(chunk);
        }
}

TEST_F(DamagedProfile, kindOfCellThatIsNone_isSaid) {
    Words chunk = someOfEverything();
    chunk[1 + cellWords(CellKind::State, 0)] = 77;  // that of the root
    profileOf(chunk);
    EXPECT_THAT(notes_,
                ::testing::Contains(::testing::HasSubstr("a damaged part of what it added up was left out")));
}

/// What the rest of the way relies on.
void expectUsable(const archive::ProfileCells& cells, const std::string& where) {
    const auto isThere = [&cells](std::uint64_t node) { return node < cells.nodes.size(); };
    for (std::size_t i = 0; i < cells.nodes.size(); ++i) {
        const Node& node = cells.nodes[i].cell;
        ASSERT_EQ(node.number, i) << where;
        ASSERT_TRUE(i == 0 ? node.parent == 0 : node.parent < i) << where;
        ASSERT_LE(node.key.kind, NodeKind::Region) << where;
    }
    for (const auto& way : cells.ways)
        ASSERT_TRUE(isThere(way.cell.to) && (way.cell.from == Way::kFromAny || isThere(way.cell.from)))
            << where;
    for (const auto& traffic : cells.traffic) ASSERT_TRUE(isThere(traffic.node)) << where;
    if (cells.isUsable()) {
        ASSERT_TRUE(isThere(cells.state->node)) << where;
    }
    cells.open();
}

TEST(DamagedCells, eachByteWrongAndEachLength_areReadAsFarAsTheyCanBeUsed) {
    const TemporaryDirectory directory;
    archive::RecordedProcess process;
    process.events = directory.path() / "events";
    process.chunks[0 | tracing::kTableBit].push_back({0, tracing::kUnitBytes});
    const auto read = [&](const Words& chunk, const std::string& where) {
        std::ofstream(process.events, std::ios::binary)
            .write(reinterpret_cast<const char*>(chunk.data()),
                   static_cast<std::streamsize>(chunk.size() * sizeof chunk[0]));
        expectUsable(archive::readProfileCells(process, 0, 0), where);
    };
    const Words whole = someOfEverything();
    for (std::size_t byte = 8; byte < 8 * usedWords(whole); ++byte)
        for (const std::uint64_t mask : {0xFFU, 0x01U}) {
            Words chunk = whole;
            chunk[byte / 8] ^= mask << 8 * (byte % 8);
            read(chunk, "byte " + std::to_string(byte));
        }
    for (std::size_t end = 1; end < usedWords(whole); ++end) {
        Words chunk = whole;
        std::fill(chunk.begin() + static_cast<std::ptrdiff_t>(end), chunk.end(), 0);
        read(chunk, "behind word " + std::to_string(end));
        chunk.resize(end);
        read(chunk, "file with words " + std::to_string(end));
    }
}

}  // namespace
}  // namespace holos::testing
