// SPDX-License-Identifier: BSD-3-Clause
// A file system that is shut down while a program is recorded on it, as the kernel does after an error of the
// disk: what is mapped of its files cannot be read or written any more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

class LostDisk : public ::testing::TestWithParam<std::string> {
  protected:
    /// Empty where none can be mounted.
    std::string mountOfXfs() const {
        constexpr std::uintmax_t kLeast = 320'000'000;
        std::ofstream(image_).close();
        fs::resize_file(image_, kLeast);
        fs::create_directories(disk_);
        const std::string mount = "mount -o loop '" + image_ + "' '" + disk_ + "'";
        const std::string shutDown = "xfs_io -x -c shutdown '" + disk_ + "'";
        const bool isThere =
            runCommand({"mkfs.xfs", "-q", image_}).exitCode == 0 &&
            runCommand({"unshare", "-m", "sh", "-c", mount + " && " + shutDown}).exitCode == 0 &&
            runCommand({"mkfs.xfs", "-q", "-f", image_}).exitCode == 0;
        return isThere ? mount : "";
    }
    std::string file(const std::string& name) const { return (directory_.path() / name).string(); }

    TemporaryDirectory directory_;
    std::string image_ = file("image");
    std::string disk_ = file("disk");
};

/// Holos fails, the program does not: a signal would be its end.
TEST_P(LostDisk, whileAProgramIsRecorded_doesNotHarmIt_andIsSaid) {
    const std::string mount = mountOfXfs();
    if (mount.empty()) GTEST_SKIP() << "no XFS can be mounted and shut down here";
    const std::string record = HOLOS_PROGRAM " record " + GetParam() + " -o '" + disk_ + "/run' -- " +
                               LIVING_PROGRAM + " 300000 '" + file("begun") + "' '" + file("go") + "'";
    const auto result = runCommand({"unshare", "-m", "sh", "-c",
                                    mount + " && { " + record + " & while [ ! -e '" + file("begun") +
                                        "' ]; do sleep 0.01; done; " + "xfs_io -x -c shutdown '" + disk_ +
                                        "'; touch '" + file("go") + "'; wait $!; echo status $?; }"});
    EXPECT_THAT(result.output, HasSubstr("status 1\n"));
    EXPECT_THAT(result.output, HasSubstr("cannot be reached any more (Input/output error)"));
    EXPECT_THAT(result.output, Not(HasSubstr("makes the trace later")));
}

INSTANTIATE_TEST_SUITE_P(, LostDisk, ::testing::Values("", "--write-back 10ms", "--profile"),
                         [](const auto& one) {
                             return one.param.empty()          ? "trace"
                                    : one.param == "--profile" ? "profile"
                                                               : "back";
                         });

}  // namespace
}  // namespace holos::testing
