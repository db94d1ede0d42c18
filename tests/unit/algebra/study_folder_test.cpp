// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/scaling/study.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/support/temporary_directory.h"

namespace holos::algebra::scaling {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

void makeRun(const fs::path& folder) {
    fs::create_directories(folder);
    std::ofstream(folder / "analysis.cubex") << "x";
}

TEST(StudyFolder, runsOfAllSizes_areFound_bySizeAndName) {
    const holos::testing::TemporaryDirectory study;
    makeRun(study.path() / "size-16" / "run-1");
    makeRun(study.path() / "size-2" / "run-2");
    makeRun(study.path() / "size-2" / "run-1");
    makeRun(study.path() / "size-02" / "run-1");
    makeRun(study.path() / "size-" / "run-1");
    makeRun(study.path() / "other" / "run-1");
    fs::create_directories(study.path() / "size-4" / "failed");
    EXPECT_THAT(foldersOfSizes(study.path()),
                ElementsAre(study.path() / "size-2", study.path() / "size-4", study.path() / "size-16"));
    EXPECT_THAT(experimentsOfSizes(study.path()),
                ElementsAre(study.path() / "size-2" / "run-1" / "analysis.cubex",
                            study.path() / "size-2" / "run-2" / "analysis.cubex",
                            study.path() / "size-16" / "run-1" / "analysis.cubex"));
}

TEST(StudyFolder, whatIsNoStudy_hasNoSizes) {
    const holos::testing::TemporaryDirectory folder;
    EXPECT_THAT(experimentsOfSizes(folder.path()), IsEmpty());
    EXPECT_THAT(experimentsOfSizes(folder.path() / "missing"), IsEmpty());
    makeRun(folder.path());
    EXPECT_THAT(experimentsOfSizes(folder.path() / "analysis.cubex"), IsEmpty());
}

TEST(StudyFolder, sizeOfARun_isThatOfAFolderAboveIt) {
    EXPECT_EQ(sizeOfRun("study/size-4/run-1/analysis.cubex"), 4);
    EXPECT_EQ(sizeOfRun("/study/size-4/campaign.cubex"), 4);
    EXPECT_EQ(sizeOfRun("size-4.cubex"), std::nullopt);
    EXPECT_EQ(sizeOfRun("study/size-04/run-1/analysis.cubex"), std::nullopt);
    EXPECT_EQ(sizeOfRun("study/size-12345678901234567890/a.cubex"), std::nullopt);
    EXPECT_EQ(folderOfSize("study", "8"), fs::path("study/size-8"));
}

}  // namespace
}  // namespace holos::algebra::scaling
