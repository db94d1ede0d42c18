// SPDX-License-Identifier: BSD-3-Clause
// How a recording is kept while the program runs: `harsh_program.c`, with files that are mapped, and with
// memory that is copied to them.
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "tests/support/command.h"
#include "tests/support/read_back.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::StartsWith;

class Storage : public ::testing::TestWithParam<std::string> {
  protected:
    void TearDown() override {
        if (::testing::Test::HasFailure()) std::fputs(output_.c_str(), stderr);
    }
    /// Returns the exit code; 137 for a kill.
    int record(const std::string& way, const std::vector<std::string>& options = {}) {
        const auto result = runCommand(std::vector<std::string>{"env", "HOLOS_STORAGE=" + GetParam(),
                                                                HOLOS_PROGRAM, "record", "-o", trace()} +
                                       options + std::vector<std::string>{"--", HARSH_PROGRAM, way});
        output_ = result.output;
        return result.exitCode;
    }
    fs::path trace() const { return directory_.path() / "trace"; }
    nlohmann::json measurement() const {
        std::ifstream file(trace() / "measurement.json");
        return nlohmann::json::parse(file);
    }
    auto count(const std::string& part) const {
        const auto events = readBack(trace() / "traces.otf2");
        return std::count_if(events.begin(), events.end(),
                             [&](const std::string& line) { return line.find(part) != std::string::npos; });
    }
    /// Of the program's 200,100 regions; one that was open when the recording stopped ends with it. Calls of
    /// the system and of threads are events, too, if few.
    void expectNoneForgotten() const {
        constexpr long kFew = 100;
        const auto all = count("enter work") + count("leave work") + measurement()["lostEvents"].get<long>();
        EXPECT_THAT(all, AllOf(Ge(2 * 200'100), Le(2 * 200'100 + kFew)));
    }
    void expectAll(int works, int named) const {
        EXPECT_EQ(count("enter work"), works);
        EXPECT_EQ(count("leave work"), works);
        EXPECT_EQ(count("enter region "), named);
        EXPECT_EQ(measurement()["lostEvents"], 0);
        EXPECT_TRUE(measurement()["notes"].empty()) << measurement()["notes"];
    }

    TemporaryDirectory directory_;
    std::string output_;
};

TEST_P(Storage, whileTheProgramWritesToAClosedDescriptor_getsNothingOfIt) {
    EXPECT_EQ(record("closed output"), 0);
    EXPECT_THAT(output_, StartsWith("0 writes\n"));
    expectAll(50'100, 5'000);
}

TEST_P(Storage, ofThreadsThatEnd_givesNothingToWhoReadsFromAClosedDescriptor) {
    EXPECT_EQ(record("closed input"), 0);
    EXPECT_THAT(output_, StartsWith("0 writes\n"));
}

