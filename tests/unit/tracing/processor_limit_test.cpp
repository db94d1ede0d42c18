// SPDX-License-Identifier: BSD-3-Clause
// Limits of processors, as containers and jobs have them.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_directory.h"
#include "tracing/recorder/core/node_resources.h"

namespace holos::tracing::core {
namespace {

/// Files of a kernel.
class ProcessorLimits : public ::testing::Test {
  protected:
    void write(const std::string& name, const std::string& text) const {
        const std::filesystem::path path = directory_.path().string() + name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    void writeGroup(const std::string& folder, const std::string& limit, const std::string& counts) const {
        write("/sys/fs/cgroup" + folder + "/cpu.max", limit + '\n');
        write("/sys/fs/cgroup" + folder + "/cpu.stat", counts);
    }
    ProcessorLimit limit() const { return processorLimit(directory_.path().string().c_str()); }

    testing::TemporaryDirectory directory_;
};

TEST_F(ProcessorLimits, withoutGroups_thereIsNone) {
    EXPECT_EQ(limit().thousandths, 0);
}

TEST_F(ProcessorLimits, ofAGroup_isItsQuotaOfAPeriod) {
    write("/proc/self/cgroup", "0::/job/step\n");
    writeGroup("/job/step", "50000 100000",
               "usage_usec 9\nnr_periods 40\nnr_throttled 30\nthrottled_usec 3200000\n");
    EXPECT_EQ(limit().thousandths, 500);
    EXPECT_EQ(limit().stopped, 3'200'000'000);
}

TEST_F(ProcessorLimits, ofGroupsAroundIt_isTheLeast) {
    write("/proc/self/cgroup", "0::/job/step\n");
    writeGroup("/job/step", "max 100000", "throttled_usec 0\n");
    writeGroup("/job", "400000 100000", "throttled_usec 7\n");
    writeGroup("", "150000 100000", "throttled_usec 8\n");
    EXPECT_EQ(limit().thousandths, 1500);
    EXPECT_EQ(limit().stopped, 8'000);
}

TEST_F(ProcessorLimits, ofVersionOne_isThatOfTheControllerOfThisName) {
    write("/proc/self/cgroup", "7:cpuset:/other\n4:cpuacct,cpu:/job\n0::/\n");
    write("/sys/fs/cgroup/cpu/other/cpu.cfs_quota_us", "1000\n");
    write("/sys/fs/cgroup/cpu/other/cpu.cfs_period_us", "100000\n");
    write("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "200000\n");
    write("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    write("/sys/fs/cgroup/cpu/job/cpu.stat", "nr_periods 2\nnr_throttled 1\nthrottled_time 12345\n");
    EXPECT_EQ(limit().thousandths, 2000);
    EXPECT_EQ(limit().stopped, 12'345);
}

TEST_F(ProcessorLimits, ofVersionOneWithoutAQuota_thereIsNone) {
    write("/proc/self/cgroup", "4:cpu:/job\n");
    write("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
    write("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(limit().thousandths, 0);
}

}  // namespace
}  // namespace holos::tracing::core
