// SPDX-License-Identifier: BSD-3-Clause
#include "base/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>

#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace holos {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Output : public ::testing::Test {
  protected:
    static std::string contentOf(const fs::path& file) {
        std::ifstream in(file);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory()), {}));
    }
    const fs::path& directory() const { return directory_.path(); }
    fs::path file(const char* name = "result") const { return directory() / name; }

  private:
    testing::TemporaryDirectory directory_;
};

TEST_F(Output, withoutCommit_leavesNothing) {
    std::ofstream(file()) << "old";
    {
        OutputFile out(file());
        out.write("new");
    }
    EXPECT_EQ(contentOf(file()), "old");
    EXPECT_EQ(entries(), 1);
}

/// In a folder of somebody else, a link may lead to a file of whoever runs the command.
TEST_F(Output, ofANameThatHolosChose_followsNoLinkAndOpensNoDevice) {
    std::ofstream(file("thesis")) << "mine";
    fs::create_symlink(file("thesis"), file("link"));
    fs::create_symlink(file("nothing"), file("loose"));
    ASSERT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
    for (const char* name : {"link", "loose", "pipe"})
        EXPECT_THROW(OutputFile(file(name), Links::Refused), Error);
    EXPECT_EQ(contentOf(file("thesis")), "mine");
    EXPECT_FALSE(fs::exists(file("nothing")));
    std::ofstream(file("ordinary")) << "old";
    writeFile(file("ordinary"), "new", Links::Refused);
    EXPECT_EQ(contentOf(file("ordinary")), "new");
}

TEST_F(Output, untilCommit_readersSeeTheOldFile) {
    std::ofstream(file()) << "old";
    const std::ifstream reader(file());
    OutputFile out(file());
    out.write("never");
    out.write(" seen");
    out.rewrite(0, "after");
    EXPECT_EQ(contentOf(file()), "old");
    EXPECT_EQ(out.size(), 10);
    out.commit();
    EXPECT_EQ(contentOf(file()), "after seen");
    EXPECT_EQ(entries(), 1);
}

TEST_F(Output, newFile_hasTheUsualPermissions) {
    const mode_t mask = ::umask(027);
    writeFile(file(), "x");
    ::umask(mask);
    struct stat status {};
    ASSERT_EQ(::stat(file().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0640);
}

TEST_F(Output, permissionsOfTheEarlierFile_stay) {
    std::ofstream(file()) << "old";
    ASSERT_EQ(::chmod(file().c_str(), 0606), 0);
    writeFile(file(), "new");
    struct stat status {};
    ASSERT_EQ(::stat(file().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0606);
    EXPECT_EQ(contentOf(file()), "new");
}

TEST_F(Output, fileThatTheUserMayNotWrite_isNotReplaced) {
    constexpr uid_t kNobody = 65534;
    std::ofstream(file()) << "old";
    ASSERT_EQ(::chmod(file().c_str(), 0444), 0);
    ASSERT_EQ(::chmod(directory().c_str(), 0777), 0);
    const uid_t user = ::geteuid();
    ASSERT_EQ(::seteuid(user == 0 ? kNobody : user), 0) << "root may write everything";
    EXPECT_THROW(writeFile(file(), "new"), Error);
    ASSERT_EQ(::seteuid(user), 0);
    EXPECT_EQ(contentOf(file()), "old");
}

TEST_F(Output, symbolicLinks_areFollowedAndStay) {
    fs::create_directory(file("other"));
    std::ofstream(file("other/target")) << "old";
    fs::create_symlink("other/target", file("second"));
    fs::create_symlink("second", file("first"));
    writeFile(file("first"), "new");
    EXPECT_TRUE(fs::is_symlink(file("first")));
    EXPECT_TRUE(fs::is_symlink(file("second")));
    EXPECT_EQ(contentOf(file("other/target")), "new");
}

TEST_F(Output, linkToNothing_makesItsTarget) {
    fs::create_symlink("target", file());
    writeFile(file(), "new");
    EXPECT_TRUE(fs::is_symlink(file()));
    EXPECT_EQ(contentOf(file("target")), "new");
}

TEST_F(Output, linksInACircle_areAnError) {
    fs::create_symlink("b", file("a"));
    fs::create_symlink("a", file("b"));
    EXPECT_THROW(writeFile(file("a"), "x"), Error);
    EXPECT_TRUE(fs::is_symlink(file("a")));
}

TEST_F(Output, namedPipe_isWrittenAndStays) {
    ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
    const int reader = ::open(file().c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    OutputFile out(file());
    out.write("for...");
    out.rewrite(3, " it");
    out.commit();
    std::array<char, 16> got{};
    EXPECT_EQ(::read(reader, got.data(), got.size()), 6);
    EXPECT_STREQ(got.data(), "for it");
    ::close(reader);
    EXPECT_TRUE(fs::is_fifo(file()));
    EXPECT_EQ(entries(), 1);
}

TEST_F(Output, device_staysADevice) {
    writeFile("/dev/null", "x");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    fs::create_symlink("/dev/null", file());
    writeFile(file(), "x");
    EXPECT_TRUE(fs::is_symlink(file()));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Output, fullDevice_isReported) {
    if (!fs::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    OutputFile out("/dev/full");
    out.write("x");
    EXPECT_THROW(out.commit(), Error);
}

/// As for a program whose output goes to a log: what is there stays.
TEST_F(Output, openDescriptorByItsNameOnProc_isAppendedTo) {
    std::ofstream(file()) << "before ";
    const int log = ::open(file().c_str(), O_WRONLY);
    ASSERT_GE(log, 0);
    writeFile("/proc/self/fd/" + std::to_string(log), "after");
    ::close(log);
    EXPECT_EQ(contentOf(file()), "before after");
    EXPECT_EQ(entries(), 1);
}

TEST_F(Output, folderThatIsThereOrMissing_isAnError) {
    EXPECT_THROW(OutputFile{directory()}, Error);
    try {
        OutputFile out(file("none/result"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("none/result: cannot be written: No such file"));
    }
}

}  // namespace
}  // namespace holos
