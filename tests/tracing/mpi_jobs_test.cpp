// SPDX-License-Identifier: BSD-3-Clause
// Commands that start several MPI jobs.
#include <gmock/gmock.h>

#include "base/shell.h"
#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RecordedJobs : public RecordedMpi {
  protected:
    /// What starts the program that `sh` calls `$0`.
    std::string start(unsigned ranks) const { return shellLine(launcher(ranks, GetParam())) + " \"$0\""; }
    auto recordScript(const std::string& script) {
        return record(folder(), "/bin/sh", {}, {}, {"-c", script, path("ring")});
    }
    /// Tags of the messages that rank 0 sends.
    static std::vector<std::string> sent(const std::filesystem::path& archive) {
        return with(recordedEvents(archive).at(0), {"SEND to"});
    }
};

TEST_P(RecordedJobs, oneAfterTheOther_areTracesOfTheirOwn) {
    const auto archive = recordScript(start(1) + " && " + start(2));
    EXPECT_EQ(recordedEvents(archive).size(), 1u);
    EXPECT_THAT(sent(archive), ElementsAre(HasSubstr("to 0 tag 1 ")));
    EXPECT_EQ(recordedEvents(archive / "job-2").size(), 2u);
    EXPECT_THAT(sent(archive / "job-2"), ElementsAre(HasSubstr("to 1 tag 2 ")));
    EXPECT_THAT(analysisOf(archive), HasSubstr("job-2/analysis.cubex"));
}

TEST_P(RecordedJobs, atTheSameTime_areTracesOfTheirOwn) {
    const auto archive = recordScript(start(2) + " & " + start(2) + "; wait");
    for (const auto& job : {archive, archive / "job-2"}) {
        EXPECT_EQ(recordedEvents(job).size(), 2u);
        EXPECT_THAT(sent(job), ElementsAre(HasSubstr("to 1 tag 2 ")));
    }
}

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedJobs, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace holos::testing
