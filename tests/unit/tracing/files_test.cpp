// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/files.h"

#include <gmock/gmock.h>

#include <fstream>

#include "base/error.h"
#include "tests/support/temporary_directory.h"
#include "tracing/counters/selection.h"

namespace holos::counters {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class KernelFiles : public ::testing::Test {
  protected:
    void write(const std::string& file, const std::string& text) const {
        const fs::path path = directory_.path() / file;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }
    FileValue value(const std::string& file, const std::string& key = "", unsigned field = 0) const {
        return {{"name", "", "", Mode::Accumulated, ""}, directory_.path() / file, key, field};
    }
    static std::vector<std::string> namesOf(const std::vector<FileValue>& values) {
        std::vector<std::string> names;
        for (const auto& one : values) names.push_back(one.counter.name);
        return names;
    }

    const testing::TemporaryDirectory directory_;
};

TEST_F(KernelFiles, number_isFoundByKeyAndField) {
    write("status", "VmPeak:\t  900 kB\nVmRSS:\t  123 kB 45\nwchar: 6");
    EXPECT_EQ(valueOf(value("status")), 900);
    EXPECT_EQ(valueOf(value("status", "VmRSS:")), 123);
    EXPECT_EQ(valueOf(value("status", "VmRSS:", 1)), 45);
    EXPECT_EQ(valueOf(value("status", "VmSwap:")), std::nullopt);
    EXPECT_EQ(valueOf(value("status", "wchar:", 1)), std::nullopt);
    EXPECT_EQ(valueOf(value("missing")), std::nullopt);
}

TEST_F(KernelFiles, valueThatBeginsAgain_isWidened) {
    auto energy = value("energy_uj");
    energy.period = 1000;
    write("energy_uj", "990");
    const auto group = openFiles({energy});
    std::uint64_t now = 0;
    ASSERT_TRUE(group->read(&now));
    EXPECT_EQ(now, 990);
    write("energy_uj", "10");
    ASSERT_TRUE(group->read(&now));
    EXPECT_EQ(now, 1010);
    write("energy_uj", "5");
    ASSERT_TRUE(group->read(&now));
    EXPECT_EQ(now, 2005);
}

TEST_F(KernelFiles, deviceThatGoesAway_leavesTheValues) {
    write("a", "1");
    write("b", "2");
    const auto group = openFiles({value("a"), value("b")});
    std::uint64_t now[2] = {7, 7};
    fs::remove(directory_.path() / "b");
    EXPECT_FALSE(group->read(now));
    EXPECT_THAT(now, ElementsAre(7, 7));
}

TEST_F(KernelFiles, sensors_areNamedAfterTheirChip) {
    write("hwmon0/name", "coretemp");
    write("hwmon0/temp1_input", "45000");
    write("hwmon0/temp1_label", "Package id 0");
    write("hwmon0/temp1_max", "100000");
    write("hwmon1/name", "nct6775");
    write("hwmon1/fan2_input", "1200");
    write("hwmon1/intrusion0_alarm", "0");
    const auto found = sensorsIn(directory_.path());
    ASSERT_THAT(namesOf(found), ElementsAre("hwmon0_coretemp_temp1", "hwmon1_nct6775_fan2"));
    EXPECT_EQ(found[0].counter.description, "Temperature: Package id 0");
    EXPECT_EQ(found[0].counter.unit, "mdegC");
    EXPECT_EQ(found[0].counter.mode, Mode::Absolute);
    EXPECT_EQ(valueOf(found[0]), 45000);
    EXPECT_EQ(valueOf(found[1]), 1200);
}

/// What a state is worth, as it is written into a trace.
std::int64_t stateOf(const FileValue& value) {
    return static_cast<std::int64_t>(valueOf(value).value_or(0));
}

TEST_F(KernelFiles, negativeReading_isOneAndLeavesTheOthers) {
    write("hwmon0/name", "board");
    write("hwmon0/temp1_input", "-5500");
    write("hwmon0/temp2_input", "45000");
    const auto found = sensorsIn(directory_.path());
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(stateOf(found[0]), -5500);
    const auto group = openFiles(found);
    std::uint64_t now[2] = {};
    ASSERT_TRUE(group->read(now));
    EXPECT_EQ(static_cast<std::int64_t>(now[0]), -5500);
    EXPECT_EQ(now[1], 45000U);
    EXPECT_EQ(numberIn("0-7", 1), 7U) << "a dash between numbers is no sign";
    EXPECT_EQ(static_cast<std::int64_t>(*numberIn("a: -3 4", 0)), -3);
}

TEST_F(KernelFiles, node_hasNetworksFabricsDisksAndFileSystems) {
    write("proc/meminfo", "MemTotal: 9 kB\nMemFree: 3 kB\nMemAvailable: 5 kB");
    write("sys/class/net/eth0/statistics/rx_dropped", "17");
    write("sys/class/infiniband/mlx5_0/ports/1/counters/port_rcv_data", "100");
    write("sys/class/infiniband/mlx5_0/ports/1/counters/port_xmit_wait", "7");
    write("proc/fs/lustre/llite/scratch-ffff8810/stats",
          "snapshot_time 1 secs.usecs\nread_bytes 5 samples [bytes] 4096 8192 30000\n"
          "write_bytes 2 samples [bytes] 1 9 10\nopen 3 samples [regs]");
    write("proc/net/rpc/nfs", "net 0 0 0 0\nrpc 1234 5 6\nproc3 22 0");
    const auto found = nodeFilesBelow(directory_.path());
    const auto of = [&](const std::string& name) -> std::optional<std::uint64_t> {
        for (const FileValue& each : found)
            if (each.counter.name == name) return valueOf(each);
        return std::nullopt;
    };
    EXPECT_EQ(of("mem_free"), 3 * 1024U);
    EXPECT_EQ(of("net_eth0_dropped_received"), 17U);
    EXPECT_EQ(of("ib_mlx5_0_1_received"), 400U);
    EXPECT_EQ(of("ib_mlx5_0_1_waits"), 7U);
    EXPECT_EQ(of("lustre_scratch_read"), 30000U);
    EXPECT_EQ(of("lustre_scratch_written"), 10U);
    EXPECT_EQ(of("lustre_scratch_opens"), 3U);
    EXPECT_EQ(of("nfs_calls"), 1234U);
    EXPECT_EQ(of("nfs_repeated"), 5U);
}

TEST(ProcessFiles, ownMemory_isTold) {
    std::uint64_t values[4] = {};
    ASSERT_TRUE(Selection({"proc_text", "proc_stack", "proc_rss", "proc_rss_peak"}).open()->read(values));
    EXPECT_GT(values[0], 0U);
    EXPECT_GT(values[1], 0U);
    EXPECT_GE(values[3], values[2]);
}

TEST_F(KernelFiles, kindsOfSensors_haveTheirUnits) {
    write("hwmon0/name", "board");
    for (const std::string sensor : {"temp1", "fan1", "in0", "curr1", "power1", "energy1", "humidity1"})
        write("hwmon0/" + sensor + "_input", "5000");
    std::vector<std::string> units;
    for (const auto& one : sensorsIn(directory_.path())) {
        EXPECT_EQ(one.counter.mode, one.counter.unit == "uJ" ? Mode::Accumulated : Mode::Absolute);
        EXPECT_EQ(valueOf(one), 5000) << "as the kernel has it";
        units.push_back(one.counter.name + ' ' + one.counter.unit);
    }
    EXPECT_THAT(units,
                ElementsAre("hwmon0_board_curr1 mA", "hwmon0_board_energy1 uJ", "hwmon0_board_fan1 rpm",
                            "hwmon0_board_in0 mV", "hwmon0_board_power1 uW", "hwmon0_board_temp1 mdegC"));
}

TEST_F(KernelFiles, scheduler_numbersInTheOrderAsked) {
    write("schedstat", "900 70 3");
    const std::vector<std::string> names{"sched_turns", "sched_wait"};
    const auto group = openScheduler(directory_.path() / "schedstat", names);
    std::uint64_t now[2] = {};
    ASSERT_TRUE(group->read(now));
    EXPECT_THAT(now, ElementsAre(3, 70));
    write("schedstat", "950 100 4");
    ASSERT_TRUE(group->read(now));
    EXPECT_THAT(now, ElementsAre(4, 100));
    write("schedstat", "950");
    EXPECT_FALSE(group->read(now));
}

TEST_F(KernelFiles, schedulerThatDoesNotTell_isAnError) {
    const std::vector<std::string> names{"sched_wait"};
    EXPECT_THROW(openScheduler(directory_.path() / "none", names), Error);
    EXPECT_THROW(openScheduler("/dev/null", std::vector<std::string>{"sched_waits"}), Error);
}

/// However the machine is loaded, a thread that runs until its time has grown has run.
TEST(Scheduler, ofThisThread_timeThatItRanGrows) {
    const auto counter = scheduler().find("sched_run");
    ASSERT_NE(counter, nullptr);
    if (!counter->unavailable.empty()) GTEST_SKIP() << counter->unavailable;
    const auto reader = Selection({"sched_wait", "sched_run", "sched_turns"}).open();
    std::uint64_t before[3] = {};
    std::uint64_t after[3] = {};
    ASSERT_TRUE(reader->read(before));
    do ASSERT_TRUE(reader->read(after));
    while (after[1] == before[1]);
    EXPECT_GE(after[0], before[0]);
    EXPECT_GE(after[2], before[2]);
}

TEST_F(KernelFiles, energy_ofPackagesAndTheirParts) {
    write("intel-rapl/enabled", "1");
    for (const std::string zone : {"intel-rapl:0", "intel-rapl:0/intel-rapl:0:1", "intel-rapl:1"}) {
        write(zone + "/energy_uj", "77");
        write(zone + "/max_energy_range_uj", "262143");
    }
    write("intel-rapl:0/name", "package-0");
    write("intel-rapl:0/intel-rapl:0:1/name", "dram");
    write("intel-rapl:1/name", "package-1");
    const auto found = energyIn(directory_.path());
    EXPECT_THAT(namesOf(found), ElementsAre("energy_package-0", "energy_package-0_dram", "energy_package-1"));
    EXPECT_EQ(found[1].period, 262144);
    EXPECT_EQ(found[1].counter.mode, Mode::Accumulated);
    EXPECT_EQ(found[1].counter.description, "Energy used by package-0_dram");
}

TEST_F(KernelFiles, noSuchFolder_isAnEmptyList) {
    EXPECT_TRUE(sensorsIn(directory_.path() / "none").empty());
    EXPECT_TRUE(energyIn(directory_.path() / "none").empty());
}

TEST(Selection, countersOfSeveralScopes_areTold) {
    const Selection selection({"proc_rss", "ru_minflt", "mem_free", "proc_threads"});
    EXPECT_THAT(selection.namesOf(Scope::Thread), ElementsAre("ru_minflt"));
    EXPECT_THAT(selection.namesOf(Scope::Process), ElementsAre("proc_rss", "proc_threads"));
    EXPECT_THAT(selection.namesOf(Scope::Node), ElementsAre("mem_free"));
    std::uint64_t values[4] = {};
    ASSERT_TRUE(selection.open()->read(values));
    EXPECT_GT(values[0], 0);
    EXPECT_GE(values[3], 1);
}

}  // namespace
}  // namespace holos::counters
