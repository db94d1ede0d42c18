// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {

/// With each MPI that Holos was built for; the parameter is its family.
class RecordedMpi : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        if (launcher(1, GetParam()).empty()) GTEST_SKIP() << "no mpirun of " << GetParam() << " here";
    }
    std::string path(const std::string& program) const {
        return HOLOS_PROGRAMS "/" + program + '_' + GetParam();
    }
    /// The library of MPI's functions for C.
    std::string mpi() const {
        return libraryOf(path("messages"), GetParam() == "mpich" ? "libmpich" : "libmpi");
    }
    using Words = std::vector<std::string>;
    std::filesystem::path archiveOf(const std::string& program, unsigned ranks, const Words& options = {},
                                    const Words& arguments = {}) {
        return record(directory_.path(), path(program), launcher(ranks, GetParam()), options, arguments);
    }
    auto eventsOf(const std::string& program, unsigned ranks, const Words& options = {},
                  const Words& arguments = {}) {
        return recordedEvents(archiveOf(program, ranks, options, arguments));
    }
    /// What `holos analyze` says of an archive; fails the test when it fails.
    static std::string analysisOf(const std::filesystem::path& archive) {
        const auto result = runCommand({HOLOS_PROGRAM, "analyze", archive});
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return result.output;
    }
    const std::filesystem::path& folder() const { return directory_.path(); }

  private:
    TemporaryDirectory directory_;
};

}  // namespace holos::testing
