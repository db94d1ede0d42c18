// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>

#include "tests/unit/tracing/conversion_fixture.h"
#include "tracing/recorder/core/events.h"

namespace holos::archive {
namespace {

/// A master forks within a region, and a worker begins; team 1 is of both.
class KilledTeamTest : public ConversionTest {
  protected:
    void write(RawEvents& ofMaster, RawEvents& ofWorker) {
        auto log = program();
        location(log, 1, LocationKind::Place, 1, 1);
        log.begin(DefinitionKind::Team).add(1U).add(0U).add(1U).add(2U);
        log.region(1, "work").region(2, "parallel").sync(3'000, 1'500);
        const auto folder = writeProcess(recording(), "host.1.0", log, false);
        ofMaster.write(folder);
        ofWorker.write(folder, 1);
        finish(directory_.path());
    }
    static std::uint64_t forkOfTwo() {
        return pair(static_cast<std::uint32_t>(tracing::Paradigm::OpenMp), 2);
    }
};

TEST_F(KilledTeamTest, regionsAndTeams_endInTheReverseOrderOfTheirBegins) {
    RawEvents master;
    master.add(RecordKind::Enter, 1'200, {1}).add(RecordKind::ThreadFork, 1'300, {forkOfTwo()});
    master.add(RecordKind::ThreadTeamBegin, 1'400, {1}).add(RecordKind::Enter, 1'500, {2});
    RawEvents worker;
    worker.add(RecordKind::ThreadTeamBegin, 1'600, {1}).add(RecordKind::Enter, 1'700, {2});
    write(master, worker);
    EXPECT_THAT(events(), ElementsAre("0 0 begin /bin/app", "0 100 enter work", "0 150 fork", "0 200 team 0",
                                      "0 250 enter parallel", "4294967296 300 team 0", "0 350 leave parallel",
                                      "0 350 end team 0", "0 350 join", "0 350 leave work", "0 350 end",
                                      "4294967296 350 enter parallel", "4294967296 350 leave parallel",
                                      "4294967296 350 end team 0"));
}

TEST_F(KilledTeamTest, programOutsideOfRegions_endsWithTheLastEventOfItsThreads) {
    RawEvents master;
    master.add(RecordKind::Enter, 1'200, {1}).add(RecordKind::Leave, 1'300, {1});
    RawEvents worker;
    worker.add(RecordKind::Enter, 1'400, {1}).add(RecordKind::Leave, 1'800, {1});
    write(master, worker);
    EXPECT_THAT(events(), Contains("0 400 end"));
}

}  // namespace
}  // namespace holos::archive
