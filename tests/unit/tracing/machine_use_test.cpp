// SPDX-License-Identifier: BSD-3-Clause
// How long a machine's processors were in use, as the kernel counts it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/temporary_directory.h"
#include "tracing/recorder/core/node_resources.h"

namespace holos::tracing::core {
namespace {

class MachineUse : public ::testing::Test {
  protected:
    /// Seconds.
    double useIn(const std::string& stat) const {
        std::filesystem::create_directories(directory_.path() / "proc");
        std::ofstream(directory_.path() / "proc/stat") << stat;
        return static_cast<double>(machineUse(directory_.path().c_str())) * 1e-9;
    }
    const double second_ = static_cast<double>(::sysconf(_SC_CLK_TCK));  ///< in ticks

    testing::TemporaryDirectory directory_;
};

TEST_F(MachineUse, withoutTheFile_isNotKnown) {
    EXPECT_EQ(machineUse(directory_.path().c_str()), 0U);
}

/// user nice system idle iowait irq softirq steal guest guest_nice; programs of guests count as user, too.
TEST_F(MachineUse, isAllButIdleAndGuests) {
    EXPECT_DOUBLE_EQ(useIn("cpu  100 20 30 99999 88888 4 5 6 77777 66666\ncpu0 1 1 1 1\n") * second_, 165);
}

TEST_F(MachineUse, ofAnOldKernel_isWhatItCounts) {
    EXPECT_DOUBLE_EQ(useIn("cpu  100 20 30 99999\n") * second_, 150);
}

TEST_F(MachineUse, inAnotherForm_isNotKnown) {
    EXPECT_DOUBLE_EQ(useIn("cpu0 1 2 3 4\n"), 0);
    EXPECT_DOUBLE_EQ(useIn(""), 0);
}

TEST_F(MachineUse, ofThisMachine_onlyGrows) {
    const std::uint64_t before = machineUse("");
    EXPECT_LE(before, machineUse(""));
}

}  // namespace
}  // namespace holos::tracing::core