TEST_P(Storage, ofAProgramThatClosesAllDescriptors_isWhole) {
    EXPECT_EQ(record("all closed"), 0);
    expectAll(100'100, 0);
}

TEST_P(Storage, withoutAFreeDescriptorForAWhile_isWhole) {
    EXPECT_EQ(record("no descriptors"), 0);
    expectAll(200'100, 1'000);
}

TEST_P(Storage, ofAProgramThatMayOpenNothing_isWhole) {
    const int status = record("no opening");
    if (status == 77) GTEST_SKIP() << "no filter of system calls can be set here";
    EXPECT_EQ(status, 0);
    expectAll(101'100, 1'000);
}

/// As a container's.
TEST_P(Storage, inASandboxFromTheBegin_isWhole) {
    const int status = record("sandbox");
    if (status == 77) GTEST_SKIP() << "no filter of system calls can be set here";
    EXPECT_EQ(status, 0);
    expectAll(200'100, 0);
}

TEST_P(Storage, ofAProgramKilledLater_hasWhatWasThere) {
    EXPECT_NE(record("kill when copied"), 0);
    EXPECT_EQ(count("enter work"), 20'000);
    EXPECT_EQ(count("leave work"), 20'000);
}

TEST_P(Storage, thatIsUsedAgain_hasTheNewest) {
    EXPECT_EQ(record("many", {"--buffer", "0.5", "--when-full", "newest"}), 0);
    EXPECT_EQ(measurement()["lostEvents"], 0);
    const auto events = readBack(trace() / "traces.otf2");
    EXPECT_GT(events.size(), 16'384u);
    EXPECT_LT(events.size(), 32'766u);
    EXPECT_TRUE(events[events.size() - 2].ends_with("leave work")) << events[events.size() - 2];
}

TEST_P(Storage, withALimitOnFiles_losesWhatItSays) {
    for (const char* const bytes : {"1000000", "100000"}) {
        std::filesystem::remove_all(trace());
        const auto result =
            runCommand({"env", "HOLOS_STORAGE=" + GetParam(), "prlimit", "--fsize=" + std::string(bytes),
                        HOLOS_PROGRAM, "record", "-o", trace(), "--", HARSH_PROGRAM, "many"});
        output_ = result.output;
        EXPECT_EQ(result.exitCode, 0);
        EXPECT_THAT(output_, HasSubstr("File too large"));
        expectNoneForgotten();
    }
}

/// What was done is what the trace has and what it says is missing: on a disk that is there for one command
/// only.
class SmallDisk : public Storage {
  protected:
    /// `mount`: makes the disk at `disk`.
    void recordOn(const std::string& mount, const std::string& way = "many") {
        const std::string disk = directory_.path() / "disk";
        fs::create_directories(disk);
        const std::string copy = "cp -r '" + disk + "/trace' '" + directory_.path().string() + "'";
        const std::string variable = "env HOLOS_STORAGE=" + GetParam() + ' ';
        const auto result =
            runCommand({"unshare", GetParam().empty() ? "-m" : "-rm", "sh", "-c",
                        mount + " && { " + variable + HOLOS_PROGRAM " record --disk-reserve 0 -o '" + disk +
                            "/trace' -- " HARSH_PROGRAM " '" + way + "'; echo status $?; " + copy + "; }"});
        output_ = result.output;
        EXPECT_THAT(output_, HasSubstr("0 writes\n"));
        EXPECT_THAT(output_, HasSubstr("No space left on device"));
        const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", trace()});
        EXPECT_EQ(analyzed.exitCode, 0) << analyzed.output;
    }
    /// Empty where none can be mounted.
    std::string mountOfMemory() const {
        const std::string disk = directory_.path() / "disk";
        const std::string mount = "mount -t tmpfs -o size=1m none '" + disk + "'";
        fs::create_directories(disk);
        return runCommand({"unshare", "-rm", "sh", "-c", mount}).exitCode == 0 ? mount : "";
    }
};

TEST_P(SmallDisk, thatIsFull_losesWhatItSays) {
    const std::string mount = mountOfMemory();
    if (mount.empty()) GTEST_SKIP() << "no disk can be mounted here";
    recordOn(mount);
    expectNoneForgotten();
}

/// One thread finds out, and the others go on.
TEST_P(SmallDisk, thatIsFull_losesWhatItSays_ofAllThreads) {
    const std::string mount = mountOfMemory();
    if (mount.empty()) GTEST_SKIP() << "no disk can be mounted here";
    recordOn(mount, "threads");
    expectNoneForgotten();
}

class CopyingDisk : public SmallDisk {
  protected:
    /// Empty where none can be mounted.
    std::string mountOfBtrfs(std::uintmax_t bytes) const {
        const std::string image = directory_.path() / "image";
        const std::string disk = directory_.path() / "disk";
        const std::string mount = "mount -o loop '" + image + "' '" + disk + "'";
        std::ofstream(image).close();
        fs::resize_file(image, bytes);
        fs::create_directories(disk);
        const bool isThere = runCommand({"mkfs.btrfs", "-q", image}).exitCode == 0 &&
                             runCommand({"unshare", "-m", "sh", "-c", mount}).exitCode == 0;
        return isThere ? mount : "";
    }
};

/// btrfs has room for what was written only when that comes to the disk, and says until then that there is
/// more.
TEST_P(CopyingDisk, onWhichLittleIsLeft_restIsAddedUpAndNothingIsMissing) {
    const std::string mount = mountOfBtrfs(200'000'000);
    if (mount.empty()) GTEST_SKIP() << "no btrfs can be mounted here";
    const std::string disk = directory_.path() / "disk";
    const auto result =
        runCommand({"unshare", "-m", "sh", "-c",
                    mount + " && { env HOLOS_STORAGE= " HOLOS_PROGRAM " record --disk-reserve 40M -o '" +
                        disk + "/trace' -- " HARSH_PROGRAM " 'very many'; echo status $?; cp -r '" + disk +
                        "/trace' '" + directory_.path().string() + "'; }"});
    output_ = result.output;
    EXPECT_THAT(output_, HasSubstr("status 0"));
    EXPECT_THAT(output_, HasSubstr("profile.cubex has that part"));
    EXPECT_TRUE(fs::exists(trace() / "profile.cubex"));
    EXPECT_EQ(measurement()["lostEvents"], 0);
}

/// With btrfs, each write needs new room, but for what is to be said of the loss. Where there is none for
/// that nevertheless, this is said.
TEST_P(CopyingDisk, thatIsFull_doesNotEndTheProgram_andLosesWhatItSays) {
    const std::string mount = mountOfBtrfs(130'000'000);
    if (mount.empty()) GTEST_SKIP() << "no btrfs can be mounted here";
    recordOn(mount, "full disk");
    if (measurement()["lostEvents"].is_null())
        EXPECT_THAT(output_, HasSubstr("lost events: how many is not known"));
    else
        expectNoneForgotten();
}

/// As its file system has it.
INSTANTIATE_TEST_SUITE_P(AsItIs, CopyingDisk, ::testing::Values(""));
INSTANTIATE_TEST_SUITE_P(Kept, Storage, ::testing::Values("mapped", "copied"),
                         [](const auto& way) { return way.param; });
INSTANTIATE_TEST_SUITE_P(Kept, SmallDisk, ::testing::Values("mapped", "copied"),
                         [](const auto& way) { return way.param; });

}  // namespace
}  // namespace holos::testing
