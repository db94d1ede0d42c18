// SPDX-License-Identifier: BSD-3-Clause
#include "base/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <iterator>

#include "base/error.h"
#include "tests/support/temporary_directory.h"

namespace holos {
namespace {

namespace fs = std::filesystem;

class TemporaryFolderTest : public ::testing::Test {
  protected:
    std::ptrdiff_t folders() const {
        return std::distance(fs::directory_iterator(place_.path()), fs::directory_iterator());
    }
    testing::TemporaryDirectory place_;
};

TEST_F(TemporaryFolderTest, twoAtATime_areTwoAndGoWithTheirOwners) {
    {
        const TemporaryFolder one(place_.path());
        const TemporaryFolder other(place_.path());
        EXPECT_NE(one.path(), other.path());
        EXPECT_EQ(folders(), 2);
    }
    EXPECT_EQ(folders(), 0);
}

TEST_F(TemporaryFolderTest, ofAProcessThatWasKilled_isRemovedByTheNext) {
    const pid_t killed = ::fork();
    if (killed == 0) {
        const TemporaryFolder own(place_.path());
        ::_exit(0);
    }
    ::waitpid(killed, nullptr, 0);
    EXPECT_EQ(folders(), 1);
    const TemporaryFolder next(place_.path());
    EXPECT_EQ(folders(), 1);
}

TEST_F(TemporaryFolderTest, placeOfTemporaries_isTheUsersOrTheSystems) {
    ::setenv("TMPDIR", place_.path().c_str(), 1);
    EXPECT_EQ(placeOfTemporaries(), place_.path());
    ::setenv("TMPDIR", "", 1);
    EXPECT_EQ(placeOfTemporaries(), "/var/tmp");
    ::unsetenv("TMPDIR");
    EXPECT_EQ(placeOfTemporaries(), "/var/tmp");
}

TEST_F(TemporaryFolderTest, whereNoneCanBeMade_isSaid) {
    EXPECT_THROW(TemporaryFolder(place_.path() / "missing"), Error);
}

/// Sanitizers open a pipe to look at an object's type, so that no member is used while there is no
/// descriptor.
TEST_F(TemporaryFolderTest, withoutADescriptor_isSaidAndNothingStays) {
    const fs::path place = place_.path();
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    const int next = ::open("/dev/null", O_RDONLY);
    ASSERT_GE(next, 0);
    ::close(next);
    const rlimit none{static_cast<rlim_t>(next), before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
    EXPECT_THROW(TemporaryFolder{place}, Error);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(folders(), 0);
}

}  // namespace
}  // namespace holos
