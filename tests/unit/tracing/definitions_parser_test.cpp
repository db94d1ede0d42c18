// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {
namespace {

using holos::testing::RawDefinitions;
using ::testing::HasSubstr;
using tracing::DefinitionKind;

RecordedProcess parse(const std::vector<unsigned char>& bytes) {
    RecordedProcess process;
    parseDefinitions(bytes, process);
    return process;
}

TEST(DefinitionsParser, completeLog_givesEverything) {
    RawDefinitions log;
    log.process("/bin/app").sync(5, 50).region(1, "work").world(2, 4);
    const auto process = parse(log.bytes());
    EXPECT_EQ(process.executable, "/bin/app");
    EXPECT_EQ(process.arguments, std::vector<std::string>{"/bin/app"});
    EXPECT_EQ(process.syncs.at(0).monotonic, 50);
    EXPECT_EQ(process.regions.at(1).name, "work");
    EXPECT_EQ(process.world->rank, 2u);
    EXPECT_EQ(process.damage, "");
}

TEST(DefinitionsParser, anyCutOff_keepsWhatIsBefore) {
    RawDefinitions log;
    log.process("/bin/app").region(1, "work");
    const std::size_t complete = (log.bytes().size() + 3) / 4 * 4;
    log.region(2, "more");
    for (std::size_t size = complete + 1; size < log.bytes().size(); ++size) {
        const auto process =
            parse({log.bytes().begin(), log.bytes().begin() + static_cast<std::ptrdiff_t>(size)});
        EXPECT_EQ(process.regions.size(), 1u);
        EXPECT_THAT(process.damage, HasSubstr("byte " + std::to_string(complete)));
    }
}

TEST(DefinitionsParser, entryThatWasNotFinished_isLeftOut_andNothingIsMissed) {
    RawDefinitions log;
    log.process("/bin/app");
    const std::size_t at = (log.bytes().size() + 3) / 4 * 4;
    log.region(1, "begun").region(2, "work");
    auto bytes = log.bytes();
    bytes[at + 3] |= tracing::kUnfinished >> 24;
    bytes.resize(bytes.size() + 100, 0);
    const auto process = parse(bytes);
    EXPECT_EQ(process.regions.size(), 1u);
    EXPECT_EQ(process.regions.at(2).name, "work");
    EXPECT_EQ(process.damage, "");
}

TEST(DefinitionsParser, hugeCountsInAnEntry_areDamage) {
    RawDefinitions log;
    log.process("/bin/app").begin(DefinitionKind::Comm).add(std::uint32_t{1}).add(std::uint32_t{0});
    log.add(std::uint32_t{0}).text("name").add(std::uint32_t{4}).add(std::uint32_t{0}).add(std::uint32_t{0});
    log.add(std::uint32_t{0xFFFFFFFF});
    const auto process = parse(log.bytes());
    EXPECT_TRUE(process.comms.empty());
    EXPECT_THAT(process.damage, HasSubstr("unknown form"));
}

TEST(DefinitionsParser, unknownKind_isSkipped) {
    RawDefinitions log;
    log.process("/bin/app").begin(static_cast<DefinitionKind>(99)).add(std::uint32_t{1});
    log.region(1, "work");
    EXPECT_EQ(parse(log.bytes()).regions.size(), 1u);
}

TEST(DefinitionsParser, otherFormatVersion_isAnError) {
    RawDefinitions log;
    log.begin(DefinitionKind::Process).add(std::uint32_t{999}).add(std::uint32_t{4096});
    EXPECT_THROW(parse(log.bytes()), Error);
}

TEST(DefinitionsParser, unknownParadigmAndRole_becomeUserFunction) {
    RawDefinitions log;
    log.begin(DefinitionKind::Region).add(std::uint32_t{1}).add(std::uint8_t{200}).add(std::uint8_t{200});
    log.add(std::uint32_t{0}).add(std::uint32_t{0}).text("x").text("");
    const auto process = parse(log.bytes());
    EXPECT_EQ(process.regions.at(1).paradigm, tracing::Paradigm::User);
    EXPECT_EQ(process.regions.at(1).role, tracing::Role::Function);
}

}  // namespace
}  // namespace holos::archive
