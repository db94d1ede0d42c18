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
    auto eventsOf(const std::string& program, unsigned ranks) {
        return recordedEvents(record(directory_.path(), path(program), launcher(ranks, GetParam())));
    }

  private:
    TemporaryDirectory directory_;
};

}  // namespace holos::testing
